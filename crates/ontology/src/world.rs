//! A small world in which an ontology's axioms hold, made to see what does not follow from them.

use crate::closure::next;
use crate::logic::{EVERYTHING, Expression, NONE, Node, Role};
use crate::names::Term;
use crate::rules::{Rules, back};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::sync::Arc;

/// A thing of a world.
pub(crate) type Thing = u32;

/// Where things are shared by all that need one like it.
const SHARED: u8 = u8::MAX;
/// Memberships, and four times the joints, of the largest world that is made: some gigabytes.
const LARGEST: usize = 60_000_000;
/// Steps that may be taken for a world, and more for each class and property that it is of. A large ontology of plain
/// hierarchies takes twenty each; a small one that takes these is knit too tightly to come to an end soon.
const STEPS: usize = 10_000_000;
const STEPS_EACH: usize = 100_000;
/// Steps that may be taken to answer one question.
const STEPS_TO_ANSWER: usize = 5_000_000;

#[derive(Default)]
struct Being {
    members: Vec<Node>,
    /// The axioms leave no room for it, as far as was looked.
    is_impossible: bool,
    /// For how many it stands.
    copies: u32,
    /// How many steps from a thing that was asked for.
    depth: u8,
    layer: u8,
    /// Universal restrictions and upper bounds that it is under.
    only: Vec<Node>,
    most: Vec<Node>,
    /// Things that are this one under another number.
    same: Vec<Thing>,
    /// Things that cannot be without this one.
    needed_by: Vec<Thing>,
    /// The roles over which it is joined to something.
    roles: Vec<Role>,
}

enum Fact {
    In(Thing, Node),
    Joined(Thing, Term, Thing),
    Same(Thing, Thing),
    Impossible(Thing),
}

/// What is taken back when a question has been answered.
enum Step {
    Thing,
    In(Thing, Node),
    Joined(Thing, Term, Thing),
    Role(Thing),
    Only(Thing),
    Most(Thing),
    Same(Thing),
    NeededBy(Thing),
    Impossible(Thing),
    Group(Thing, u32),
    Fetched(Key),
    Opened(Thing, Node),
}

/// What a thing that is needed is like: whose it is, how it is joined, what it is in, for how many it stands, its layer.
type Key = (Option<Thing>, Role, Node, u32, u8);

/// Things, what they are in and how they are joined. Whatever an axiom asks for is there, so what is false in it does not
/// follow.
///
/// Things are shared: what has some of a class by a property has the same one as all others. Where one of several would do
/// (a union), or a thing must not meet a definition by accident, a choice is made; each choice leads to a world. A thing for
/// which the axioms then leave no room is marked, and with it all that need it; of these the world says nothing.
pub(crate) struct World {
    rules: Arc<Rules>,
    beings: Vec<Being>,
    has: FxHashSet<u64>,
    joined: FxHashSet<(Thing, Term, Thing)>,
    adjacent: FxHashMap<(Thing, Role), Vec<Thing>>,
    of_group: FxHashMap<(Thing, u32), Node>,
    fetched: FxHashMap<Key, Thing>,
    opened: FxHashSet<(Thing, Node)>,
    queue: Vec<Fact>,
    /// Unions of which it is not decided which member a thing is in.
    undecided: Vec<(Thing, Node)>,
    changed: FxHashSet<Thing>,
    log: Option<Vec<Step>>,
    of_class: FxHashMap<Node, Thing>,
    of_property: FxHashMap<Term, (Thing, Thing)>,
    takes_last: bool,
    has_chosen: bool,
    is_overrun: bool,
    /// Steps that may still be taken: facts that are looked at, and joints on the way.
    left: Cell<usize>,
}

