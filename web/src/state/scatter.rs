//! Where the names of points stand in a picture, so that none covers another or a point.

/// Height of a line of text, in units of the picture.
const LINE: f64 = 14.0;
/// Mean width of a letter.
const LETTER: f64 = 6.3;
/// How far a name keeps from a point's middle.
const RADIUS: f64 = 8.0;
/// How far from its point a name may stand, nearest first.
const DISTANCES: [f64; 10] = [
    9.0, 20.0, 34.0, 50.0, 70.0, 95.0, 125.0, 160.0, 200.0, 250.0,
];
/// In how many directions a place is looked for.
const DIRECTIONS: u32 = 24;

/// A point and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// Its name.
    pub name: String,
}

/// Where a name stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The end that is nearer to the point.
    pub x: f64,
    /// The middle of the line.
    pub y: f64,
    /// Whether the name ends there, rather than begins.
    pub is_left: bool,
    /// Whether it stands so far off that a line must lead to it.
    pub is_far: bool,
}

/// Left, top, right, bottom.
type Box4 = [f64; 4];

/// A place for every name within `width` by `height`; `None` where there is no room.
pub fn places(points: &[Point], (width, height): (f64, f64)) -> Vec<Option<Place>> {
    let dots: Vec<Box4> = points
        .iter()
        .map(|point| {
            [
                point.x - RADIUS,
                point.y - RADIUS,
                point.x + RADIUS,
                point.y + RADIUS,
            ]
        })
        .collect();
    let mut taken: Vec<Box4> = Vec::new();
    let mut places = vec![None; points.len()];
    // From the top down and from the left: the crowded corner of good models is served first.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&points[a], &points[b]);
        a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
    });
    for at in order {
        let point = &points[at];
        let length = point.name.chars().count() as f64 * LETTER;
        let found = candidates(point).find(|place| {
            let space = space(place, length);
            let [left, top, right, bottom] = space;
            left >= 0.0
                && top >= 0.0
                && right <= width
                && bottom <= height
                && !taken
                    .iter()
                    .chain(&dots)
                    .any(|other| overlap(&space, other))
        });
        if let Some(place) = found {
            taken.push(space(&place, length));
            places[at] = Some(place);
        }
    }
    places
}

/// Places around a point, the nearest first, and of those beside it before those above and below.
fn candidates(point: &Point) -> impl Iterator<Item = Place> {
    let (x, y) = (point.x, point.y);
    DISTANCES.into_iter().flat_map(move |distance| {
        (0..DIRECTIONS).map(move |step| {
            // 0, 1, -1, 2, -2, … twenty-fourths of a turn, so that level places come first.
            let sign = if step % 2 == 0 { 1.0 } else { -1.0 };
            let turn = sign * f64::from(step.div_ceil(2)) / f64::from(DIRECTIONS);
            let (sine, cosine) = (turn * std::f64::consts::TAU).sin_cos();
            Place {
                x: x + cosine * distance,
                y: y + sine * distance,
                is_left: cosine < 0.0,
                is_far: distance > DISTANCES[1],
            }
        })
    })
}

fn space(place: &Place, length: f64) -> Box4 {
    let (top, bottom) = (place.y - LINE / 2.0, place.y + LINE / 2.0);
    if place.is_left {
        [place.x - length, top, place.x, bottom]
    } else {
        [place.x, top, place.x + length, bottom]
    }
}

fn overlap(a: &Box4, b: &Box4) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64, name: &str) -> Point {
        Point {
            x,
            y,
            name: name.to_owned(),
        }
    }

    #[test]
    fn names_cover_neither_each_other_nor_a_point() {
        let points: Vec<Point> = (0..12)
            .map(|at| {
                point(
                    400.0 + f64::from(at % 4),
                    100.0 + f64::from(at / 4),
                    "all-MiniLM-L6-v2, DPO",
                )
            })
            .collect();
        let placed = places(&points, (800.0, 400.0));
        assert!(placed.iter().all(Option::is_some), "{placed:?}");
        let spaces: Vec<Box4> = placed
            .iter()
            .zip(&points)
            .map(|(place, point)| {
                space(&place.unwrap(), point.name.chars().count() as f64 * LETTER)
            })
            .collect();
        for (at, one) in spaces.iter().enumerate() {
            assert!(one[0] >= 0.0 && one[2] <= 800.0 && one[1] >= 0.0 && one[3] <= 400.0);
            assert!(spaces[at + 1..].iter().all(|other| !overlap(one, other)));
            for point in &points {
                let dot = [point.x, point.y, point.x, point.y];
                assert!(!overlap(one, &dot));
            }
        }
    }

    #[test]
    fn a_lone_name_stands_beside_its_point_and_turns_at_the_edge() {
        let alone = places(
            &[point(10.0, 50.0, "a"), point(290.0, 50.0, "model")],
            (300.0, 100.0),
        );
        let (first, last) = (alone[0].unwrap(), alone[1].unwrap());
        assert!(!first.is_left && !first.is_far);
        assert!(last.is_left && !last.is_far);
    }

    #[test]
    fn a_name_without_room_has_no_place() {
        assert_eq!(
            places(&[point(5.0, 5.0, "a long name")], (20.0, 10.0)),
            [None]
        );
    }
}
