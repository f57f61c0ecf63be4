//! The public conformance suite of the protocol (npm `@modelcontextprotocol/conformance`): its scenarios for clients, the
//! proxy being the client.

use std::path::Path;
use std::process::Command;

use crate::process::program;

/// The last version that runs on the Node of Debian's stable release.
const SUITE: &str = "@modelcontextprotocol/conformance@0.1.13";

/// The scenarios for clients that the proxy passes. That of a resource which is not the server's wants the client to go no
/// further than the server's refusal, and the proxy does not.
const PASSES: [&str; 5] = [
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "auth/resource-mismatch",
];

/// Known gaps, all for one reason: they drive a browser-like OAuth flow, and the proxy has none. A token is the operator's to
/// get, and comes to the server by `[upstream.headers]`.
const NO_OAUTH: [&str; 18] = [
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
    "auth/2025-03-26-oauth-metadata-backcompat",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
];

fn install(folder: &Path) -> Result<(), String> {
    if std::env::var_os("OKN_LIVE_PEERS").is_none() {
        return Err("set OKN_LIVE_PEERS=1 to install the conformance suite and run it".to_owned());
    }
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", SUITE])
        .current_dir(folder)
        .output()
        .map_err(|error| format!("npm: {error}"))?;
    output
        .status
        .success()
        .then_some(())
        .ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Every scenario that the suite has for clients.
fn scenarios(folder: &Path) -> Vec<String> {
    let output = Command::new("npx")
        .args(["conformance", "list"])
        .current_dir(folder)
        .output()
        .unwrap();
    let listed = String::from_utf8(output.stdout).unwrap();
    let (_, clients) = listed.split_once("Client scenarios").unwrap();
    let names = clients.lines().filter_map(|line| line.strip_prefix("  - "));
    names.map(str::to_owned).collect()
}

fn run(folder: &Path, scenario: &str) -> (bool, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proxy/conformance.py");
    let agent = format!("python3 {} {}", script.display(), program().display());
    let output = Command::new("npx")
        .args([
            "conformance",
            "client",
            "--command",
            &agent,
            "--scenario",
            scenario,
        ])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn the_scenarios_for_clients_of_a_live_peer() {
    let folder = tempfile::tempdir().unwrap();
    if let Err(why) = install(folder.path()) {
        println!("SKIPPED: the conformance suite: {why}");
        assert!(!why.is_empty());
        return;
    }
    let mut known: Vec<&str> = PASSES.into_iter().chain(NO_OAUTH).collect();
    let mut listed = scenarios(folder.path());
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, known);
    for scenario in PASSES {
        let (passed, said) = run(folder.path(), scenario);
        assert!(passed, "{scenario}: {said}");
    }
    for scenario in NO_OAUTH {
        let (passed, said) = run(folder.path(), scenario);
        assert!(
            !passed,
            "{scenario} passes now, and is a gap no more: {said}"
        );
    }
}
