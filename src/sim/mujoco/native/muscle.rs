//! Muscles: `mju_muscleGain`, `mju_muscleBias` and `mju_muscleDynamics` (`engine_util_misc.c`).

use crate::native::mju::MJMINVAL;
use crate::native::mju::clip;
use crate::native::outlined::outlined;
use crate::native::solver::cones::not;
use envpool_rs_numeric::simd::Float64Lanes;

/// Constants of a muscle's gain or bias, from `actuator_gainprm` or `actuator_biasprm`, `actuator_lengthrange` and `actuator_acc0`.
#[derive(Debug, Clone)]
pub(super) struct Muscle {
    /// Length at which the normalized length is `range[0]` (`lengthrange[0]`).
    length0: f64,
    /// First number of the operating range of lengths (`range[0]`).
    range0: f64,
    /// Optimum length (`L0`), at least `mjMINVAL`.
    optimum: f64,
    /// Velocity of the normalized velocity 1, at least `mjMINVAL`.
    speed: f64,
    /// Peak active force.
    force: f64,
    lmin: f64,
    lmax: f64,
    fpmax: f64,
    fvmax: f64,
}

impl Muscle {
    pub(super) fn new(prm: &[f64], lengthrange: [f64; 2], acc0: f64) -> Self {
        let optimum = (lengthrange[1] - lengthrange[0]) / at_least(prm[1] - prm[0]);
        Self {
            length0: lengthrange[0],
            range0: prm[0],
            optimum: at_least(optimum),
            speed: at_least(optimum * prm[6]),
            force: if prm[2] < 0.0 { prm[3] / at_least(acc0) } else { prm[2] },
            lmin: prm[4],
            lmax: prm[5],
            fpmax: prm[7],
            fvmax: prm[8],
        }
    }

    #[inline(always)]
    fn normalized_length<V: Float64Lanes>(&self, length: V) -> V {
        V::splat(self.range0) + (length - V::splat(self.length0)) / V::splat(self.optimum)
    }

    #[inline(always)]
    fn gain<V: Float64Lanes>(&self, length: V, velocity: V) -> V {
        let (none, one) = (V::splat(0.0), V::splat(1.0));
        let by_length = self.gain_length(self.normalized_length(length));
        let velocity = velocity / V::splat(self.speed);
        let y = self.fvmax - 1.0;
        let most = V::splat(self.fvmax);
        let (shortening, lengthening) = (velocity + one, V::splat(y) - velocity);
        let by_velocity = V::select(
            velocity.le(-one),
            none,
            V::select(
                velocity.le(none),
                shortening * shortening,
                V::select(velocity.le(V::splat(y)), most - lengthening * lengthening / V::splat(at_least(y)), most),
            ),
        );
        V::splat(-self.force) * by_length * by_velocity
    }

    /// `mju_muscleGainLength`
    #[inline(always)]
    fn gain_length<V: Float64Lanes>(&self, length: V) -> V {
        let (none, one, half) = (V::splat(0.0), V::splat(1.0), V::splat(0.5));
        let (a, b) = (0.5 * (self.lmin + 1.0), 0.5 * (1.0 + self.lmax));
        let (low, high) = (V::splat(self.lmin), V::splat(self.lmax));
        // The four branches of the curve differ in the numerator and denominator of a single division.
        let (to_a, to_one, to_b) = (length.le(V::splat(a)), length.le(one), length.le(V::splat(b)));
        let (above, beyond) = (V::splat(at_least(b - 1.0)), V::splat(at_least(self.lmax - b)));
        let (low_end, below) = (V::splat(at_least(a - self.lmin)), V::splat(at_least(1.0 - a)));
        let distance = V::select(to_b, length - one, high - length);
        let distance = V::select(to_a, length - low, V::select(to_one, one - length, distance));
        let width = V::select(to_a, low_end, V::select(to_one, below, V::select(to_b, above, beyond)));
        let x = distance / width;
        let (square, is_end) = (half * x * x, V::mask_or(to_a, V::mask_and(not::<V>(to_one), not::<V>(to_b))));
        let is_within = V::mask_and(low.le(length), length.le(high));
        V::select(is_within, V::select(is_end, square, one - square), none)
    }

    #[inline(always)]
    fn bias<V: Float64Lanes>(&self, length: V) -> V {
        let (none, one) = (V::splat(0.0), V::splat(1.0));
        let length = self.normalized_length(length);
        let b = 0.5 * (1.0 + self.lmax);
        let by = V::splat(at_least(b - 1.0));
        let is_bent = length.le(V::splat(b));
        let x = (length - V::select(is_bent, one, V::splat(b))) / by;
        let passive = -self.force * self.fpmax;
        let bent = V::splat(passive * 0.5) * x * x;
        let straight = V::splat(passive) * (V::splat(0.5) + x);
        V::select(length.le(one), none, V::select(is_bent, bent, straight))
    }
}

outlined!(
    /// `mju_muscleGain`: the active force per activation, which is negative.
    pub(super) fn muscle_gain<V: Float64Lanes>(muscle: &Muscle, length: V, velocity: V) -> V {
        muscle.gain(length, velocity)
    }
);

outlined!(
    /// `mju_muscleBias`: the passive force, which is negative.
    pub(super) fn muscle_bias<V: Float64Lanes>(muscle: &Muscle, length: V) -> V {
        muscle.bias(length)
    }
);

outlined!(
    /// `mju_muscleDynamics`: the rate of a muscle's activation. `prm` are the time constants of activation and deactivation, and the
    /// width of the smooth transition between them (`mju_muscleDynamicsTimescale`).
    pub(super) fn muscle_dynamics<V: Float64Lanes>(ctrl: V, act: V, prm: &[f64; 3]) -> V {
        let (none, one, half) = (V::splat(0.0), V::splat(1.0), V::splat(0.5));
        let (ctrl, bounded) = (clip(ctrl, [0.0, 1.0]), clip(act, [0.0, 1.0]));
        let share = half + V::splat(1.5) * bounded;
        let tau_act = V::splat(prm[0]) * share;
        let tau_deact = V::splat(prm[1]) / share;
        let excess = ctrl - act;
        let tau = if prm[2] < MJMINVAL {
            V::select(excess.gt(none), tau_act, tau_deact)
        } else {
            // `mju_sigmoid`
            let x = excess / V::splat(prm[2]) + half;
            let between = x * x * x * (V::splat(3.0) * x * (V::splat(2.0) * x - V::splat(5.0)) + V::splat(10.0));
            let sigmoid = V::select(x.le(none), none, V::select(x.ge(one), one, between));
            tau_deact + (tau_act - tau_deact) * sigmoid
        };
        let tiny = V::splat(MJMINVAL);
        excess / V::select(tiny.gt(tau), tiny, tau)
    }
);

/// Returns the number, or `mjMINVAL` if it is smaller: `mjMAX(mjMINVAL, number)`.
fn at_least(number: f64) -> f64 {
    if MJMINVAL > number { MJMINVAL } else { number }
}
