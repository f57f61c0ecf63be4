//! The real agent programs, with a model that speaks from a script: what they make of our tools, and we of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::api::{Api, Script};
use crate::bench::{Bench, LOOK, stderr};

const CLAUDE_CODE: &str = "@anthropic-ai/claude-code@2.1.197";
const CODEX: &str = "@openai/codex@0.171.0";
const GEMINI_CLI: &str = "@google/gemini-cli@0.61.0";

/// The folder of the programs, where they were asked for and can be had; why not, where they cannot.
fn installed() -> Result<PathBuf, String> {
    if std::env::var_os("OKN_LIVE_AGENTS").is_none() {
        return Err(format!(
            "set OKN_LIVE_AGENTS=1 to install {CLAUDE_CODE}, {CODEX} and {GEMINI_CLI} and run them"
        ));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live-agents");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--prefix"])
        .arg(&folder)
        .args([CLAUDE_CODE, CODEX, GEMINI_CLI])
        .output()
        .map_err(|error| error.to_string())?;
    let said = stderr(&output);
    output
        .status
        .success()
        .then(|| folder.join("node_modules/.bin"))
        .ok_or(said)
}

/// A program's file, as it is in the project but for where its model is asked.
fn profile(name: &str, api: &Api) -> String {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../profiles/agents/{name}.toml"));
    let text = std::fs::read_to_string(file).unwrap();
    if name != "codex" {
        // A failure of the service is waited for ten times, which is not what is tried here.
        return text.replace("[set]\n", "[set]\nCLAUDE_CODE_MAX_RETRIES = \"0\"\n");
    }
    let provider = format!(
        r#"model_providers.own={{name="own",base_url="{}/v1",env_key="CODEX_API_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}}"#,
        api.address
    );
    let words = format!("\"exec\", \"-c\", '{provider}', \"-c\", 'model_provider=\"own\"',");
    text.replace("\"exec\",", &words)
}

const KEY: &str = "sk-live-0123456789";

async fn attempt(bench: &Bench, bin: &Path, name: &str, api: &Api, words: &[&str]) -> Output {
    bench.write(&format!("{name}.toml"), profile(name, api));
    let path = std::env::join_paths(
        std::iter::once(bin.to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let file = format!("{name}.toml");
    let run = [
        "run",
        "--agent",
        "command",
        "--program",
        &file,
        "--tier",
        "heart",
        "--kg-hint",
        "tags",
        "--out",
        "runs",
    ];
    let mut command = bench.command(&[&run, words].concat());
    command
        .env("PATH", path.unwrap())
        .env("ANTHROPIC_API_KEY", KEY)
        .env("ANTHROPIC_BASE_URL", &api.address)
        .env("CODEX_API_KEY", KEY)
        .env("GEMINI_API_KEY", KEY)
        .env("GOOGLE_GEMINI_BASE_URL", &api.address);
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_programs_of_live_agents_look_submit_and_are_judged() {
    let bin = match installed() {
        Ok(bin) => bin,
        Err(why) => {
            println!("SKIPPED: the real agent programs: {why}");
            assert!(!why.is_empty());
            return;
        }
    };
    for (name, words) in [
        (
            "claude-code",
            &["--model", "claude-opus-4-5", "--effort", "low"] as &[&str],
        ),
        ("codex", &["--model", "gpt-5", "--effort", "low"]),
        ("gemini-cli", &["--model", "gemini-2.5-pro"]),
    ] {
        let bench = Bench::new();
        let key = bench
            .command(&["reference", "--out", "keys"])
            .output()
            .unwrap();
        assert!(key.status.success());
        let script = |status| Script {
            query: serde_json::from_str(LOOK).unwrap(),
            csv: bench.read("keys/nde-expand_heart.reconstruction.csv"),
            status,
        };
        let api = Api::serve(script(None)).await;
        let output = attempt(&bench, &bin, name, &api, words).await;
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let metrics = bench.metrics("nde-expand_heart");
        let transcript = bench.transcript("nde-expand_heart");
        let program = transcript
            .iter()
            .find(|line| line["role"] == "program")
            .unwrap();
        println!("{name} {}: {metrics:#}", program["version"]);
        assert_eq!(metrics["outcome"], "answered", "{name}: {transcript:#?}");
        assert_eq!(metrics["scores"]["exact"], true, "{name}");
        assert_eq!(metrics["calls"], 2, "{name}");
        // Each asks its model three times, and for nothing beside the question.
        assert_eq!(api.asked().len(), 6, "{name}");
        assert_eq!(metrics["usage"]["input_tokens"], 300, "{name}");
        assert_eq!(metrics["usage"]["output_tokens"], 60, "{name}");
        let calls = bench.json("runs/nde-expand_heart/1/calls.json");
        assert_eq!(
            calls[0]["arguments"],
            serde_json::from_str::<Value>(LOOK).unwrap(),
            "{name}"
        );
        assert!(
            bench.json("runs/nde-expand_heart/1/recording.json")["ended"].is_string(),
            "{name}"
        );
        // The whole prompt came through, and no path that says what is asked.
        let asked = api.asked()[0].to_string();
        assert!(
            asked.contains("Knowledge graphs: nde, oard-kg"),
            "{name}: {asked}"
        );
        for word in ["nde-expand", "/runs", "benchmarks-ontology", "ubergraph"] {
            assert!(!asked.contains(word), "{name}: {word}: {asked}");
        }
        assert!(
            !bench
                .read("runs/nde-expand_heart/1/transcript.jsonl")
                .contains(KEY),
            "{name}"
        );

        let bench = Bench::new();
        let api = Api::serve(script(Some(401))).await;
        let output = attempt(&bench, &bin, name, &api, words).await;
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(
            said.contains(&format!("the service of command:{name}'s model denies it")),
            "{name}: {said}"
        );
        let metrics = bench.metrics("nde-expand_heart");
        println!("{name} refused: {}", metrics["reason"]);
        assert_eq!(metrics["outcome"], "agent-error", "{name}: {metrics:#}");
        assert_eq!(metrics["flags"]["model_api_failed"], true, "{name}");
        assert_eq!(metrics["infrastructure"], json!(true), "{name}");
    }
}