impl World {
    /// A world with a member of every class, and two things joined by every property. Of several choices the first is taken, or
    /// the last.
    pub(crate) fn new(
        rules: Arc<Rules>,
        classes: impl Iterator<Item = Node>,
        properties: impl Iterator<Item = Term>,
        takes_last: bool,
    ) -> Self {
        let mut world = Self {
            rules,
            beings: Vec::new(),
            has: FxHashSet::default(),
            joined: FxHashSet::default(),
            adjacent: FxHashMap::default(),
            of_group: FxHashMap::default(),
            fetched: FxHashMap::default(),
            opened: FxHashSet::default(),
            queue: Vec::new(),
            undecided: Vec::new(),
            changed: FxHashSet::default(),
            log: None,
            of_class: FxHashMap::default(),
            of_property: FxHashMap::default(),
            takes_last,
            has_chosen: false,
            is_overrun: false,
            left: Cell::new(STEPS),
        };
        for class in classes {
            if !world.of_class.contains_key(&class) {
                let thing = world.create(0, 0, 1);
                world.add(thing, class);
                world.of_class.insert(class, thing);
            }
        }
        for property in properties {
            let pair = world.pair(property);
            world.of_property.insert(property, pair);
        }
        let terms = world.of_class.len() + world.of_property.len();
        let steps = terms.saturating_mul(STEPS_EACH).saturating_add(STEPS);
        world.left.set(steps);
        world.settle();
        world
    }

    /// Whether another choice would have led to another world.
    pub(crate) fn has_chosen(&self) -> bool {
        self.has_chosen
    }

    /// Whether it became too large, or took too many steps, to be made, so that it says nothing.
    pub(crate) fn is_overrun(&self) -> bool {
        self.is_overrun
    }

    /// The member of a class that stands for any; `None` where there can be none.
    pub(crate) fn member(&self, class: Node) -> Option<Thing> {
        let thing = self.of_class.get(&class).copied();
        thing.filter(|thing| self.is_possible(*thing))
    }

    /// The two things that a property joins, and that stand for any; `None` where there can be none.
    pub(crate) fn joined_by(&self, property: Term) -> Option<(Thing, Thing)> {
        let pair = self.of_property.get(&property).copied();
        pair.filter(|(a, b)| self.is_possible(*a) && self.is_possible(*b))
    }

    pub(crate) fn is_in(&self, thing: Thing, class: Node) -> bool {
        self.has.contains(&key(thing, class))
    }

    /// Whether a role joins two things; over several steps, as far as one leads.
    pub(crate) fn is_joined(&self, a: Thing, role: Role, b: Thing) -> bool {
        self.reached(a, role).contains(&b)
    }

    /// Whether a thing is joined by a role to one of a class.
    pub(crate) fn has_some(&self, thing: Thing, role: Role, class: Node) -> bool {
        let reached = self.reached(thing, role);
        reached.into_iter().any(|thing| self.is_in(thing, class))
    }

    /// Whether there can be something that is in two classes at once.
    pub(crate) fn can_share(&mut self, a: Node, b: Node) -> bool {
        self.ask(|world| {
            let thing = world.create(0, 0, 1);
            world.add(thing, a);
            world.add(thing, b);
            world.settle();
            world.is_possible(thing) && !world.is_overrun
        })
    }

    /// Whether something of a class can be joined by a property to a thing outside of another class.
    pub(crate) fn can_lead_out(&mut self, class: Node, property: Term, outside: Node) -> bool {
        self.ask(|world| {
            let (from, to) = world.pair(property);
            world.add(from, class);
            world.settle();
            world.is_possible(from) && !world.is_overrun && !world.is_in(to, outside)
        })
    }

    /// Answers a question about things that are there for the question only.
    fn ask(&mut self, question: impl FnOnce(&mut Self) -> bool) -> bool {
        let was_overrun = self.is_overrun;
        self.left.set(STEPS_TO_ANSWER);
        self.log = Some(Vec::new());
        let answer = question(self);
        self.queue.clear();
        self.undecided.clear();
        self.changed.clear();
        for step in self.log.take().unwrap_or_default().into_iter().rev() {
            self.take_back(&step);
        }
        self.is_overrun = was_overrun;
        answer
    }

