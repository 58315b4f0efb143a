//! Assignment of agents to targets with the smallest sum of costs.
//!
//! Source: D. F. Crouse, "On Implementing 2D Rectangular Assignment Algorithms" (2016), with the choices among equal costs of
//! scipy's `linear_sum_assignment`.

const NONE: usize = usize::MAX;

/// Returns the target of each agent, for a square matrix of costs with a row for each agent; `None` if costs are not finite, or
/// so large that sums of them are not.
pub fn assign(costs: &[f64], count: usize) -> Option<Vec<usize>> {
    let mut target_of = vec![NONE; count];
    let mut agent_of = vec![NONE; count];
    let (mut agent_prices, mut target_prices) = (vec![0.0; count], vec![0.0; count]);
    let (mut reached_from, mut shortest) = (vec![NONE; count], vec![f64::INFINITY; count]);
    let (mut is_row_seen, mut is_column_seen) = (vec![false; count], vec![false; count]);
    let mut remaining = Vec::with_capacity(count);
    for start in 0..count {
        remaining.clear();
        remaining.extend((0..count).rev());
        shortest.fill(f64::INFINITY);
        is_row_seen.fill(false);
        is_column_seen.fill(false);
        let (mut agent, mut least) = (start, 0.0);
        let free = loop {
            is_row_seen[agent] = true;
            let (mut next, mut lowest) = (0, f64::INFINITY);
            for (place, target) in remaining.iter().enumerate() {
                let cost = least + costs[agent * count + target] - agent_prices[agent] - target_prices[*target];
                if cost < shortest[*target] {
                    (reached_from[*target], shortest[*target]) = (agent, cost);
                }
                let reached = shortest[*target];
                if reached < lowest || (reached == lowest && agent_of[*target] == NONE) {
                    (next, lowest) = (place, reached);
                }
            }
            if lowest == f64::INFINITY {
                return None;
            }
            least = lowest;
            let target = remaining.swap_remove(next);
            is_column_seen[target] = true;
            match agent_of[target] {
                NONE => break target,
                other => agent = other,
            }
        };
        agent_prices[start] += least;
        for other in (0..count).filter(|other| is_row_seen[*other] && *other != start) {
            agent_prices[other] += least - shortest[target_of[other]];
        }
        for target in (0..count).filter(|target| is_column_seen[*target]) {
            target_prices[target] -= least - shortest[target];
        }
        let mut target = free;
        loop {
            let agent = reached_from[target];
            agent_of[target] = agent;
            target = std::mem::replace(&mut target_of[agent], target);
            if agent == start {
                break;
            }
        }
    }
    Some(target_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_costs_is_the_smallest() {
        assert_eq!(assign(&[4.0, 1.0, 3.0, 2.0, 0.0, 5.0, 3.0, 2.0, 2.0], 3), Some(vec![1, 0, 2]));
        assert_eq!(assign(&[1.0; 9], 3), Some(vec![0, 1, 2]));
        assert_eq!(assign(&[7.0], 1), Some(vec![0]));
    }

    #[test]
    fn costs_that_are_not_finite_end_the_search() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(assign(&[bad; 9], 3), None);
            assert_eq!(assign(&[1.0, 2.0, bad, 3.0, 1.0, bad, 2.0, 2.0, bad], 3), None);
        }
        assert_eq!(assign(&[1.0, f64::NAN, f64::NAN, 1.0], 2), Some(vec![0, 1]));
        assert!(assign(&[f64::MAX; 16], 4).is_none_or(|targets| targets.len() == 4));
    }
}
