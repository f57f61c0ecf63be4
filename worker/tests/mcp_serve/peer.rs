//! The published server of the single-graph form, run against `federation serve`: what an agent of others gets from our data.

use std::path::Path;
use std::process::{Command, Stdio};

use rmcp::ServiceExt as _;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::bench::{Client, snapshot, text};

const PACKAGE: &str = "mcp-proto-okn==0.6.0";
/// The last of the libraries that it was written for: it asks for any, and does not start with 2.0.
const LIBRARY: &str = "mcp<2";

/// A Python with the server installed, where it was asked for and can be had; why not, where it cannot.
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
    run(Command::new(environment.join("bin/pip")).args(["install", "-q", PACKAGE, LIBRARY]))?;
    Ok(environment.join("bin/python"))
}

/// The server's own code, but for the endpoint: it takes `--endpoint` for the graph's name and asks one address of its own
/// making, whatever is given.
const REDIRECTED: &str = "
import sys
import mcp_proto_okn.server as server
wrapper, endpoint = server.SPARQLWrapper, sys.argv.pop(1)
server.SPARQLWrapper = lambda _: wrapper(endpoint)
server.main()
";

#[tokio::test]
async fn the_server_of_a_live_peer_answers_over_our_endpoint() {
    let folder = tempfile::tempdir().unwrap();
    let python = match installed(folder.path()) {
        Ok(python) => python,
        Err(why) => {
            println!("SKIPPED: the published server: {why}");
            assert!(!why.is_empty());
            return;
        }
    };
    let mut ours = tokio::process::Command::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"))
        .args(["federation", "serve", "--port", "0", "--snapshot"])
        .arg(snapshot())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(ours.stdout.take().unwrap()).lines();
    let address = lines.next_line().await.unwrap().unwrap();

    let open = async |graph: &str| {
        let mut command = tokio::process::Command::new(&python);
        command.args(["-c", REDIRECTED, &address, "--description", "our own"]);
        command.args([
            "--endpoint",
            &format!("https://frink.apps.renci.org/{graph}/sparql"),
        ]);
        Client(
            ().serve(TokioChildProcess::new(command).unwrap())
                .await
                .unwrap(),
        )
    };
    let client = open("pankgraph").await;
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
    let ask = async |client: &Client, tool: &str, arguments: Value| -> Value {
        let result = client.call(tool, arguments).await.unwrap();
        serde_json::from_str(&text(&result)).unwrap()
    };
    // It puts its FROM before a line that begins with WHERE.
    let genes = "SELECT DISTINCT ?gene\nWHERE { ?gene <https://w3id.org/biolink/vocab/functional_association> \
                 <http://purl.obolibrary.org/obo/GO_0046879> }";
    let expanded = ask(&client, "query", json!({ "query_string": genes })).await;
    assert_eq!(expanded["count"], 71, "{expanded}");
    assert_eq!(expanded["ontology_expansion"]["expanded"], true);
    let exact = json!({ "query_string": genes, "auto_expand_descendants": false });
    assert_eq!(ask(&client, "query", exact).await["count"], 5);
    let found = ask(
        &client,
        "lookup_uri",
        json!({ "label": "autoimmune disease" }),
    )
    .await;
    assert_eq!(
        found["matches"][0]["uri"],
        "http://purl.obolibrary.org/obo/MONDO_0007179"
    );
    // This tool of that build always fails: it replies with a constant that is defined nowhere.
    let below = json!({ "uri": "http://purl.obolibrary.org/obo/MONDO_0007179" });
    let broken = client.call("get_descendants", below).await.unwrap();
    eprintln!("its get_descendants: {}", text(&broken));
    assert_eq!(broken.is_error, Some(true));
    assert!(text(&broken).contains("MAX_DEPTH"), "{}", text(&broken));

    // The collisions are that server's own: our endpoint refuses what it makes of such queries, in words that reach the agent.
    let client = open("rdkg").await;
    let root = "<http://purl.obolibrary.org/obo/HP_0000855>";
    for (name, bound, query) in [
        (
            "VALUES",
            "pheno",
            format!("SELECT ?pheno\nWHERE {{ VALUES ?pheno {{ {root} }} ?d ?p ?pheno }}"),
        ),
        (
            "BIND",
            "phen",
            format!("SELECT ?phen\nWHERE {{ BIND({root} AS ?phen) ?d ?p ?phen }}"),
        ),
    ] {
        let reply = ask(
            &client,
            "query",
            json!({ "query_string": query, "bind_expansion_to": [bound] }),
        )
        .await;
        let error = reply["error"].as_str().unwrap();
        eprintln!("its rewriter on {name}: {error}");
        assert!(error.starts_with("Query execution failed: "), "{error}");
    }
}