    fn take_back(&mut self, step: &Step) {
        match *step {
            Step::Thing => {
                self.beings.pop();
            }
            Step::In(thing, node) => {
                self.has.remove(&key(thing, node));
                if let Some(being) = self.beings.get_mut(thing as usize) {
                    being.members.pop();
                }
            }
            Step::Joined(a, property, b) => {
                self.joined.remove(&(a, property, b));
                for at in [(a, (property, true)), (b, (property, false))] {
                    if let Some(adjacent) = self.adjacent.get_mut(&at) {
                        adjacent.pop();
                    }
                }
            }
            Step::Fetched(key) => {
                self.fetched.remove(&key);
            }
            Step::Opened(thing, node) => {
                self.opened.remove(&(thing, node));
            }
            Step::Group(thing, group) => {
                self.of_group.remove(&(thing, group));
            }
            Step::Role(thing)
            | Step::Only(thing)
            | Step::Most(thing)
            | Step::Same(thing)
            | Step::NeededBy(thing)
            | Step::Impossible(thing) => {
                let Some(being) = self.beings.get_mut(thing as usize) else {
                    return;
                };
                match step {
                    Step::Role(_) => drop(being.roles.pop()),
                    Step::Only(_) => drop(being.only.pop()),
                    Step::Most(_) => drop(being.most.pop()),
                    Step::Same(_) => drop(being.same.pop()),
                    Step::NeededBy(_) => drop(being.needed_by.pop()),
                    _ => being.is_impossible = false,
                }
            }
        }
    }

    fn note(&mut self, step: Step) {
        if let Some(log) = &mut self.log {
            log.push(step);
        }
    }

    fn being(&self, thing: Thing) -> &Being {
        &self.beings[thing as usize]
    }

    fn being_mut(&mut self, thing: Thing) -> &mut Being {
        &mut self.beings[thing as usize]
    }

    fn is_possible(&self, thing: Thing) -> bool {
        !self.being(thing).is_impossible
    }

    fn create(&mut self, depth: u8, layer: u8, copies: u32) -> Thing {
        let thing = Thing::try_from(self.beings.len()).unwrap_or(Thing::MAX);
        self.beings.push(Being {
            copies,
            depth,
            layer,
            ..Being::default()
        });
        self.note(Step::Thing);
        self.add(thing, EVERYTHING);
        let rules = Arc::clone(&self.rules);
        for role in &rules.reflexive {
            self.join(thing, *role, thing);
        }
        thing
    }

    /// Two things that a property joins.
    fn pair(&mut self, property: Term) -> (Thing, Thing) {
        let (from, to) = (self.create(0, 0, 1), self.create(0, 1, 1));
        self.join(from, (property, true), to);
        self.need(from, to);
        self.need(to, from);
        (from, to)
    }

    fn add(&mut self, thing: Thing, node: Node) {
        if self.has.insert(key(thing, node)) {
            self.being_mut(thing).members.push(node);
            self.note(Step::In(thing, node));
            self.queue.push(Fact::In(thing, node));
        }
    }

    fn join(&mut self, a: Thing, (property, forward): Role, b: Thing) {
        let (a, b) = if forward { (a, b) } else { (b, a) };
        if !self.joined.insert((a, property, b)) {
            return;
        }
        for (thing, role, other) in [(a, (property, true), b), (b, (property, false), a)] {
            let adjacent = self.adjacent.entry((thing, role)).or_default();
            adjacent.push(other);
            if !self.being(thing).roles.contains(&role) {
                self.being_mut(thing).roles.push(role);
                self.note(Step::Role(thing));
            }
        }
        self.note(Step::Joined(a, property, b));
        self.queue.push(Fact::Joined(a, property, b));
    }

    fn equate(&mut self, a: Thing, b: Thing) {
        if a == b || self.being(a).same.contains(&b) {
            return;
        }
        for (a, b) in [(a, b), (b, a)] {
            self.being_mut(a).same.push(b);
            self.note(Step::Same(a));
        }
        self.queue.push(Fact::Same(a, b));
    }

    fn rule_out(&mut self, thing: Thing) {
        if self.is_possible(thing) {
            self.being_mut(thing).is_impossible = true;
            self.note(Step::Impossible(thing));
            self.queue.push(Fact::Impossible(thing));
        }
    }

