//! How far to go along a direction: the library's search, as a machine for each lane that asks for the cost at one length after another.

/// The cost at a length, and its two derivatives.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    pub(super) at: f64,
    pub(super) cost: f64,
    pub(super) slope: f64,
    pub(super) bend: f64,
}

impl Point {
    /// Where the slope would be zero if the cost were quadratic.
    pub(super) fn next(&self) -> f64 {
        self.at - self.slope / self.bend
    }
}

/// What a search wants.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wants {
    /// To know the cost at this length.
    Cost(f64),
    /// Nothing: it has found this one.
    Nothing(Point),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// Steps to one side.
    #[default]
    OneSided,
    /// The first candidate within brackets, by the last step.
    ByStep,
    /// The one in the middle.
    Middle,
    /// Beyond the moved lower end.
    BeyondFirst,
    /// Beyond the moved upper end.
    BeyondSecond,
}

/// A lane's search.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineSearch {
    stage: Stage,
    evaluations: usize,
    most: usize,
    tolerance: f64,
    /// Whether steps to one side end only where something is gained.
    has_to_gain: bool,
    direction: f64,
    start: Point,
    ends: [Point; 2],
    beyond: [Point; 2],
    middle: Point,
    candidates: [Point; 3],
    has_moved_first: bool,
}

impl LineSearch {
    /// Begins, at 0 and one Newton step from there.
    pub(super) fn begin(&mut self, [start, first]: [Point; 2], tolerance: f64, most: usize, has_to_gain: bool) -> Wants {
        *self = Self {
            evaluations: 2,
            most,
            tolerance,
            has_to_gain,
            direction: if first.slope < 0.0 { 1.0 } else { -1.0 },
            start,
            ends: [first, start],
            ..Self::default()
        };
        self.go_on()
    }

    fn go_on(&mut self) -> Wants {
        let [first, _] = self.ends;
        if first.slope * self.direction <= -self.tolerance && self.evaluations < self.most {
            self.ends[1] = first;
            self.stage = Stage::OneSided;
            return Wants::Cost(first.next());
        }
        if self.evaluations >= self.most {
            return Wants::Nothing(first);
        }
        self.beyond[1] = first;
        self.stage = Stage::ByStep;
        Wants::Cost(first.next())
    }

    fn bracket(&mut self) -> Wants {
        let [first, second] = self.ends;
        if self.evaluations < self.most {
            self.stage = Stage::Middle;
            return Wants::Cost(0.5 * (first.at + second.at));
        }
        Wants::Nothing(if first.cost <= second.cost && first.cost < self.start.cost {
            first
        } else if second.cost <= first.cost && second.cost < self.start.cost {
            second
        } else {
            self.start
        })
    }

    /// Moves an end to candidates on its side that are nearer.
    fn moved(end: &mut Point, candidates: &[Point; 3]) -> bool {
        let mut has_moved = false;
        for candidate in candidates {
            let is_nearer = (end.slope < 0.0 && candidate.slope < 0.0 && end.slope < candidate.slope)
                || (end.slope > 0.0 && candidate.slope > 0.0 && end.slope > candidate.slope);
            if is_nearer {
                *end = *candidate;
                has_moved = true;
            }
        }
        has_moved
    }

    fn move_second(&mut self) -> Wants {
        if Self::moved(&mut self.ends[1], &self.candidates) {
            self.stage = Stage::BeyondSecond;
            return Wants::Cost(self.ends[1].next());
        }
        if !self.has_moved_first {
            return Wants::Nothing(self.middle);
        }
        self.bracket()
    }

    /// Takes in the cost that was asked for.
    pub(super) fn take(&mut self, point: Point) -> Wants {
        self.evaluations += 1;
        match self.stage {
            Stage::OneSided => {
                self.ends[0] = point;
                let is_level = point.slope.abs() < self.tolerance;
                if is_level && (!self.has_to_gain || point.cost < 0.0) { Wants::Nothing(point) } else { self.go_on() }
            }
            Stage::ByStep => {
                self.beyond[0] = point;
                self.bracket()
            }
            Stage::Middle => {
                self.middle = point;
                self.candidates = [self.beyond[0], self.beyond[1], point];
                let good = self.candidates.iter().filter(|candidate| candidate.slope.abs() < self.tolerance);
                let best = good.fold(None, |best: Option<&Point>, point| match best {
                    Some(best) if point.cost < best.cost => Some(point),
                    best => best.or(Some(point)),
                });
                if let Some(best) = best {
                    return Wants::Nothing(*best);
                }
                self.has_moved_first = Self::moved(&mut self.ends[0], &self.candidates);
                if self.has_moved_first {
                    self.stage = Stage::BeyondFirst;
                    return Wants::Cost(self.ends[0].next());
                }
                self.move_second()
            }
            Stage::BeyondFirst => {
                self.beyond[0] = point;
                self.move_second()
            }
            Stage::BeyondSecond => {
                self.beyond[1] = point;
                self.bracket()
            }
        }
    }
}
