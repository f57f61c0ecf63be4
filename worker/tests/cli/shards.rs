//! Parts of a sweep as `docs/sweeps.md` runs them, here as local processes, merged by copying and held against the whole.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::harness::Bench;

const SWEEP: &str = "--agent baseline:keyword --repeat 2";

/// The block of the page that is marked with this word.
fn block(word: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/sweeps.md");
    let page = fs::read_to_string(page).unwrap();
    let fence = page
        .lines()
        .position(|line| line.starts_with("```") && line.ends_with(word));
    let lines = page.lines().skip(fence.unwrap() + 1);
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("```")).collect();
    lines.join("\n")
}

/// What GNU parallel runs for one of its arguments.
fn of_parallel(shard: u32) -> String {
    let line = block("parallel");
    let template = line.split('\'').nth(1).unwrap();
    assert!(line.ends_with("::: 1 2 3"), "{line}");
    template.replace("{}", &shard.to_string())
}

/// What the container of the job runs.
fn of_kubernetes() -> String {
    let text = block("kubernetes");
    let script = text.lines().skip_while(|line| line.trim() != "- |").skip(1);
    let indent = "              ";
    let script: Vec<&str> = script.map_while(|line| line.strip_prefix(indent)).collect();
    assert!(script.len() > 1, "{text}");
    script.join("\n")
}

fn shell(bench: &Bench, script: &str, variables: &[(&str, String)]) -> Child {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("okn-benchmark"));
    let folder = program.parent().unwrap().display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.current_dir(bench.path("")).args(["-euc", script]);
    command.env("PATH", path).env("SWEEP", SWEEP);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn finished(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn shards_merged_by_copying_are_the_whole_sweep() {
    let number = |shard: u32| shard.to_string();
    for (name, start) in [
        (
            "parallel",
            Box::new(|bench: &Bench, shard| shell(bench, &of_parallel(shard), &[]))
                as Box<dyn Fn(&Bench, u32) -> Child>,
        ),
        (
            "slurm",
            Box::new(move |bench, shard| {
                let task = ("SLURM_ARRAY_TASK_ID", number(shard));
                let of = ("SLURM_ARRAY_TASK_COUNT", number(3));
                shell(bench, &block("slurm"), &[task, of])
            }),
        ),
        (
            "kubernetes",
            Box::new(move |bench, shard| {
                shell(
                    bench,
                    &of_kubernetes(),
                    &[("JOB_COMPLETION_INDEX", number(shard - 1))],
                )
            }),
        ),
    ] {
        let bench = Bench::new();
        let shards: Vec<Child> = (1..=3).map(|shard| start(&bench, shard)).collect();
        shards.into_iter().for_each(finished);
        let parts: Vec<usize> = (1..=3)
            .map(|shard| {
                let part = fs::read_dir(bench.path(&format!("shards/{shard}"))).unwrap();
                let records = part.filter(|entry| {
                    entry
                        .as_ref()
                        .unwrap()
                        .file_name()
                        .to_string_lossy()
                        .starts_with("nde-")
                });
                records.count()
            })
            .collect();
        assert_eq!(
            parts,
            [2, 1, 1],
            "{name}: four records, every third from each"
        );
        finished(shell(&bench, &block("merge"), &[]));

        let merged = bench.json(&format!("run {SWEEP} --out runs"));
        assert_eq!(
            (
                merged["summary"]["made"].as_u64(),
                merged["summary"]["kept"].as_u64()
            ),
            (Some(0), Some(8)),
            "{name}"
        );
        let whole = bench.json(&format!("run {SWEEP} --out whole"));
        assert_eq!(merged["cells"], whole["cells"], "{name}");
        let figures = |folder: &str| {
            let mut figures = bench.json(&format!("compare {folder}"))["cells"].clone();
            // What was measured in time differs from run to run.
            for record in figures.as_array_mut().unwrap() {
                record.as_object_mut().unwrap().remove("run");
                let figures = record["figures"].as_object_mut().unwrap();
                figures.retain(|name, _| !name.ends_with("seconds"));
            }
            figures
        };
        let records = figures("runs");
        assert_eq!(records.as_array().map(Vec::len), Some(4));
        assert_eq!(records, figures("whole"), "{name}");
    }
}

#[test]
fn a_shard_over_another_build_is_found_out_once_it_is_merged() {
    let bench = Bench::new();
    bench.json(&format!("run {SWEEP} --shard 1/2 --out shards/1"));
    bench.json(&format!("run {SWEEP} --shard 2/2 --out shards/2"));
    for n in ["1", "2"] {
        let file = format!("shards/2/nde-exact_sugar/{n}/recording.json");
        let mut recording: Value = bench.read_json(&file);
        recording["server"]["build"] = "another".into();
        bench.write(&file, recording.to_string());
    }
    let output = shell(&bench, &block("merge"), &[])
        .wait_with_output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("nde-exact_sugar/1 was made over another build of the server")
            && told.contains("hint:"),
        "{told}"
    );
}