    /// Says that one thing cannot be without another.
    fn need(&mut self, thing: Thing, other: Thing) {
        self.being_mut(other).needed_by.push(thing);
        self.note(Step::NeededBy(other));
        if !self.is_possible(other) {
            self.rule_out(thing);
        }
    }

    fn spend(&self, steps: usize) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// Where a role leads in one step.
    fn successors(&self, thing: Thing, role: Role) -> Vec<Thing> {
        let below = next(&self.rules.below, role);
        let mut successors = Vec::new();
        for below in below {
            successors.extend(next(&self.adjacent, (thing, *below)));
        }
        self.spend(successors.len());
        if below.len() > 1 {
            successors.sort_unstable();
            successors.dedup();
        }
        successors
    }

    /// Where a role leads; several steps of a transitive one are one.
    fn reached(&self, thing: Thing, role: Role) -> Vec<Thing> {
        let mut reached = self.successors(thing, role);
        for along in next(&self.rules.transitive_below, role) {
            let mut seen: FxHashSet<Thing> = FxHashSet::default();
            let mut waiting = self.successors(thing, *along);
            while let Some(at) = waiting.pop() {
                if seen.insert(at) {
                    reached.push(at);
                    waiting.extend(self.successors(at, *along));
                }
            }
        }
        reached
    }

