#!/usr/bin/env python3
"""What the recording proxy costs, beside a direct connection and beside a public proxy, in the same run.

    cargo build --release -p worker
    python3 bench/proxy/run.py target/release/okn-benchmark [--calls 1000] [--long 10000] [--peer BIN]

The server is `okn-benchmark mcp serve`, the call `list_graphs`. The client writes a line and reads a line: no library of
its own adds time. Connections take turns, a hundred calls each, so that whatever else the machine does falls on all of
them alike. The peer is `mcp-proxy` from PyPI, which records nothing; it is installed into a temporary environment where
that is possible, and the run says so where it is not.
"""

import argparse
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

TURN = 100


def request(number, name="list_graphs", arguments=None):
    params = {"name": name, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Stdio:
    """A server or proxy on pipes."""

    def __init__(self, name, command, **options):
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options
        )
        self.number = 0
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        self.receive()
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"{self.name}: ended without an answer")
            if b'"id"' in line:
                return line

    def call(self):
        self.number += 1
        self.send(request(self.number))
        line = self.receive()
        if b'"result"' not in line:
            raise SystemExit(f"{self.name}: {line[:300]!r}")

    def flood(self, count, window=32):
        """Calls with up to `window` of them under way; calls a second."""
        started, sent, received = time.perf_counter(), 0, 0
        while received < count:
            while sent < count and sent - received < window:
                self.number += 1
                self.send(request(self.number))
                sent += 1
            self.receive()
            received += 1
        return count / (time.perf_counter() - started)

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmRSS"):
                    return int(line.split()[1]) / 1024
        return float("nan")

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


class Http:
    """A server of streamable HTTP, over one connection."""

    def __init__(self, name, url):
        self.name = name
        self.url = urllib.parse.urlparse(url)
        self.connection = http.client.HTTPConnection(self.url.hostname, self.url.port)
        self.connection.connect()
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        self.number = 0
        reply = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        session = reply.getheader("mcp-session-id")
        reply.read()
        if session:
            self.headers["Mcp-Session-Id"] = session
        self.headers["MCP-Protocol-Version"] = HELLO["protocolVersion"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).read()

    def post(self, message):
        self.connection.request("POST", self.url.path, json.dumps(message), self.headers)
        return self.connection.getresponse()

    def call(self):
        self.number += 1
        body = self.post(request(self.number)).read()
        if b'"result"' not in body:
            raise SystemExit(f"{self.name}: {body[:300]!r}")


def measure(links, calls):
    times = {link.name: [] for link in links}
    for link in links:
        for _ in range(TURN):
            link.call()
    for _ in range(calls // TURN):
        for link in links:
            for _ in range(TURN):
                started = time.perf_counter()
                link.call()
                times[link.name].append((time.perf_counter() - started) * 1000)
    return times


def tell(times, base):
    direct = statistics.median(times[base])
    for name, series in times.items():
        series.sort()
        median, high = statistics.median(series), series[int(len(series) * 0.99)]
        added = "" if name == base else f"   added {median - direct:+.3f} ms"
        print(f"  {name:34} median {median:7.3f} ms   p99 {high:7.3f} ms{added}")


def peer(given, folder):
    if given:
        return given
    environment = folder / "peer"
    try:
        subprocess.run([sys.executable, "-m", "venv", environment], check=True, capture_output=True)
        subprocess.run([environment / "bin/pip", "install", "-q", "mcp-proxy"], check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        print(f"SKIPPED the peer: mcp-proxy cannot be installed here ({error.stderr.decode()[-200:].strip()})")
        return None
    return environment / "bin/mcp-proxy"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--long", type=int, default=10000)
    parser.add_argument("--corpus", default="worker/tests/fixtures/benchmarks")
    parser.add_argument("--peer")
    options = parser.parse_args()
    program, corpus = os.path.abspath(options.program), os.path.abspath(options.corpus)
    serve = [program, "mcp", "serve", "--corpus", corpus]

    with open("/proc/cpuinfo") as cpus:
        model = next(line.split(":")[1].strip() for line in cpus if line.startswith("model name"))
    print(f"{model}, {os.cpu_count()} cores, {options.calls} calls a connection, one after another")

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        server = subprocess.Popen(serve + ["--http", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        url = server.stdout.readline().decode().strip()

        def proxy(name, upstream):
            profile = folder / f"{name}.toml"
            profile.write_text(f"[upstream]\n{upstream}\n")
            return [program, "mcp", "proxy", "--profile", profile, "--out", folder / name]

        print("server as a command")
        links = [Stdio("direct", serve), Stdio("through the proxy", proxy("command", f"command = {json.dumps(serve)}"))]
        tell(measure(links, options.calls), "direct")
        for link in links:
            print(f"  {link.name:34} {link.flood(options.calls):7.0f} calls/s, up to 32 under way")

        print("server over HTTP")
        https = [Http("direct", url), Stdio("through the proxy", proxy("http", f'url = "{url}"'))]
        public = peer(options.peer, folder)
        if public:
            https.append(Stdio("through mcp-proxy (PyPI)", [public, "--transport", "streamablehttp", url]))
        tell(measure(https, options.calls), "direct")
        for link in https[1:]:
            print(f"  {link.name:34} {link.flood(options.calls):7.0f} calls/s, up to 32 under way")

        print(f"memory of the proxy over {options.long} calls more, resident MB")
        for link in (links[1], https[1]):
            figures = [link.memory()]
            for _ in range(4):
                for _ in range(options.long // 4):
                    link.call()
                figures.append(link.memory())
            print(f"  {link.name:34} " + " -> ".join(f"{figure:.1f}" for figure in figures))
        if public:
            print(f"  {https[2].name:34} {https[2].memory():.1f} after {https[2].number} calls")
        for link in links + https[1:]:
            link.close()
        recorded = sum(1 for _ in open(folder / "command" / "calls.jsonl"))
        if recorded != links[1].number:
            raise SystemExit(f"{recorded} calls are recorded of {links[1].number}")
        server.terminate()


if __name__ == "__main__":
    main()
