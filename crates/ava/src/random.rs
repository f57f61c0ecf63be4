//! Python's generator, so that a shuffle gives the same order in both languages.

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// The Mersenne Twister MT19937, seeded and drawn from as Python's `random.Random` does for whole numbers.
///
/// Matsumoto & Nishimura 1998, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random number
/// generator". Not for secrets.
///
/// ```
/// use ava::PythonRandom;
///
/// // random.Random(42).shuffle(list("abcdef"))
/// let mut letters: Vec<char> = "abcdef".chars().collect();
/// PythonRandom::new(42).shuffle(&mut letters);
/// assert_eq!(letters, ['d', 'b', 'c', 'e', 'a', 'f']);
/// ```
#[derive(Clone, Debug)]
pub struct PythonRandom {
    state: [u32; WORDS],
    next: usize,
}

impl PythonRandom {
    /// Seeded like `random.Random(seed)`.
    pub fn new(seed: u64) -> Self {
        let bytes = seed.to_le_bytes();
        let word = |from: usize| {
            let bytes = [
                bytes[from],
                bytes[from + 1],
                bytes[from + 2],
                bytes[from + 3],
            ];
            u32::from_le_bytes(bytes)
        };
        // Python takes a seed apart into words of 32 bits, without leading zeros.
        match word(4) {
            0 => Self::from_key(&[word(0)]),
            high => Self::from_key(&[word(0), high]),
        }
    }

    /// The reference implementation's seeding by an array.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places in a state of 624 words"
    )]
    fn from_key(key: &[u32]) -> Self {
        let mut state = [0_u32; WORDS];
        state[0] = 19_650_218;
        for place in 1..WORDS {
            let before = mixed(state[place - 1]);
            state[place] = before
                .wrapping_mul(1_812_433_253)
                .wrapping_add(place as u32);
        }
        let mut place = 1;
        let wrap = |state: &mut [u32; WORDS], place: &mut usize| {
            *place += 1;
            if *place == WORDS {
                state[0] = state[WORDS - 1];
                *place = 1;
            }
        };
        // Keys are shorter than the state, so the state's length is how often it turns.
        for turn in 0..WORDS {
            let index = turn % key.len();
            let before = mixed(state[place - 1]).wrapping_mul(1_664_525);
            state[place] = (state[place] ^ before)
                .wrapping_add(key[index])
                .wrapping_add(index as u32);
            wrap(&mut state, &mut place);
        }
        for _ in 1..WORDS {
            let before = mixed(state[place - 1]).wrapping_mul(1_566_083_941);
            state[place] = (state[place] ^ before).wrapping_sub(place as u32);
            wrap(&mut state, &mut place);
        }
        state[0] = 1 << 31;
        Self { state, next: WORDS }
    }

    fn refill(&mut self) {
        for place in 0..WORDS {
            let joined =
                self.state[place] & 0x8000_0000 | self.state[(place + 1) % WORDS] & 0x7FFF_FFFF;
            let twist = if joined & 1 == 1 { 0x9908_B0DF } else { 0 };
            self.state[place] = self.state[(place + MIDDLE) % WORDS] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.next == WORDS {
            self.refill();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }

    /// A number below `bound`, each as likely as any other; 0 where `bound` is 0. Draws as many bits as `bound` has until
    /// they are below it, as Python's `randrange` does.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        loop {
            let drawn = self.next_u32() >> bound.leading_zeros();
            if drawn < bound {
                return drawn;
            }
        }
    }

    /// Shuffles in place like `random.Random.shuffle`, for up to 2³² items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(bound) as usize);
        }
    }
}

fn mixed(word: u32) -> u32 {
    word ^ word >> 30
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        seed: u64,
        count: u32,
        order: Vec<u32>,
    }

    #[test]
    fn shuffles_are_python_s() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../test_data/shuffles.json")).unwrap();
        assert_eq!(cases.len(), 48);
        for Case { seed, count, order } in cases {
            let mut items: Vec<u32> = (0..count).collect();
            PythonRandom::new(seed).shuffle(&mut items);
            assert_eq!(items[..order.len()], order, "seed {seed}, {count} items");
            items.sort_unstable();
            assert!(items.into_iter().eq(0..count), "nothing lost");
        }
    }

    /// The first outputs of the authors' mt19937ar.c for `init_by_array({0x123, 0x234, 0x345, 0x456})`.
    #[test]
    fn the_generator_is_the_authors() {
        let mut random = PythonRandom::from_key(&[0x123, 0x234, 0x345, 0x456]);
        let first: Vec<u32> = (0..5).map(|_| random.next_u32()).collect();
        assert_eq!(
            first,
            [
                1_067_595_299,
                955_945_823,
                477_289_528,
                4_107_218_783,
                4_228_976_476
            ]
        );
    }

    #[test]
    fn nothing_is_below_zero_and_zero_is_below_one() {
        let mut random = PythonRandom::new(1);
        assert_eq!((random.below(0), random.below(1)), (0, 0));
        assert!((0..1000).all(|_| random.below(7) < 7));
    }
}
