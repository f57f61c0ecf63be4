//! The Python client of the protocol as the agent, against each fault: what agents are most often made of.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::faults::{IN_CONNECTIONS, IN_REPLIES, probe};
use crate::process::{Bench, Way, program};

/// A Python with the package `mcp`, where it was asked for and can be had; why not, where it cannot.
fn python(folder: &Path) -> Result<PathBuf, String> {
    if std::env::var_os("OKN_LIVE_PEERS").is_none() {
        return Err("set OKN_LIVE_PEERS=1 to install the package mcp and run it".to_owned());
    }
    let environment = folder.join("venv");
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        output.status.success().then_some(()).ok_or(said)
    };
    run(
        Path::new("python3"),
        &["-m", "venv", &environment.display().to_string()],
    )?;
    run(&environment.join("bin/pip"), &["install", "-q", "mcp"])?;
    Ok(environment.join("bin/python"))
}

#[tokio::test]
async fn the_client_of_a_live_peer_sees_the_tools_and_submits_whatever_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let python = match python(folder.path()) {
        Ok(python) => python,
        Err(why) => {
            println!("SKIPPED: the Python client: {why}");
            assert!(!why.is_empty());
            return;
        }
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proxy/client.py");
    let by_command = IN_REPLIES
        .iter()
        .chain(&["hang", "exit"])
        .map(|fault| (*fault, Way::Command));
    let by_http = IN_CONNECTIONS.iter().map(|fault| (*fault, Way::Http));
    for (fault, way) in by_command.chain(by_http) {
        let bench = Bench::new(way, &["--fault", fault]).await;
        let (tool, arguments) = probe(fault);
        let output = Command::new(&python)
            .arg(&script)
            .arg(program())
            .args([bench.profile(), bench.out("")])
            .args([tool, &arguments.to_string()])
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{fault}: {errors}");
        let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
        println!("{fault} {way:?}: {}", seen["calls"]);
        let tools: Vec<&str> = seen["tools"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(
            tools.iter().filter(|tool| **tool == "submit_csv").count(),
            1,
            "{fault}: {tools:?}"
        );
        assert!(tools.len() <= 14, "{fault}: {tools:?}");
        assert!(
            seen["submitted"]
                .as_str()
                .unwrap()
                .contains("1 row of 1 column"),
            "{fault}: {seen}"
        );
        assert_eq!(bench.calls().len(), 3, "{fault}");
    }
}
