//! The published server of the single-graph form, run against `federation serve`: what an agent of others gets from our data.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use rmcp::ServiceExt as _;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};

use crate::bench::{Client, snapshot, text};

const PACKAGE: &str = "mcp-proto-okn==0.6.0";

/// The installed server, where it was asked for and can be had; why not, where it cannot.
fn installed(folder: &Path) -> Result<std::path::PathBuf, String> {
    if std::env::var_os("OKN_LIVE_PEERS").is_none() {
        return Err(format!(
            "set OKN_LIVE_PEERS=1 to install {PACKAGE} and run it"
        ));
    }
    let environment = folder.join("venv");
    let run = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        output.status.success().then_some(()).ok_or(said)
    };
    run(Command::new("python3")
        .args(["-m", "venv"])
        .arg(&environment))?;
    run(Command::new(environment.join("bin/pip")).args(["install", "-q", PACKAGE]))?;
    Ok(environment.join("bin/mcp-proto-okn"))
}

#[tokio::test]
async fn the_published_server_answers_over_our_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let server = match installed(folder.path()) {
        Ok(server) => server,
        Err(why) => {
            eprintln!("SKIPPED the published server: {why}");
            assert!(!why.is_empty());
            return;
        }
    };
    let mut ours = Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"))
        .args(["federation", "serve", "--port", "0", "--snapshot"])
        .arg(snapshot())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(ours.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();

    let mut command = tokio::process::Command::new(server);
    command.args(["--endpoint", address.trim(), "--description", "our own"]);
    let client = Client(
        ().serve(TokioChildProcess::new(command).unwrap())
            .await
            .unwrap(),
    );
    let tools = client.0.list_all_tools().await.unwrap();
    for expected in [
        "get_description",
        "get_schema",
        "query",
        "lookup_uri",
        "get_descendants",
    ] {
        assert!(tools.iter().any(|tool| tool.name == expected), "{expected}");
    }
    let ask = async |tool: &str, arguments: Value| -> Value {
        let result = client.call(tool, arguments).await.unwrap();
        serde_json::from_str(&text(&result)).unwrap()
    };
    let genes = "SELECT DISTINCT ?gene WHERE { GRAPH <https://purl.org/okn/frink/kg/pankgraph> { ?gene \
                 <https://w3id.org/biolink/vocab/functional_association> <http://purl.obolibrary.org/obo/GO_0046879> } }";
    let expanded = ask("query", json!({ "query_string": genes })).await;
    assert_eq!(
        (
            &expanded["count"],
            &expanded["ontology_expansion"]["expanded"]
        ),
        (&json!(71), &json!(true))
    );
    let literal = ask(
        "query",
        json!({ "query_string": genes, "auto_expand_descendants": false }),
    )
    .await;
    assert_eq!(literal["count"], 5);
    let found = ask("lookup_uri", json!({ "label": "autoimmune disease" })).await;
    assert_eq!(
        found["matches"][0]["uri"],
        "http://purl.obolibrary.org/obo/MONDO_0007179"
    );
    let below = ask(
        "get_descendants",
        json!({ "uri": "http://purl.obolibrary.org/obo/MONDO_0007179", "max_depth": 1 }),
    )
    .await;
    assert!(below["descendant_count"].as_u64().unwrap() > 5, "{below}");

    // The collisions are that server's own: our endpoint refuses what it makes of such queries, in words that reach the agent.
    let root = "<http://purl.obolibrary.org/obo/HP_0000855>";
    let values = format!("SELECT ?pheno WHERE {{ VALUES ?pheno {{ {root} }} ?d ?p ?pheno }}");
    let broken = ask(
        "query",
        json!({ "query_string": values, "bind_expansion_to": ["pheno"] }),
    )
    .await;
    eprintln!("its rewriter, VALUES: {}", broken["error"]);
    assert!(
        broken["error"]
            .as_str()
            .unwrap()
            .starts_with("Query execution failed: ")
    );
    let bind = format!("SELECT ?phen WHERE {{ BIND({root} AS ?phen) ?d ?p ?phen }}");
    let bound = ask(
        "query",
        json!({ "query_string": bind, "bind_expansion_to": ["phen"] }),
    )
    .await;
    eprintln!("its rewriter, BIND: {}", bound["error"]);
    assert!(
        bound["error"]
            .as_str()
            .unwrap()
            .starts_with("Query execution failed: ")
    );
    ours.kill().unwrap();
    ours.wait().unwrap();
}
