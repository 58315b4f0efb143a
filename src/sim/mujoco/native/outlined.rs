//! Functions of SIMD kernels that are compiled by themselves.

/// Defines a function that is a kernel of its own, for SIMD vectors of type `V`. It can have another type parameter.
///
/// All other functions of kernels are inlined into each of their callers, of which there are several for each vector type. This is
/// for large functions that a step calls a few times.
macro_rules! outlined {
    (
        $(#[$doc:meta])*
        $visibility:vis fn $name:ident<V: Float64Lanes $(, $other:ident: $bound:path)?>(
            $($argument:ident: $type:ty),* $(,)?
        ) $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        #[inline(always)]
        $visibility fn $name<V: Float64Lanes $(, $other: $bound)?>($($argument: $type),*) $(-> $result)? {
            struct Work<V, A>(A, std::marker::PhantomData<V>);

            impl<V: Float64Lanes $(, $other: $bound)?> envpool_rs_numeric::simd::SimdKernel for Work<V, ($($type,)*)> {
                type Output = outlined!(@ $($result)?);

                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Self(($($argument,)*), _) = self;
                    $body
                }
            }

            V::enter(Work::<V, _>(($($argument,)*), std::marker::PhantomData))
        }
    };
    (@) => { () };
    (@ $result:ty) => { $result };
}
pub(super) use outlined;
