//! `run` as its operators meet it: what is checked before anything runs, and what becomes of what went wrong.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::Bench;

/// A profile whose server is this program with more words behind it.
fn profile(bench: &Bench, words: &[&str]) {
    let program = assert_cmd::cargo::cargo_bin!("okn-benchmark");
    let mut command = vec![json!(program), json!("mcp"), json!("serve")];
    command.extend(words.iter().map(|word| json!(word)));
    let text = format!(
        "build = \"b7\"\n[upstream]\ncommand = {}\ndirectory = \"..\"\n",
        json!(command)
    );
    bench.write("profiles/p.toml", text);
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The attempt folders under a folder, as `record/n`.
fn places(root: &Path) -> Vec<String> {
    let mut places = Vec::new();
    for record in fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let name = record.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') || !record.is_dir() {
            continue;
        }
        for n in fs::read_dir(&record)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            places.push(format!(
                "{name}/{}",
                n.file_name().unwrap().to_string_lossy()
            ));
        }
    }
    places.sort();
    places
}

#[test]
fn canaries_are_in_the_manifest_with_what_they_replied() {
    let bench = Bench::new();
    profile(&bench, &[]);
    let line = "run --agent baseline:reference --tier heart --profile profiles/p.toml --out runs";
    bench.json(line);
    let condition = bench.read_json("runs/manifest.json")["condition"].clone();
    assert_eq!(condition["server"]["build"], "b7");
    assert_eq!(condition["server"]["name"], "embedded-reconstruction");
    assert_eq!(
        condition["server"]["tool_list_hash"]
            .as_str()
            .unwrap()
            .len(),
        64
    );
    let canaries = condition["canaries"].as_array().unwrap();
    let names: Vec<&str> = canaries
        .iter()
        .map(|canary| canary["name"].as_str().unwrap())
        .collect();
    // The fixture's classes have no labels, so that there is nothing to look up.
    assert_eq!(names, ["get_descendants", "query"]);
    for canary in canaries {
        assert_eq!(canary["passed"], true, "{canary}");
        assert!(
            canary["ms"].is_u64() && !canary["detail"].as_str().unwrap().is_empty(),
            "{canary}"
        );
    }
    // Another run into the folder is the same condition, whatever the canaries took.
    bench.json(&format!("{line} --repeat 2"));
    assert_eq!(places(&bench.path("runs")).len(), 4);
}

#[test]
fn a_broken_server_stops_the_sweep_unless_it_may_be_broken() {
    for (fault, canary, words) in [
        ("429-in-body", "get_descendants", "HTTP Error 429"),
        ("ok-with-error", "query", "the reply holds an error"),
        ("error-text", "query", "the reply holds an error"),
        ("cut-json", "query", "the reply holds"),
        ("rich-error", "query", "the reply is an error"),
    ] {
        let bench = Bench::new();
        profile(&bench, &["--fault", fault]);
        let line = "run --agent baseline:silent --tier heart --profile profiles/p.toml --out runs";
        let output = bench.run(line);
        let told = said(&output);
        assert_eq!(output.status.code(), Some(1), "{fault}: {told}");
        assert!(
            told.contains(&format!("failed the canary {canary}, and nothing was run"))
                && told.contains(words)
                && told.contains("--allow-broken"),
            "{fault}: {told}"
        );
        assert!(!bench.path("runs").exists(), "{fault}");

        let output = bench.run(&format!("{line} --allow-broken"));
        let told = said(&output);
        assert!(output.status.success(), "{fault}: {told}");
        assert!(
            told.contains(&format!(
                "failed the canary {canary}, and is measured as it is"
            )) && told.contains(words)
                && !told.contains("nothing was run"),
            "{fault}: {told}"
        );
        let canaries = bench.read_json("runs/manifest.json")["condition"]["canaries"].clone();
        let failed = canaries
            .as_array()
            .unwrap()
            .iter()
            .filter(|canary| canary["passed"] == false);
        assert_eq!(failed.count(), 1, "{fault}: {canaries}");
        let comparison = bench.json("compare runs");
        assert!(
            comparison["notes"]
                .to_string()
                .contains(&format!("failed {canary}")),
            "{comparison}"
        );
    }
}

