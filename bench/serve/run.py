#!/usr/bin/env python3
"""How fast `federation serve` answers the keys, beside Oxigraph's own server on the same data, in the same run.

    cargo build --release -p worker
    python3 bench/serve/run.py target/release/okn-benchmark [--turns 15] [--peer BIN]

Both servers hold the snapshot in memory and are asked over HTTP by one client, which keeps its connection and reads the
reply to its end. They take turns, key by key, so that whatever else the machine does falls on both alike. Rows are
compared before any time is taken. The peer is the package `oxigraph` from PyPI, the server that the Oxigraph project
publishes; it is installed into a temporary environment where that is possible, and the run says so where it is not.
"""

import argparse
import gzip
import http.client
import json
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

PEER = "oxigraph==0.5.13"
ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = {"accept": "application/sparql-results+json", "content-type": "application/sparql-query"}


class Server:
    def __init__(self, name, process, address):
        self.name, self.process = name, process
        parts = urllib.parse.urlsplit(address)
        self.path = parts.path
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)

    def post(self, path, body, headers):
        self.connection.request("POST", path, body, headers)
        reply = self.connection.getresponse()
        content = reply.read()
        if reply.status >= 300:
            raise SystemExit(f"{self.name}: {reply.status}: {content[:500].decode(errors='replace')}")
        return content

    def ask(self, query):
        start = time.perf_counter()
        content = self.post(self.path, query, RESULTS)
        return content, (time.perf_counter() - start) * 1000


def ours(program, snapshot):
    command = [program, "federation", "serve", "--port", "0", "--snapshot", snapshot]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return Server("okn-benchmark", process, process.stdout.readline().strip())


def theirs(program, snapshot):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
    # On disk it is slower: without --location it keeps everything in memory, as we do.
    command = [program, "serve", "--bind", address]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = Server(PEER, process, f"http://{address}/query")
    for _ in range(100):
        try:
            server.connection.connect()
            break
        except OSError:
            time.sleep(0.1)
    for entry in json.loads((snapshot / "manifest.json").read_bytes())["files"]:
        data = gzip.decompress((snapshot / entry["file"]).read_bytes())
        server.post("/store", data, {"content-type": "application/trig"})
    return server


def installed(folder):
    """The peer's program, or why there is none."""
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
        pip = [f"{folder}/bin/pip", "install", "-q", PEER]
        subprocess.run(pip, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return None, (getattr(error, "stderr", None) or str(error)).strip().splitlines()[-1:]
    return f"{folder}/bin/oxigraph", None


def rows(content):
    bindings = json.loads(content)["results"]["bindings"]
    return [{name: (cell["type"], cell["value"]) for name, cell in row.items()} for row in bindings]


def keys():
    """The queries of the corpus, without their headers."""
    for path in sorted((ROOT / "benchmarks-ontology").glob("*.rq")):
        lines = path.read_text(encoding="utf-8").splitlines()
        yield path.stem, "\n".join(line for line in lines if not line.startswith("#+"))


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--peer", help="a server that is installed already")
    arguments = parser.parse_args()
    snapshot = ROOT / "benchmarks-ontology" / "snapshot"

    with tempfile.TemporaryDirectory() as folder:
        peer, why = (arguments.peer, None) if arguments.peer else installed(folder)
        servers = [ours(arguments.program, snapshot)]
        try:
            if peer:
                servers.append(theirs(peer, snapshot))
            else:
                print(f"SKIPPED the peer: {why}")
            measure(servers, arguments.turns)
        finally:
            for server in servers:
                server.process.kill()
                server.process.wait()


def measure(servers, turns):
    print(f"{processor()}; medians of {turns} turns, milliseconds\n")
    print(f"{'key':36}" + "".join(f"{server.name:>20}" for server in servers) + f"{'ratio':>8}")
    totals = [0.0] * len(servers)
    for name, query in keys():
        replies = [rows(server.ask(query)[0]) for server in servers]
        if any(reply != replies[0] for reply in replies):
            raise SystemExit(f"{name}: the servers' rows differ")
        times = [[] for _ in servers]
        for _ in range(turns):
            for server, taken in zip(servers, times):
                taken.append(server.ask(query)[1])
        medians = [statistics.median(taken) for taken in times]
        totals = [total + median for total, median in zip(totals, medians)]
        print(line(name, medians))
    print(line("all keys", totals))


def line(name, medians):
    ratio = f"{medians[0] / medians[1]:8.2f}" if len(medians) > 1 else f"{'–':>8}"
    return f"{name:36}" + "".join(f"{median:20.2f}" for median in medians) + ratio


if __name__ == "__main__":
    main()
