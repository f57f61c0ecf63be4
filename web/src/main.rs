//! Mounts the explorer; everything it is made of is in the library.

fn main() {
    explorer::app::start();
}