#[test]
fn a_server_over_other_data_than_the_keys_is_found_out() {
    let bench = Bench::new();
    bench.write(
        "other/data.trig",
        "<http://e/a> <http://e/b> <http://e/c> .",
    );
    let program = assert_cmd::cargo::cargo_bin!("okn-benchmark");
    let (mut federation, address) = serving(
        &bench,
        &["federation", "serve", "--data", "other", "--port", "0"],
    );
    let command = json!([program, "mcp", "serve", "--endpoint", address]);
    bench.write("p.toml", format!("[upstream]\ncommand = {command}\n"));
    let output = bench.run("run --agent baseline:silent --profile p.toml --out runs");
    // Keys that are run where the server asks are its keys.
    let (mut fixture, address) = serving(
        &bench,
        &[
            "federation",
            "serve",
            "--snapshot",
            "benchmarks-ontology/snapshot",
            "--port",
            "0",
        ],
    );
    let command = json!([program, "mcp", "serve", "--endpoint", address]);
    let profile = format!(
        "endpoint = {}\n[upstream]\ncommand = {command}\n",
        json!(address)
    );
    bench.write("same.toml", profile);
    bench.json("run --agent baseline:reference --profile same.toml --out same");
    let condition = bench.read_json("same/manifest.json")["condition"].clone();
    assert_eq!(condition["provenance"]["endpoint"], json!(address));
    assert_eq!(condition["canaries"].as_array().map(Vec::len), Some(2));
    for server in [&mut federation, &mut fixture] {
        server.kill().unwrap();
        server.wait().unwrap();
    }
    let told = said(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("failed the canaries get_descendants, query"),
        "{told}"
    );
}

/// A server of ours, and the address that it prints.
fn serving(bench: &Bench, words: &[&str]) -> (std::process::Child, String) {
    use std::io::{BufRead as _, BufReader};
    let mut child = bench
        .command(&words.join(" "))
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    (child, line.trim().to_owned())
}

#[test]
fn tools_that_are_withheld_from_the_agent_are_canaries_all_the_same() {
    let bench = Bench::new();
    bench.json("run --agent baseline:reference --tier heart --tools no:get_descendants --out runs");
    let canaries = bench.read_json("runs/manifest.json")["condition"]["canaries"].clone();
    assert_eq!(
        (&canaries[0]["name"], &canaries[0]["passed"]),
        (&json!("get_descendants"), &json!(true))
    );
    let recording = bench.read_json("runs/nde-expand_heart/1/recording.json");
    assert_eq!(recording["tools"], "no:get_descendants");
}

#[test]
fn tools_that_the_server_does_not_have_are_told_before_anything_runs() {
    let bench = Bench::new();
    for set in ["no:get_descendnts", "only:query,get_descendnts"] {
        let output = bench.run(&format!(
            "run --agent baseline:silent --tier heart --tools {set} --out runs"
        ));
        let told = said(&output);
        assert_eq!(output.status.code(), Some(2), "{set}: {told}");
        assert!(
            told.contains("--tools names get_descendnts, which the server")
                && told.contains("lookup_uri, get_descendants"),
            "{set}: {told}"
        );
        assert!(!bench.path("runs").exists(), "{set}");
    }
}

