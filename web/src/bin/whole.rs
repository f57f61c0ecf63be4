//! The explorer with every view: who comes to one of the rarer ones loads it, and no first visit to another does.

fn main() {
    explorer::app::start_whole();
}
