//! The explorer with the views of AVA: who comes to one of these loads it, and no first visit to another does.

fn main() {
    explorer::app::start_whole();
}
