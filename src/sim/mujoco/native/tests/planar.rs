//! Tests of the planar stepper's own final pass.

use crate::native::Stepper;
use crate::native::tests::{check_bound, compile, known_library};

/// MJCF of a planar robot with one leg, whose bodies have an offset across the plane. `OTHER` stands for the second sensor's body.
const LEG: &str = r#"<mujoco><option timestep="0.004"/><default><joint damping="1" armature=".1"/></default><worldbody>
<geom type="plane" size="9 9 1"/><body name="root" pos="0 .1 1"><joint name="x" type="slide" axis="1 0 0" damping="0" armature="0"/>
<joint type="slide" axis="0 0 1" damping="0" armature="0"/><joint axis="0 1 0" damping="0" armature="0"/>
<geom type="capsule" size=".05" fromto="0 0 .2 0 0 -.2"/><body name="thigh" pos="0 .2 -.2"><joint name="a" axis="0 -1 0"/>
<geom type="capsule" size=".05" fromto="0 0 0 0.02 0 -.4"/><body pos="0 0 -.4" euler="0 20 0"><joint name="b" axis="0 -1 0" pos="0 0 .02"/>
<geom type="capsule" size=".04" fromto="0 0 0 0 0 -.4"/><body pos="0 0 -.4"><joint name="c" axis="0 -1 0" limited="true" range="-40 40"/>
<geom type="capsule" size=".06" fromto="-.1 0 0 .2 0 0"/></body></body></body></body></worldbody>
<actuator><motor joint="a" gear="20"/><motor joint="b" gear="20"/><motor joint="c" gear="10"/></actuator>
<sensor><subtreelinvel body="root"/><subtreelinvel body="OTHER"/></sensor></mujoco>"#;

#[test]
fn final_velocities_of_planar_robots_equal_the_library_bit_for_bit() {
    let Some(library) = known_library() else { return };
    // The planar form computes the root's velocity. The thigh's is computed in three dimensions.
    for other in ["root", "thigh"] {
        let text = LEG.replace("OTHER", other);
        assert!(Stepper::new(&compile(library, &text)).unwrap().planar.is_some());
        check_bound(other, &text, (400, 5), 5);
    }
}