#[test]
fn what_is_typed_wrong_is_told_before_anything_runs() {
    let bench = Bench::new();
    bench.write("broken.toml", "build = \"1\"\n[upstream]\nurl = 3\n");
    bench.write("none.toml", "[upstream]\n");
    for (words, expected) in [
        ("--tools without:a", "--tools takes all-tools"),
        ("--tools no:submit_csv", "harness's own tool"),
        ("--kg-hint hub", "[possible values: tags, none]"),
        ("--effort huge", "[possible values: none, minimal, low"),
        ("--profile broken.toml", "broken.toml:3:7:"),
        ("--profile none.toml", "none.toml names no server"),
        ("--profile missing.toml", "cannot read missing.toml"),
        ("--shard 4/3", "--shard takes I/N"),
        ("--concurrency 0", "a number from 1 to 1000"),
        ("--max-usd 0", "an amount of dollars"),
        ("--max-sweep-usd nan", "an amount of dollars"),
        ("--max-sweep-usd 3", "--max-usd"),
        ("--max-usd 3 --max-sweep-usd 2", "none could begin"),
        ("--retry everything", "[possible values: infrastructure]"),
        ("--turns 0", "--turns"),
        ("--agent-timeout 0", "--agent-timeout"),
        // Agents without a model have no place for any of these.
        ("--model m", "baseline:silent has no place for --model"),
        ("--effort high", "has no place for --effort"),
        ("--turns 5", "has no place for --turns"),
        ("--max-tokens 5", "has no place for --max-tokens"),
        ("--max-usd 5", "has no place for --max-usd"),
        (
            "--max-usd 5 --max-sweep-usd 9",
            "has no place for --max-usd",
        ),
        ("--prices none.toml", "has no place for --prices"),
        ("--no-stream", "has no place for --no-stream"),
        ("--model-timeout 9", "has no place for --model-timeout"),
        (
            "--tool-reply-chars 9",
            "has no place for --tool-reply-chars",
        ),
        ("--program none.toml", "has no place for --program"),
        ("--env HOME", "has no place for --env"),
        ("--answers answers", "has no place for --answers"),
    ] {
        let output = bench.run(&format!("run --agent baseline:silent --out runs {words}"));
        let told = said(&output);
        assert_eq!(output.status.code(), Some(2), "{words}: {told}");
        assert!(told.contains(expected), "{words}: {told}");
        assert!(!bench.path("runs").exists(), "{words}");
    }
}

#[test]
fn a_server_that_does_not_start_is_told_and_nothing_is_run() {
    let bench = Bench::new();
    bench.write(
        "p.toml",
        "[upstream]\ncommand = [\"sh\", \"-c\", \"echo no licence >&2; exit 3\"]\n",
    );
    let output = bench.run("run --agent baseline:silent --profile p.toml --out runs");
    let told = said(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("no licence") && told.contains("hint:"),
        "{told}"
    );
    assert!(!bench.path("runs").exists());
}

