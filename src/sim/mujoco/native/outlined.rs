//! Functions of SIMD kernels that are compiled by themselves.

/// Defines a function that runs another one, an inlined function of SIMD vectors of type `V`, as a kernel of its own.
///
/// All other functions of kernels are inlined into each of their callers, of which there are several for each vector type. This is
/// for large functions that a step calls a few times.
macro_rules! outlined {
    (
        $(#[$doc:meta])*
        $visibility:vis fn $name:ident<$life:lifetime, V>($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $inner:ident
    ) => {
        $(#[$doc])*
        #[inline(always)]
        $visibility fn $name<$life, V: Float64Lanes>($($argument: $type),*) $(-> $result)? {
            struct Work<$life, V: Float64Lanes> {
                $($argument: $type),*
            }

            impl<V: Float64Lanes> envpool_rs_numeric::simd::SimdKernel for Work<'_, V> {
                type Output = outlined!(@ $($result)?);

                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Self { $($argument),* } = self;
                    $inner($($argument),*)
                }
            }

            V::enter(Work { $($argument),* })
        }
    };
    (@) => { () };
    (@ $result:ty) => { $result };
}
pub(super) use outlined;
