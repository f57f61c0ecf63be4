//! Agents that are programs: what they are given, how they end, and what is kept of them.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use worker::agent::command::{OptionName, Program};

use crate::bench::{Bench, LOOK, stderr};

/// Looks the term up, and submits what an `exact` arm with an empty key asks for.
fn diligent() -> String {
    format!(
        r#"prompt=$(cat)
{{ hello; call 1 query '{LOOK}'; call 2 submit_csv '{{"csv":"name,condition,datasets\\n"}}'; }} | tools "$1" "$2" > replies.jsonl
case "$prompt" in *'submit_csv'*) echo '{{"type":"turn.completed","usage":{{"input_tokens":300,"cached_input_tokens":120,"output_tokens":60}}}}' ;; esac
wc -l < replies.jsonl
"#
    )
}

/// Nothing is known of a program that asks for no tools: all of its attempts are lost, which is no success.
fn never_started_its_tools(output: &Output) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("2 × the program never started its tools"),
        "{said}"
    );
}

#[test]
fn a_program_finds_its_tools_is_recorded_and_judged() {
    let bench = Bench::new();
    bench.agent(&diligent(), "");
    let output = bench.attempt(&["--kg-hint", "tags", "--repeat", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let metrics = bench.metrics("nde-exact_heart");
    assert_eq!(metrics["agent"], "command:sh");
    assert_eq!(metrics["outcome"], "answered-empty");
    assert_eq!(metrics["obedience"], "obeyed", "{metrics:#}");
    assert_eq!(metrics["calls"], 2);
    assert_eq!(metrics["usage"]["input_tokens"], 300);
    assert_eq!(metrics["usage"]["cost_incomplete"], true);
    assert_eq!(metrics["usage"]["cost_usd"], Value::Null);
    assert_eq!(
        bench.json("runs/nde-exact_heart/2/recording.json")["submissions"],
        1
    );
    assert!(bench.path("runs/nde-exact_heart/2/calls.json").is_file());

    let transcript = bench.transcript("nde-exact_heart");
    let prompt = &transcript[..2];
    assert_eq!(
        (&prompt[0]["role"], &prompt[1]["role"]),
        (&json!("system"), &json!("user"))
    );
    assert!(
        prompt[1]["text"]
            .as_str()
            .unwrap()
            .contains("Knowledge graphs: nde, oard-kg")
    );
    let said: Vec<&Value> = transcript
        .iter()
        .filter(|line| line["stream"] == "stdout")
        .collect();
    assert_eq!(said[0]["event"]["type"], "turn.completed");
    assert_eq!(said[1]["text"], "3");
}

#[test]
fn the_folder_of_an_attempt_tells_its_agent_nothing_and_goes_with_it() {
    let bench = Bench::new();
    bench.agent(
        "pwd; ls -A; env | grep HOME; cat .tool/settings.json; cat > /dev/null",
        "[set]\nHOME = \"{home}\"\n[files]\n\".tool/settings.json\" = '{\"mcpServers\": {\"x\": {\"command\": {mcp_command_json}, \"args\": {mcp_args_json}}}}'",
    );
    let output = bench.attempt(&[]);
    never_started_its_tools(&output);
    let transcript = bench.transcript("nde-expand_heart");
    let said = transcript
        .iter()
        .filter(|line| line["stream"] == "stdout")
        .collect::<Vec<_>>();
    let text = said[0]["text"].as_str().unwrap();
    let mut lines = text.lines();
    let folder = lines.next().unwrap();
    for word in ["heart", "expand", "exact", "runs", "nde"] {
        assert!(!folder.contains(word), "{folder}");
    }
    assert_eq!(lines.next(), Some(".tool"));
    let home = lines.next().unwrap().strip_prefix("HOME=").unwrap();
    assert_ne!(home, folder);
    for gone in [folder, home] {
        assert!(!Path::new(gone).exists(), "{gone}");
    }
    assert!(
        said[1]["event"]["mcpServers"]["x"]["args"].is_array(),
        "{said:?}"
    );
    // It never started its tools: that is no answer of its own.
    assert_eq!(
        bench.metrics("nde-expand_heart")["outcome"],
        "startup-error"
    );
}

#[test]
fn what_a_sweep_asks_for_is_handed_over_where_the_program_takes_it() {
    let bench = Bench::new();
    bench.agent(
        r#"shift 2
[ "$1" = "$(cat "$2")" ] && [ "$1" = "$3

$4" ] && echo same
shift 4
echo "rest: $*; $OKN_TEST_EFFORT; stdin: $(wc -c | tr -d ' ')"; pwd > "$WORK/here""#,
        "",
    );
    bench.write(
        "sh.toml",
        r#"command = ["./agent.sh", "{mcp_command_json}", "{mcp_args_json}", "{prompt}", "{prompt_file}", "{system}", "{user}", "{seconds}"]
[options]
model = ["--model", "{model}"]
effort = ["--effort={effort}"]
turns = ["--turns", "{turns}"]
usd = ["--usd", "{usd}"]
[set]
OKN_TEST_EFFORT = "as {effort}"
WORK = "{work}"
"#,
    );
    for (words, expected) in [
        (&[] as &[&str], "rest: 900 --turns 100; ; stdin: 0"),
        (
            &["--effort", "low"],
            "rest: 900 --effort=low --turns 100; as low; stdin: 0",
        ),
        (
            &[
                "--model",
                "m 1",
                "--effort",
                "high",
                "--turns",
                "7",
                "--agent-timeout",
                "600",
            ],
            "rest: 600 --model m 1 --effort=high --turns 7; as high; stdin: 0",
        ),
    ] {
        let _ = std::fs::remove_dir_all(bench.path("runs"));
        let output = bench.attempt(words);
        never_started_its_tools(&output);
        let transcript = bench.transcript("nde-expand_heart");
        assert!(
            transcript[1]["text"]
                .as_str()
                .unwrap()
                .contains("turns; a turn is one reply")
        );
        let said = transcript
            .iter()
            .find(|line| line["stream"] == "stdout")
            .unwrap();
        assert_eq!(
            said["text"].as_str(),
            Some(format!("same\n{expected}").as_str())
        );
        // What is shown of the command does not repeat the prompt.
        let shown = transcript
            .iter()
            .find(|line| line["arguments"].is_array())
            .unwrap();
        assert_eq!(shown["arguments"][2], "{prompt}");
        assert_eq!(shown["arguments"][4], "{system}");
    }
}

/// Whether a process runs; one that has ended and was not waited for does not.
fn runs(pid: &str) -> bool {
    let pid = pid.trim();
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim_start()
            .starts_with('Z'),
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        Err(_) => std::process::Command::new("kill")
            .args(["-0", pid])
            .status()
            .unwrap()
            .success(),
    }
}

#[test]
fn at_the_limit_nothing_of_it_survives() {
    let bench = Bench::new();
    let pids = bench.path("pids");
    let script = format!(
        r#"exec 2>/dev/null
{{ hello; call 1 submit_csv '{{"csv":"name,condition,datasets\\n"}}'; sleep 1000; }} | tools "$1" "$2" > replies.jsonl &
trap '' TERM
sh -c 'trap "" TERM; sleep 1000 & echo $!; wait' >> {pids} &
echo $! >> {pids}
if command -v setsid > /dev/null; then setsid sh -c 'echo $$ >> {pids}; sleep 1000; sleep 1000' & fi
echo $$ >> {pids}
echo begun
while :; do sleep 1; done
"#,
        pids = pids.display()
    );
    bench.agent(&script, "");
    let output = bench.attempt(&["--agent-timeout", "4"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let pids = bench.read("pids");
    assert!(pids.lines().count() >= 6, "{pids}");
    for pid in pids.lines() {
        assert!(!runs(pid), "{pid} of {pids}");
    }
    let metrics = bench.metrics("nde-exact_heart");
    // What it had submitted before counts.
    assert_eq!(metrics["outcome"], "answered-empty", "{metrics:#}");
    assert_eq!(metrics["flags"]["timed_out"], true);
    assert_eq!(metrics["usage"]["cost_incomplete"], true);
    assert_eq!(metrics["usage"]["input_tokens"], Value::Null);
    let transcript = bench.transcript("nde-exact_heart");
    assert!(
        transcript.iter().any(|line| line["text"] == "begun"),
        "{transcript:?}"
    );
    assert!(bench.json("runs/nde-exact_heart/1/recording.json")["ended"].is_string());
}

#[test]
fn what_a_program_leaves_behind_ends_with_it() {
    let bench = Bench::new();
    let pids = bench.path("pids");
    let script = format!(
        "sleep 1000 > /dev/null 2>&1 &\necho $! >> {}",
        pids.display()
    );
    bench.agent(&script, "");
    let output = bench.attempt(&[]);
    never_started_its_tools(&output);
    let pids = bench.read("pids");
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        assert!(!runs(pid), "{pid}");
    }
}

#[test]
fn ctrl_c_ends_the_program_too() {
    let bench = Bench::new();
    let pids = bench.path("pids");
    let script = format!(
        "sleep 1000 &\necho $! >> {0}\necho $$ >> {0}\nwait",
        pids.display()
    );
    bench.agent(&script, "");
    let mut run = bench
        .command(&[
            "run",
            "--agent",
            "command",
            "--program",
            "sh.toml",
            "--tier",
            "heart",
            "--out",
            "runs",
        ])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let said = || std::fs::read_to_string(&pids).unwrap_or_default();
    while said().lines().count() < 2 {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = run.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(run.wait().unwrap().code(), Some(130));
    for pid in said().lines() {
        assert!(!runs(pid), "{pid}");
    }
    assert!(!bench.path("runs/nde-exact_heart").exists());
}

#[test]
fn keys_pass_by_name_and_appear_nowhere() {
    let bench = Bench::new();
    let key = "sk-very\"secret\\0123456789";
    bench.agent(
        r#"escaped=$(printf %s "$OKN_TEST_KEY" | sed 's/[\\"]/\\&/g')
{ hello; call 1 query "{\"graph_name\":\"nde\",\"query_string\":\"$escaped\"}"; } | tools "$1" "$2" > /dev/null
printf '%s\n' "key $OKN_TEST_KEY, other ${OKN_TEST_OTHER-none}, not named ${OKN_TEST_UNNAMED-none}"
printf '{"type":"result","is_error":true,"result":"no such key: %s"}\n' "$(printf %s "$OKN_TEST_KEY" | sed 's/[\\"]/\\&/g')"
printf '%s\n' "it was $OKN_TEST_KEY" >&2
exit 3"#,
        "needs = [\"OKN_TEST_KEY\"]\nenv = [\"OKN_TEST_ABSENT\"]",
    );
    let output = bench.attempt(&["--env", "OKN_TEST_OTHER"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("needs the variable OKN_TEST_KEY, which is not set"));
    assert!(!bench.path("runs").exists());

    let run = [
        "run",
        "--agent",
        "command",
        "--program",
        "sh.toml",
        "--env",
        "OKN_TEST_OTHER",
        "--out",
        "runs",
    ];
    let output = bench
        .command(&run)
        .env("OKN_TEST_KEY", key)
        .env("OKN_TEST_OTHER", "1")
        .env("OKN_TEST_UNNAMED", "x")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("4 × no such key: ***"));
    let transcript = bench.read("runs/nde-expand_sugar/1/transcript.jsonl");
    assert!(
        transcript.contains("key ***, other 1, not named none"),
        "{transcript}"
    );
    assert!(transcript.contains("OKN_TEST_KEY"), "{transcript}");
    // What the program sent to its tools is recorded without the key, too.
    let calls = bench.read("runs/nde-expand_sugar/1/calls.jsonl");
    assert!(calls.contains(r#""query_string":"***""#), "{calls}");
    let metrics = bench.metrics("nde-expand_sugar");
    assert_eq!(metrics["outcome"], "agent-error");
    assert_eq!(metrics["flags"]["model_api_failed"], true);
    assert_eq!(metrics["reason"], "no such key: ***");
    let mut files = vec![bench.path("runs")];
    let mut seen = 0;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(
                std::fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains("0123456789"), "{}: {text}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen}");
    for text in [&output.stdout, &output.stderr] {
        assert!(!String::from_utf8_lossy(text).contains("0123456789"));
    }
}

/// Hiding what is secret in a recording replaces its files, and the transcript is one that is still written to.
#[test]
fn a_transcript_is_whole_where_a_secret_stands_in_its_prompt() {
    let bench = Bench::new();
    bench.agent("printf '%s\\n' said", "needs = [\"OKN_TEST_KEY\"]");
    let run = [
        "run",
        "--agent",
        "command",
        "--program",
        "sh.toml",
        "--out",
        "runs",
    ];
    let output = bench
        .command(&run)
        .env("OKN_TEST_KEY", "associations")
        .output()
        .unwrap();
    let transcript = bench.transcript("nde-expand_sugar");
    let told = transcript.iter().map(Value::to_string);
    let told: Vec<String> = told.collect();
    assert!(
        told.iter()
            .any(|line| line.contains("clinical associations")),
        "{told:?} {}",
        stderr(&output)
    );
    assert!(told.iter().any(|line| line.contains("said")), "{told:?}");
    assert!(told.last().unwrap().contains("exit status: 0"), "{told:?}");
}

#[test]
fn how_a_program_ended_is_told_apart() {
    let tools = r#"{ hello; } | tools "$1" "$2" > /dev/null"#;
    for (name, script, outcome, reason) in [
        ("done without an answer", tools, "no-answer", None),
        (
            "its own failure",
            &format!("{tools}\necho bad flag >&2\nexit 7"),
            "agent-error",
            Some("it ended with exit status: 7; it said: bad flag"),
        ),
        (
            "it never started its tools",
            "echo which tools >&2",
            "startup-error",
            Some(
                "the program never started its tools, and it ended with exit status: 0; it said: which tools",
            ),
        ),
        (
            "its allowance",
            &format!(
                r#"{tools}; echo '{{"type":"result","subtype":"error_max_turns","is_error":true}}'; exit 1"#
            ),
            "budget",
            Some("the allowance of turns was used up"),
        ),
    ] {
        let bench = Bench::new();
        bench.agent(script, "");
        let output = bench.attempt(&[]);
        // The other record's attempt went the same way: where both were lost, nothing is known.
        let is_lost = outcome == "startup-error";
        assert_eq!(
            output.status.code(),
            Some(i32::from(is_lost)),
            "{name}: {}",
            stderr(&output)
        );
        let metrics = bench.metrics("nde-expand_heart");
        assert_eq!(metrics["outcome"], outcome, "{name}: {metrics:#}");
        assert_eq!(
            metrics.get("reason").and_then(Value::as_str),
            reason,
            "{name}"
        );
    }
}

#[test]
fn much_output_is_bounded_and_stops_nobody() {
    let bench = Bench::new();
    bench.agent(
        "head -c 9000000 /dev/zero | tr '\\0' x\necho\necho '{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}'\nhead -c 9000000 /dev/zero | tr '\\0' y >&2",
        "",
    );
    let output = bench.attempt(&[]);
    never_started_its_tools(&output);
    let size = bench.read("runs/nde-expand_heart/1/transcript.jsonl").len();
    assert!((8 << 20..10 << 20).contains(&size), "{size}");
    assert_eq!(
        bench.metrics("nde-expand_heart")["usage"]["input_tokens"],
        7
    );
    let cut: Vec<Value> = bench
        .transcript("nde-expand_heart")
        .into_iter()
        .filter(|line| line["cut_bytes"].is_u64())
        .collect();
    assert_eq!(cut.len(), 2);
}

#[test]
fn the_programs_files_are_read_and_say_how_to_install_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../profiles/agents");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let program = Program::read(&file).unwrap();
        assert!(program.takes(OptionName::Model), "{}", program.name);
        assert!(!program.requires(OptionName::Model), "{}", program.name);
        let install = program.install.unwrap();
        assert!(install.starts_with("npm install -g @"), "{install}");
        assert!(program.set.contains_key("HOME"), "{}", program.name);
        names.push(program.name);
    }
    names.sort();
    assert_eq!(names, ["claude-code", "codex", "gemini-cli"]);
}

#[test]
fn what_cannot_work_is_refused_before_anything_runs() {
    let bench = Bench::new();
    bench.agent("exit 0", "install = \"make it\"");
    bench.write("gone.toml", "command = [\"no-such-agent\", \"{mcp_config}\"]\ninstall = \"npm install -g no-such-agent\"");
    bench.write(
        "typo.toml",
        "command = [\"sh\", \"{mcp_config}\"]\n\n[option]\nmodel = []",
    );
    bench.write(
        "out.toml",
        "command = [\"sh\", \"{mcp_config}\"]\n[files]\n\"../x\" = \"\"",
    );
    bench.write("old.toml", "command = [\"sh\", \"{mcp_config}\"]\nversion = [\"sh\", \"-c\", \"echo broken >&2; exit 1\"]");
    bench.write(
        "model.toml",
        "command = [\"sh\", \"{mcp_config}\", \"{model}\"]",
    );
    bench.write(
        "turns.toml",
        "command = [\"sh\", \"{mcp_config}\"]\n[options]\nturns = [\"{turns}\"]",
    );
    let cases: &[(&[&str], &[&str])] = &[
        (
            &[],
            &["no agent program was given", "hint: give it with --program"],
        ),
        (
            &["--program", "gone.toml"],
            &[
                "there is no program `no-such-agent`",
                "hint: install it: npm install -g no-such-agent",
            ],
        ),
        (&["--program", "none.toml"], &["cannot read none.toml"]),
        (
            &["--program", "typo.toml"],
            &["typo.toml:3:2: unknown field `option`"],
        ),
        (
            &["--program", "out.toml"],
            &["the file ../x would not lie in the program's folder"],
        ),
        (
            &["--program", "old.toml"],
            &["`sh` does not say its version", "broken"],
        ),
        (&["--program", "model.toml"], &["model needs --model"]),
        (
            &["--program", "sh.toml", "--model", "m"],
            &["sh has no place for --model"],
        ),
        (
            &["--program", "sh.toml", "--turns", "5"],
            &[
                "sh has no place for --turns",
                "such as turns = [\"--turns\", \"{turns}\"]; of the files beside it, turns have one",
            ],
        ),
        (
            &["--program", "sh.toml", "--max-usd", "5"],
            &["sh has no place for --max-usd"],
        ),
        (
            &["--program", "sh.toml", "--prices", "none.toml"],
            &["command:sh has no place for --prices"],
        ),
        (
            &["--program", "sh.toml", "--max-tokens", "9"],
            &["cannot be held to an allowance of tokens"],
        ),
        (
            &["--program", "sh.toml", "--env", "OKN_TEST_UNSET"],
            &["needs the variable OKN_TEST_UNSET"],
        ),
        (
            &["--command", "sh -c {prompt}"],
            &["does not tell the program of its tools"],
        ),
        (
            &["--command", "sh {mcp_config} {promt}"],
            &["there is no {promt} to fill in"],
        ),
        (&["--command", "sh 'x"], &["ends within quotation marks"]),
        (&["--command", ""], &["names no program"]),
        (
            &["--command", "./agent.sh", "--program", "sh.toml"],
            &["cannot be used with"],
        ),
    ];
    for (words, expected) in cases {
        let start = ["run", "--agent", "command", "--out", "runs"];
        let output = bench.command(&[&start, *words].concat()).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        for part in *expected {
            assert!(said.contains(part), "{words:?}: {said}");
        }
        assert!(!bench.path("runs").exists(), "{words:?}");
    }
}

#[test]
fn a_line_is_a_program_too() {
    let bench = Bench::new();
    bench.agent("exit 0", "");
    let line = "./agent.sh '{mcp_command_json}' {mcp_config}";
    let output = bench
        .command(&[
            "run",
            "--agent",
            "command",
            "--command",
            line,
            "--tier",
            "heart",
            "--out",
            "runs",
        ])
        .output()
        .unwrap();
    never_started_its_tools(&output);
    assert_eq!(bench.metrics("nde-expand_heart")["agent"], "command:agent");
}
