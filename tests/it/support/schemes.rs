//! How classes are marked.

use referee::grade::{Reliability, Scheme, SchemeTest};

pub fn test(marks: f64) -> SchemeTest {
    SchemeTest {
        marks,
        curve: None,
        points: [0.0, 1.0],
        seats: 2,
    }
}

pub fn one_test() -> Scheme {
    Scheme {
        tests: vec![test(10.0)],
        reliability: None,
        rounding: 0.5,
        most: 10.0,
    }
}

/// Four tests and reliability, 22 marks.
pub fn course() -> Scheme {
    let mut tests: Vec<SchemeTest> = [5.0, 5.0, 4.0, 4.0].map(test).into();
    tests[1].curve = Some(vec![[0.1, 0.0], [0.5, 0.7], [0.9, 1.0]]);
    Scheme {
        tests,
        reliability: Some(Reliability {
            marks: 4.0,
            curve: vec![[0.0, 1.0], [0.1, 0.0]],
        }),
        rounding: 0.5,
        most: 22.0,
    }
}