#[test]
fn a_dry_run_says_what_would_be_done_and_writes_nothing() {
    let bench = Bench::new();
    let line =
        "run --agent baseline:reference --agent baseline:silent --repeat 2 --out runs --dry-run";
    let dry = bench.json(line);
    assert!(!bench.path("runs").exists());
    let sweep = |dry: &Value, of: usize| {
        let sweep = &dry["sweeps"][of];
        (
            sweep["make"].clone(),
            sweep["keep"].clone(),
            sweep["attempts"].as_array().unwrap().len(),
        )
    };
    assert_eq!(sweep(&dry, 0), (json!(8), json!(0), 8));
    assert_eq!(
        (
            &dry["sweeps"][0]["payer"],
            &dry["sweeps"][0]["tokens_at_least"]
        ),
        (&Value::Null, &Value::Null)
    );
    let heart = &dry["prompts"].as_array().unwrap()[2];
    assert_eq!(heart["record"], "nde-expand_heart");
    assert!(
        heart["user"]
            .as_str()
            .unwrap()
            .contains("For heart disease"),
        "{heart}"
    );

    bench.json("run --agent baseline:reference --agent baseline:silent --tier heart --out runs");
    let before = places(&bench.path("runs/baseline-silent"));
    let dry = bench.json(line);
    assert_eq!(sweep(&dry, 1), (json!(6), json!(2), 6));
    assert_eq!(places(&bench.path("runs/baseline-silent")), before);
    // What a run would refuse, a dry one does as well.
    let output = bench.run(&format!("{line} --agent-timeout 60"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_dry_run_needs_no_key() {
    let bench = Bench::new();
    let line = "run --model claude-opus-5 --effort high --tier heart --out runs";
    let dry = bench.json(&format!("{line} --dry-run"));
    let payer = dry["sweeps"][0]["payer"].as_str().unwrap();
    assert!(
        payer.contains("ANTHROPIC_API_KEY, which is not set"),
        "{payer}"
    );
    assert_eq!(dry["sweeps"][0]["make"], 2);
    let output = bench.run(line);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("needs a key"), "{}", said(&output));
}

/// Those of an earlier run with a larger --repeat are judged again and counted, and that is said.
#[test]
fn attempts_beyond_repeat_are_kept_judged_and_told() {
    let bench = Bench::new();
    let line = "run --agent baseline:reference --tier heart --out runs --repeat";
    bench.json(&format!("{line} 3"));
    let file = "runs/nde-expand_heart/3/metrics.json";
    let judged = bench.read(file);
    let tampered = judged
        .replace(r#""exact": true"#, r#""exact": false"#)
        .replace(r#""ordered": true"#, r#""ordered": false"#);
    assert_ne!(tampered, judged);
    bench.write(file, tampered);
    let output = bench.run(&format!("{line} 1 --json"));
    let told = said(&output);
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("4 attempts are beyond --repeat 1 in runs")
            && told.contains("0 attempts made, 6 kept from before"),
        "{told}"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["kept"], 6);
    assert_eq!(report["cells"][1]["tally"]["asked"], 3);
    assert_eq!(bench.read(file), judged, "it was judged again");
}

/// A server that failed a canary and was mended under the same build: what was lost to it is made again, and the manifest
/// and every comparison still say how the sweep began.
#[test]
fn what_was_lost_to_a_broken_server_is_made_again_once_it_is_mended() {
    let bench = Bench::new();
    let program = assert_cmd::cargo::cargo_bin!("okn-benchmark");
    // The bench of faults says in its version which one it has; a server that breaks says nothing.
    let script = format!(
        "{} mcp serve $(cat fault) | sed -u 's/+fault[.][a-z-]*//'",
        program.display()
    );
    bench.write(
        "profiles/p.toml",
        format!(
            "build = \"b7\"\n[upstream]\ncommand = {}\ndirectory = \"..\"\n",
            json!(["sh", "-c", script])
        ),
    );
    bench.write("fault", "--fault ok-with-error");
    let line = "run --agent baseline:reference --tier heart --profile profiles/p.toml --out runs";
    let output = bench.run(&format!("{line} --allow-broken"));
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let began = bench.read_json("runs/manifest.json");
    assert_eq!(began["mended"], Value::Null);

    bench.write("fault", "");
    // Going on as if nothing had been is another condition, and the way out is named.
    let output = bench.run(&format!("{line} --repeat 2"));
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(
        said(&output).contains("--retry infrastructure makes again what was lost"),
        "{}",
        said(&output)
    );
    for made in [2, 0] {
        let report = bench.json(&format!("{line} --retry infrastructure"));
        assert_eq!(report["summary"]["made"], made);
        for cell in report["cells"].as_array().unwrap() {
            assert_eq!(
                (&cell["tally"]["exact"], &cell["tally"]["retried"]),
                (&json!(1), &json!(1)),
                "{cell}"
            );
        }
    }
    let now = bench.read_json("runs/manifest.json");
    assert_eq!(now["condition"], began["condition"]);
    let passed = now["mended"]["canaries"].as_array().unwrap();
    assert!(
        !passed.is_empty() && passed.iter().all(|canary| canary["passed"] == true),
        "{now}"
    );
    let notes = bench.json("compare runs")["notes"].to_string();
    assert!(
        notes.contains("failed query before the first attempt (it passed from 20"),
        "{notes}"
    );
    // Another build is another condition, mended or not.
    let profile = bench.read("profiles/p.toml").replace("b7", "b8");
    bench.write("profiles/p.toml", profile);
    bench.write("fault", "");
    let output = bench.run(&format!("{line} --repeat 2 --retry infrastructure"));
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("server.build"), "{}", said(&output));
}

#[test]
fn attempts_lost_to_the_infrastructure_are_made_again_and_the_lost_ones_are_kept_and_counted() {
    let bench = Bench::new();
    profile(&bench, &["--fault", "ok-with-error"]);
    let line = "run --agent baseline:reference --tier heart --repeat 2 --profile profiles/p.toml --allow-broken --out runs";
    // Of a sweep that was lost as a whole nothing is known, which is no success.
    let lost = || {
        let output = bench.run(&format!("{line} --json"));
        let told = said(&output);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(
            told.contains(
                "nothing is known of baseline:reference: its attempts, 4 in number, were all lost"
            ) && told.contains("\n  4 × no-answer after a call of query that failed softly: "),
            "{told}"
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (report, told)
    };
    let (report, told) = lost();
    assert_eq!(
        (&report["summary"]["made"], &report["summary"]["lost"]),
        (&json!(4), &json!(4))
    );
    let reasons = report["summary"]["lost_reasons"].as_array().unwrap();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert_eq!(reasons[0]["attempts"], 4);
    // The first one is told as it happens.
    assert!(
        told.contains(
            "attempt 1 of baseline:reference at nde-exact_heart was lost: no-answer after"
        ),
        "{told}"
    );
    // Nothing is made again unless that is asked for.
    let (report, _) = lost();
    assert_eq!(
        (&report["summary"]["kept"], &report["summary"]["lost"]),
        (&json!(4), &json!(0))
    );

    // One of them, it turns out, was the agent's own doing.
    let well = bench.path("runs/nde-expand_heart/1");
    let lost = fs::read(well.join("metrics.json")).unwrap();
    let file = well.join("calls.json");
    let mut made: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    for call in made.as_array_mut().unwrap() {
        call.as_object_mut().unwrap().remove("soft_error");
    }
    fs::write(&file, made.to_string()).unwrap();

    let report = bench.json(&format!("{line} --retry infrastructure"));
    assert_eq!(
        (&report["summary"]["made"], &report["summary"]["kept"]),
        (&json!(3), &json!(1))
    );
    assert_ne!(
        fs::read(well.join("metrics.json")).unwrap(),
        lost,
        "it was judged again"
    );
    assert_eq!(
        places(&bench.path("runs")),
        [
            "nde-exact_heart/1",
            "nde-exact_heart/1.lost-1",
            "nde-exact_heart/2",
            "nde-exact_heart/2.lost-1",
            "nde-expand_heart/1",
            "nde-expand_heart/2",
            "nde-expand_heart/2.lost-1",
        ]
    );
    let report =
        bench.json(&format!("{line} --repeat 1 --retry infrastructure").replace("--repeat 2 ", ""));
    // Those beyond --repeat are made again as well.
    assert_eq!(report["summary"]["made"], json!(3));
    let tally = |record: &str| {
        let cells = report["cells"].as_array().unwrap();
        let cell = cells.iter().find(|cell| cell["record"] == record).unwrap();
        cell["tally"].clone()
    };
    let exact = tally("nde-exact_heart");
    assert_eq!((&exact["asked"], &exact["retried"]), (&json!(2), &json!(4)));
    assert_eq!(
        bench.read_json("runs/nde-exact_heart/2/metrics.json")["lost_before"],
        2
    );
    for name in [
        "metrics.json",
        "calls.json",
        "recording.json",
        "transcript.jsonl",
    ] {
        assert!(
            bench
                .path("runs/nde-exact_heart/2.lost-2")
                .join(name)
                .is_file(),
            "{name}"
        );
    }
    let notes = bench.json("compare runs")["notes"].to_string();
    assert!(
        notes.contains("6 attempts were lost to the infrastructure and made again"),
        "{notes}"
    );
}

#[test]
fn an_attempt_that_a_lost_server_cost_says_why_it_was_lost() {
    let bench = Bench::new();
    // Each attempt starts its server anew, and this one ends at its first call once the canaries are through.
    bench.write("started", "");
    let script = format!(
        "if [ -s started ]; then set -- --fault exit; fi; echo again >> started; exec {} mcp serve \"$@\" | sed -u 's/+fault[.][a-z-]*//'",
        assert_cmd::cargo::cargo_bin!("okn-benchmark").display()
    );
    bench.write(
        "profiles/p.toml",
        format!(
            "[upstream]\ncommand = {}\ndirectory = \"..\"\n",
            json!(["sh", "-c", script])
        ),
    );
    let output = bench
        .run("run --agent baseline:reference --tier heart --profile profiles/p.toml --out lost");
    let told = said(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    let metrics = bench.read_json("lost/nde-expand_heart/1/metrics.json");
    let recording = bench.read_json("lost/nde-expand_heart/1/recording.json");
    let why = recording["lost_upstream"]["reason"].as_str().unwrap();
    assert_eq!(
        metrics["reason"],
        format!("the connection to the server under test was lost: {why}")
    );
    assert!(
        told.contains(" was lost: the connection to the server under test was lost: "),
        "{told}"
    );
}

#[test]
fn a_folder_that_import_wrote_is_left_alone() {
    let bench = Bench::new();
    bench.write("theirs/a/calls.json", "[]");
    bench.write(
        "theirs/a/metrics.json",
        r#"{"record": "nde-exact_heart", "attempt": 1}"#,
    );
    bench.json("import theirs --out runs");
    let before = places(&bench.path("runs"));
    for line in [
        "run --agent baseline:silent --out runs",
        "run --agent baseline:silent --agent baseline:literal --out runs",
    ] {
        let output = bench.run(line);
        let told = said(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {told}");
        assert!(
            told.contains("which `import` wrote") && told.contains("give another --out"),
            "{line}: {told}"
        );
    }
    assert_eq!(places(&bench.path("runs")), before);
    assert!(!bench.path("runs/manifest.json").exists());
}

#[test]
fn of_two_first_runs_at_once_under_different_conditions_one_alone_writes() {
    for round in 0..6 {
        let bench = Bench::new();
        let mut runs = Vec::new();
        for seconds in [100, 200] {
            let line = format!(
                "run --agent baseline:reference --agent-timeout {seconds} --concurrency 4 --out runs"
            );
            let mut command = bench.command(&line);
            command
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::piped());
            runs.push((seconds, command.spawn().unwrap()));
        }
        let ended: Vec<_> = runs
            .into_iter()
            .map(|(seconds, run)| (seconds, run.wait_with_output().unwrap()))
            .collect();
        let won: Vec<u32> = ended
            .iter()
            .filter(|(_, output)| output.status.success())
            .map(|(seconds, _)| *seconds)
            .collect();
        assert_eq!(won.len(), 1, "round {round}: {ended:?}");
        let lost = ended
            .iter()
            .find(|(_, output)| !output.status.success())
            .unwrap();
        assert_eq!(lost.1.status.code(), Some(2));
        let told = said(&lost.1);
        assert!(
            told.contains("another condition") || told.contains("another process"),
            "{told}"
        );
        assert_eq!(
            bench.read_json("runs/manifest.json")["condition"]["agent_timeout_s"],
            won[0]
        );
        assert_eq!(places(&bench.path("runs")).len(), 4);
    }
}

#[test]
fn attempts_at_the_same_time_come_to_the_same() {
    let bench = Bench::new();
    let one = bench.json("run --agent baseline:keyword --repeat 3 --out one");
    let eight = bench.json("run --agent baseline:keyword --repeat 3 --concurrency 8 --out eight");
    assert_eq!(one["cells"], eight["cells"]);
    assert_eq!(one["summary"]["outcomes"], json!({ "answered": 12 }));
    assert_eq!(places(&bench.path("one")), places(&bench.path("eight")));
}

#[test]
fn an_attempt_says_which_server_it_was_made_with_and_what_the_agent_was_told() {
    let bench = Bench::new();
    bench.json("run --agent baseline:literal --tier heart --out runs");
    let recording = bench.read_json("runs/nde-expand_heart/1/recording.json");
    assert_eq!(
        (
            &recording["profile"],
            &recording["upstream"],
            &recording["submissions"]
        ),
        (
            &json!("embedded"),
            &json!("the embedded server over embedded"),
            &json!(1)
        )
    );
    assert!(recording["ended"].is_string());
    let transcript = bench.read("runs/nde-expand_heart/1/transcript.jsonl");
    let lines: Vec<Value> = transcript
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let user = lines.iter().find(|line| line["role"] == "user").unwrap();
    assert!(
        user["text"].as_str().unwrap().contains("For heart disease"),
        "{user}"
    );
    let replies = bench.read("runs/nde-expand_heart/1/replies.jsonl");
    assert_eq!(replies.lines().count(), 2);
}

/// A server that goes on when its input ends is not left behind.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_servers_as_well() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let bench = Bench::new();
    let program = assert_cmd::cargo::cargo_bin!("okn-benchmark");
    let script = format!(
        "echo $$ > pid; {} mcp serve --fault hang; exec sleep 300",
        program.display()
    );
    bench.write(
        "p.toml",
        format!("[upstream]\ncommand = {}\n", json!(["sh", "-c", script])),
    );
    let mut run = bench.command("run --agent baseline:silent --profile p.toml --out runs");
    let mut run = run
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = std::time::Instant::now();
    let pid = loop {
        let pid = fs::read_to_string(bench.path("pid")).unwrap_or_default();
        if pid.ends_with('\n') {
            break pid.trim().to_owned();
        }
        assert!(
            started.elapsed() < Duration::from_mins(1),
            "the server does not start"
        );
        std::thread::sleep(Duration::from_millis(10));
    };
    // Into the canary that is never answered.
    std::thread::sleep(Duration::from_millis(300));
    let signal = |name: &str, pid: &str| {
        let mut kill = Command::new("kill");
        kill.args([name, pid]).stderr(Stdio::null());
        kill.status().unwrap().success()
    };
    assert!(signal("-INT", &run.id().to_string()));
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert!(!signal("-0", &pid), "the server goes on");
    assert!(!bench.path("runs").exists());
}

#[test]
fn a_folder_in_which_a_process_is_at_work_is_refused_and_is_free_once_that_one_has_ended() {
    let bench = Bench::new();
    let line = "run --agent baseline:reference --repeat 2 --out runs";
    fs::create_dir_all(bench.path("runs")).unwrap();
    let held = fs::File::create(bench.path("runs/.lock")).unwrap();
    held.lock().unwrap();
    for more in ["", " --shard 1/2"] {
        let output = bench.run(&format!("{line}{more}"));
        let told = said(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(
            told.contains("another process is making attempts in runs")
                && told.contains("--shard I/N"),
            "{told}"
        );
        assert!(places(&bench.path("runs")).is_empty());
    }
    // Closing it would not do: what another test starts at this moment has the file too, until it is another program.
    held.unlock().unwrap();
    assert_eq!(bench.json(line)["summary"]["made"], 8);
}

#[test]
fn of_two_processes_of_one_sweep_nothing_is_made_twice() {
    let bench = Bench::new();
    let line = "run --agent baseline:reference --repeat 20 --out runs --json";
    let runs: Vec<_> = (0..2)
        .map(|_| {
            let mut command = bench.command(line);
            command
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let mut made = 0;
    for run in runs {
        let output = run.wait_with_output().unwrap();
        if output.status.success() {
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            made += report["summary"]["made"].as_u64().unwrap();
        } else {
            assert_eq!(output.status.code(), Some(2), "{}", said(&output));
            assert!(
                said(&output).contains("another process"),
                "{}",
                said(&output)
            );
        }
    }
    assert_eq!(made, 80);
}
