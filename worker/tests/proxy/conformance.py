"""The agent of the conformance suite: it reaches the suite's server through the proxy, and only so.

    conformance.py PROGRAM URL

Initialises, lists, calls every tool of the server, and answers the server's own questions by accepting their defaults.
Ends with status 0 where every call came back.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

ARGUMENTS = {"add_numbers": {"a": 5, "b": 3}}
CAPABILITIES = {"elicitation": {"applyDefaults": True}, "sampling": {}}


class Proxy:
    def __init__(self, program, url, folder):
        profile = folder / "suite.toml"
        profile.write_text(f'[upstream]\nurl = "{url}"\n')
        command = [program, "mcp", "proxy", "--profile", profile, "--out", folder / "out", "--timeout", "20"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']}")
                return message["result"]
            if message.get("method") == "elicitation/create":
                fields = message["params"]["requestedSchema"]["properties"]
                content = {name: field["default"] for name, field in fields.items() if "default" in field}
                self.send({"id": message["id"], "result": {"action": "accept", "content": content}})
        raise SystemExit(f"{method}: the proxy ended")


def main(program, url):
    with tempfile.TemporaryDirectory() as folder:
        proxy = Proxy(program, url, pathlib.Path(folder))
        client = {"name": "okn-benchmark-conformance", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": CAPABILITIES, "clientInfo": client}
        proxy.ask("initialize", hello)
        proxy.send({"method": "notifications/initialized"})
        names = [tool["name"] for tool in proxy.ask("tools/list", {})["tools"]]
        assert names.count("submit_csv") == 1, names
        for name in names:
            if name != "submit_csv":
                result = proxy.ask("tools/call", {"name": name, "arguments": ARGUMENTS.get(name, {})})
                print(name, json.dumps(result), file=sys.stderr)
        proxy.process.stdin.close()
        sys.exit(proxy.process.wait(timeout=10))


main(*sys.argv[1:])
