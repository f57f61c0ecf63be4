//! Gives the module a stack of 4 MB: the linker's own 1 MB bears the deepest query that is accepted with little to spare.

#[expect(
    clippy::disallowed_methods,
    reason = "a build script is told its target so"
)]
fn main() {
    let target = std::env::var("CARGO_CFG_TARGET_ARCH");
    if target.is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=4194304");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
