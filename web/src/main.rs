//! Mounts the explorer; everything it is made of is in the library.

fn main() {
    leptos::mount::mount_to_body(explorer::app::App);
}
