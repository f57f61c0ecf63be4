"""Sentences a second: the program's encoder beside sentence-transformers, on the same texts in one run.

    python3 bench/encoder/run.py --model all-MiniLM-L6-v2 [--program target/release/okn-benchmark] [--texts 3000] [--rounds 5]

The contestants take turns, each with as many threads as there are processors; reading the model is in neither time. sentence-transformers must be importable.
"""

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import sentence_transformers
import torch
from sentence_transformers import SentenceTransformer

KINDS = {"ten words": [10], "labels, 1 to 4 words": [1, 2, 3, 4], "5 to 60 words": list(range(5, 61))}


def texts(words, lengths, count):
    chance = random.Random(7)
    return [" ".join(chance.choice(words) for _ in range(chance.choice(lengths))) for _ in range(count)]


def ours(program, model, sentences, folder):
    third = len(sentences) // 3
    rows = zip(sentences[:third], sentences[third:2 * third], sentences[2 * third:])
    data = folder / "triplets.jsonl"
    data.write_text("".join(json.dumps(dict(zip(("anchor", "positive", "negative"), row))) + "\n" for row in rows))
    command = [program, "ava", "evaluate", "--data", data, "--model", model, "--out", folder / "result.json", "--no-cache", "--json"]
    run = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["run"]
    return run["texts_computed"] / run["seconds"]


def theirs(model, sentences):
    began = time.perf_counter()
    model.encode(sentences, batch_size=32, convert_to_numpy=True, show_progress_bar=False)
    return len(sentences) / (time.perf_counter() - began)


def processor():
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--model", required=True)
    options.add_argument("--program", default="target/release/okn-benchmark")
    options.add_argument("--texts", type=int, default=3000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--peer-threads", type=int, default=os.cpu_count(), help="torch by itself takes one for two that share a core")
    options = options.parse_args()
    count = options.texts // 3 * 3
    torch.set_num_threads(options.peer_threads)
    peer = SentenceTransformer(options.model, device="cpu")
    words = sorted(word for word in peer.tokenizer.get_vocab() if word.isascii() and word.isalpha() and len(word) > 2)
    backend = [line.strip(" -") for line in torch.__config__.show().splitlines() if "CPU capability" in line or "MKL" in line]
    print(f"{processor()}, {os.cpu_count()} processors; sentence-transformers {sentence_transformers.__version__}, torch {torch.__version__} "
          f"({torch.get_num_threads()} threads, {'; '.join(backend)[:200]}); medians of {options.rounds} rounds, {count} texts")
    print("| texts | ours /s | peer /s | ours is … times as fast |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for kind, lengths in KINDS.items():
            sentences = texts(words, lengths, count)
            rounds = [(ours(options.program, options.model, sentences, Path(folder)), theirs(peer, sentences))
                      for _ in range(options.rounds)]
            mine, other = (statistics.median(side) for side in zip(*rounds))
            ratio = statistics.median(a / b for a, b in rounds)
            print(f"| {kind} | {mine:.0f} | {other:.0f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
