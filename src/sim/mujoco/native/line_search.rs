//! Line search of the Newton solver (`PrimalSearch`), as a state machine per lane. It requests the cost at one step length after
//! another.

/// Cost at a step length, with its first two derivatives (`PrimalPnt`).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Point {
    /// Step length `alpha`.
    pub(super) at: f64,
    pub(super) cost: f64,
    /// First derivative, `deriv[0]`.
    pub(super) slope: f64,
    /// Second derivative, `deriv[1]`.
    pub(super) bend: f64,
}

impl Point {
    /// Returns the step length of a Newton step from this point.
    pub(super) fn next(&self) -> f64 {
        self.at - self.slope / self.bend
    }
}

/// Next action that a line search requests.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wants {
    /// Evaluate the cost at this step length (`PrimalEval`).
    Cost(f64),
    /// None: the search ends with this point.
    Nothing(Point),
}

/// Stage of a line search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// Newton steps to one side, until the slope changes its sign.
    #[default]
    OneSided,
    /// First candidate inside the bracket: a Newton step from the last point.
    ByStep,
    /// Second candidate: the bracket's midpoint.
    Middle,
    /// Newton step from the moved lower end.
    BeyondFirst,
    /// Newton step from the moved upper end.
    BeyondSecond,
}

/// Line search of one lane.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LineSearch {
    stage: Stage,
    evaluations: usize,
    most: usize,
    tolerance: f64,
    /// Whether a one-sided step ends the search only if it decreases the cost.
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
    /// Starts from the points at 0 and at the first Newton step.
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

    /// Moves an end to the candidates on its side with a smaller slope, as `updateBracket`.
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

    /// Takes the requested point, and returns the next request.
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