    /// Draws every conclusion and makes every choice.
    fn settle(&mut self) {
        let rules = Arc::clone(&self.rules);
        loop {
            self.conclude(&rules);
            if self.is_overrun {
                return;
            }
            let undecided = std::mem::take(&mut self.undecided);
            if !undecided.is_empty() {
                for (thing, node) in undecided {
                    self.decide(&rules, thing, node);
                }
                continue;
            }
            let mut changed: Vec<Thing> = std::mem::take(&mut self.changed).into_iter().collect();
            if changed.is_empty() {
                return;
            }
            changed.sort_unstable();
            for thing in changed {
                self.spend(rules.closing.len());
                for closing in &rules.closing {
                    if self.is_open(&rules, thing, closing.node, &closing.guard) {
                        self.close(&rules, thing, closing.node);
                        self.conclude(&rules);
                        if self.is_overrun {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Puts a thing into a member of a union, into the likeliest where it is in none yet.
    fn decide(&mut self, rules: &Rules, thing: Thing, node: Node) {
        let Expression::Any(members) = rules.expression(node) else {
            return;
        };
        let is_in = members.iter().any(|member| self.is_in(thing, *member));
        if is_in || !self.is_possible(thing) {
            return;
        }
        self.has_chosen |= members.len() > 1;
        let mut order: Vec<Node> = members.clone();
        if self.takes_last {
            order.reverse();
        }
        let fits = order
            .iter()
            .find(|member| !self.clashes(rules, thing, **member));
        match fits.or(order.first()) {
            Some(member) => self.add(thing, *member),
            None => self.rule_out(thing),
        }
        self.conclude(rules);
    }

    /// Whether what is known of a class leaves no room in it for a thing.
    fn clashes(&self, rules: &Rules, thing: Thing, class: Node) -> bool {
        let Some(other) = self.of_class.get(&class) else {
            let expression = rules.expression(class);
            return class == NONE || matches!(expression, Expression::Tied | Expression::Unread);
        };
        let other = self.being(*other);
        let apart = |class: &Node| {
            let apart = next(&rules.apart, *class).iter();
            let nots = next(&rules.nots, *class).iter();
            let mut apart = apart.chain(nots);
            let is_apart = apart.any(|apart| self.is_in(thing, *apart));
            let mut groups = next(&rules.groups, *class).iter();
            is_apart
                || groups.any(|group| {
                    let known = self.of_group.get(&(thing, *group));
                    known.is_some_and(|known| known != class)
                })
        };
        other.is_impossible || other.members.iter().any(apart)
    }

    /// Whether a thing is in a class without being put there.
    fn is_open(&self, rules: &Rules, thing: Thing, node: Node, guard: &[Node]) -> bool {
        if self.is_in(thing, node)
            || !self.is_possible(thing)
            || !guard.iter().all(|guard| self.is_in(thing, *guard))
        {
            return false;
        }
        let successors = |role: Role| {
            let all = self.successors(thing, role).into_iter();
            all.filter(|other| self.is_possible(*other))
        };
        match rules.expression(node) {
            Expression::Not(inner) => !self.is_in(thing, *inner),
            Expression::Only(role, filler) => {
                rules.is_free(*filler) || successors(*role).all(|other| self.is_in(other, *filler))
            }
            Expression::AtMost(most, role, filler) => {
                let counted = successors(*role).filter(|other| self.is_in(*other, *filler));
                self.count(&counted.collect::<Vec<_>>()) <= u64::from(*most)
            }
            _ => false,
        }
    }

    /// Makes true that a thing is in a class, or gives it what keeps it out.
    fn close(&mut self, rules: &Rules, thing: Thing, node: Node) {
        if let Expression::Only(role, _) = rules.expression(node)
            && self.opened.insert((thing, node))
        {
            // Nothing says that it has nothing else.
            self.note(Step::Opened(thing, node));
            let owner = (self.being(thing).depth == 0).then_some(thing);
            let other = self.fetch((owner, *role, node, 0, self.next_layer(thing)));
            self.join(thing, *role, other);
            // Where others share what it was given, nothing new is said of that, and nothing leads back here.
            self.changed.insert(thing);
            return;
        }
        self.add(thing, node);
    }

    fn next_layer(&self, thing: Thing) -> u8 {
        if self.rules.layered {
            self.being(thing).layer % 3 + 1
        } else {
            0
        }
    }

    /// The thing of a kind, a new one where there is none yet. One that stands for none is in no class.
    fn fetch(&mut self, key: Key) -> Thing {
        if let Some(known) = self.fetched.get(&key) {
            return *known;
        }
        let (owner, _, filler, copies, layer) = key;
        let depth = match owner {
            Some(owner) => self.being(owner).depth.saturating_add(1),
            None => SHARED,
        };
        let thing = self.create(depth, layer, copies.max(1));
        if copies > 0 {
            self.add(thing, filler);
        }
        self.fetched.insert(key, thing);
        self.note(Step::Fetched(key));
        thing
    }

    /// Gives a thing what it needs.
    fn give(&mut self, rules: &Rules, thing: Thing, role: Role, filler: Node, copies: u32) {
        let depth = self.being(thing).depth;
        let is_own = depth == 0 && rules.bounded.contains(&role)
            || depth < 3 && rules.from_one.contains(&role);
        let owner = is_own.then_some(thing);
        let other = self.fetch((owner, role, filler, copies, self.next_layer(thing)));
        self.join(thing, role, other);
        self.need(thing, other);
    }

    fn conclude(&mut self, rules: &Rules) {
        while let Some(fact) = self.queue.pop() {
            self.spend(1);
            if self.left.get() == 0 || self.has.len() + 4 * self.joined.len() > LARGEST {
                self.is_overrun = true;
                self.queue.clear();
                return;
            }
            match fact {
                Fact::In(thing, node) => self.conclude_in(rules, thing, node),
                Fact::Joined(a, property, b) => {
                    for other in self.being(a).same.clone() {
                        self.join(other, (property, true), b);
                    }
                    for other in self.being(b).same.clone() {
                        self.join(a, (property, true), other);
                    }
                    for role in next(&rules.above, (property, true)) {
                        self.conclude_joined(rules, a, *role, b);
                    }
                    for role in next(&rules.above, (property, false)) {
                        self.conclude_joined(rules, b, *role, a);
                    }
                }
                Fact::Same(a, b) => {
                    for (a, b) in [(a, b), (b, a)] {
                        self.recount(rules, a);
                        for node in self.being(a).members.clone() {
                            self.add(b, node);
                        }
                        for role in self.being(a).roles.clone() {
                            for other in next(&self.adjacent, (a, role)).to_vec() {
                                self.join(b, role, other);
                            }
                        }
                        if !self.is_possible(a) {
                            self.rule_out(b);
                        }
                    }
                }
                Fact::Impossible(thing) => {
                    self.recount(rules, thing);
                    let being = self.being(thing);
                    for other in [being.needed_by.clone(), being.same.clone()].concat() {
                        self.rule_out(other);
                    }
                }
            }
        }
    }

    /// What a thing was counted for may be one fewer now.
    fn recount(&mut self, rules: &Rules, thing: Thing) {
        for role in rules.closing_over.values().flatten() {
            self.changed.extend(self.successors(thing, back(*role)));
        }
    }

    fn conclude_in(&mut self, rules: &Rules, thing: Thing, node: Node) {
        if !rules.closing.is_empty() {
            self.changed.insert(thing);
            for role in next(&rules.closing_over, node) {
                self.changed.extend(self.successors(thing, back(*role)));
            }
        }
        for other in self.being(thing).same.clone() {
            self.add(other, node);
        }
        for above in next(&rules.up, node) {
            self.add(thing, *above);
        }
        match rules.expression(node) {
            Expression::All(members) if rules.is_required(node) => {
                for member in members {
                    self.add(thing, *member);
                }
            }
            Expression::Any(_) if rules.is_required(node) => self.undecided.push((thing, node)),
            Expression::Some(role, filler) if rules.is_required(node) => {
                self.give(rules, thing, *role, *filler, 1);
            }
            // How many values a datatype has is not looked at.
            Expression::AtLeast(_, _, filler)
                if rules.is_required(node) && *rules.expression(*filler) == Expression::Range =>
            {
                self.rule_out(thing);
            }
            Expression::AtLeast(count, role, filler) if rules.is_required(node) => {
                self.give(rules, thing, *role, *filler, *count);
            }
            Expression::Only(role, filler) => {
                self.being_mut(thing).only.push(node);
                self.note(Step::Only(thing));
                for along in next(&rules.only_along, node) {
                    self.add(thing, *along);
                }
                for other in self.successors(thing, *role) {
                    self.bind(rules, node, *role, *filler, other);
                }
            }
            Expression::AtMost(..) => {
                self.being_mut(thing).most.push(node);
                self.note(Step::Most(thing));
                self.limit(rules, thing, node);
            }
            Expression::Not(inner) if self.is_in(thing, *inner) => self.rule_out(thing),
            Expression::Itself(role) if rules.is_required(node) => self.join(thing, *role, thing),
            Expression::Tied | Expression::Unread => self.rule_out(thing),
            Expression::Range => {
                // Whether two datatypes share a value is not looked at.
                let mut members = self.being(thing).members.iter();
                let is_range = |other: &Node| *rules.expression(*other) == Expression::Range;
                if members.any(|other| *other != node && is_range(other)) {
                    self.rule_out(thing);
                }
            }
            _ => {}
        }
        if node == NONE {
            self.rule_out(thing);
        }
        let apart = next(&rules.apart, node).iter();
        let mut apart = apart.chain(next(&rules.nots, node));
        if apart.any(|other| self.is_in(thing, *other)) {
            self.rule_out(thing);
        }
        for group in next(&rules.groups, node) {
            match self.of_group.get(&(thing, *group)) {
                Some(known) if *known != node => self.rule_out(thing),
                Some(_) => {}
                None => {
                    self.of_group.insert((thing, *group), node);
                    self.note(Step::Group(thing, *group));
                }
            }
        }
        for whole in next(&rules.all_with, node) {
            let Expression::All(members) = rules.expression(*whole) else {
                continue;
            };
            let mut members = members.iter();
            if members.all(|member| rules.is_free(*member) || self.is_in(thing, *member)) {
                self.add(thing, *whole);
            }
        }
        for union in next(&rules.any_with, node) {
            self.add(thing, *union);
        }
        for (role, restriction) in next(&rules.some_with, node) {
            for other in self.successors(thing, back(*role)) {
                self.add(other, *restriction);
            }
        }
        for (role, bound) in next(&rules.most_with, node) {
            for other in self.successors(thing, back(*role)) {
                if self.is_in(other, *bound) {
                    self.limit(rules, other, *bound);
                }
            }
        }
    }

    fn conclude_joined(&mut self, rules: &Rules, a: Thing, role: Role, b: Thing) {
        for class in next(&rules.domains, role) {
            self.add(a, *class);
        }
        let restrictions = next(&rules.some_by, role);
        if restrictions.len() <= self.being(b).members.len() {
            for (filler, restriction) in restrictions {
                if self.is_in(b, *filler) {
                    self.add(a, *restriction);
                }
            }
        } else {
            for node in self.being(b).members.clone() {
                for (by, restriction) in next(&rules.some_with, node) {
                    if *by == role {
                        self.add(a, *restriction);
                    }
                }
            }
        }
        for node in self.being(a).only.clone() {
            if let Expression::Only(by, filler) = rules.expression(node)
                && *by == role
            {
                self.bind(rules, node, role, *filler, b);
            }
        }
        for node in self.being(a).most.clone() {
            if matches!(rules.expression(node), Expression::AtMost(_, by, _) if *by == role) {
                self.limit(rules, a, node);
            }
        }
        if rules.functional.contains(&role) {
            let all = self.successors(a, role);
            self.reduce(a, &all, 1);
        }
        if a == b {
            for node in next(&rules.itself_by, role) {
                self.add(a, *node);
            }
        }
        let is_clash = rules.bottom.contains(&role)
            || a == b && rules.irreflexive.contains(&role)
            || rules.asymmetric.contains(&role) && self.successors(b, role).contains(&a)
            || next(&rules.disjoint, role)
                .iter()
                .any(|other| self.successors(a, *other).contains(&b));
        if is_clash {
            self.rule_out(a);
            self.rule_out(b);
        }
        for (second, above) in next(&rules.chains_by_first, role) {
            for other in self.successors(b, *second) {
                self.join(a, *above, other);
            }
        }
        for (first, above) in next(&rules.chains_by_second, role) {
            for other in self.successors(a, back(*first)) {
                self.join(other, *above, b);
            }
        }
    }

    /// Puts what a universal restriction speaks of where it says.
    fn bind(&mut self, rules: &Rules, node: Node, role: Role, filler: Node, thing: Thing) {
        self.add(thing, filler);
        if rules.transitive.contains(&role) {
            self.add(thing, node);
        }
    }

    /// Keeps to an upper bound.
    fn limit(&mut self, rules: &Rules, thing: Thing, node: Node) {
        if let Expression::AtMost(most, role, filler) = rules.expression(node) {
            let mut counted = self.successors(thing, *role);
            counted.retain(|other| self.is_in(*other, *filler));
            self.reduce(thing, &counted, *most);
        }
    }

    /// For how many several things stand; those that are one under several numbers once.
    fn count(&self, things: &[Thing]) -> u64 {
        let copies = |thing: &Thing| u64::from(self.being(*thing).copies);
        if things
            .iter()
            .all(|thing| self.being(*thing).same.is_empty())
        {
            return things.iter().map(copies).sum();
        }
        let counted: FxHashSet<Thing> = things.iter().copied().collect();
        let mut seen: FxHashSet<Thing> = FxHashSet::default();
        let mut count = 0;
        for thing in things {
            let (mut most, mut waiting) = (0, vec![*thing]);
            while let Some(same) = waiting.pop() {
                if seen.insert(same) {
                    if counted.contains(&same) {
                        most = most.max(copies(&same));
                    }
                    self.spend(self.being(same).same.len());
                    waiting.extend(&self.being(same).same);
                }
            }
            count += most;
        }
        count
    }

    /// Makes several things so few: one, where there are too many.
    fn reduce(&mut self, thing: Thing, counted: &[Thing], most: u32) {
        if self.count(counted) <= u64::from(most) {
            return;
        }
        let copies = counted.iter().map(|other| self.being(*other).copies);
        if copies.max().unwrap_or_default() > most {
            self.rule_out(thing);
            return;
        }
        for pair in counted.windows(2) {
            self.equate(pair[0], pair[1]);
        }
    }
}

fn key(thing: Thing, node: Node) -> u64 {
    u64::from(thing) << 32 | u64::from(node)
}
