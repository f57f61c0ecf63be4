"""An agent in the Python client of the Model Context Protocol: initialise, list, call, submit.

    client.py PROGRAM PROFILE OUT TOOL ARGUMENTS

Prints what it saw as one line of JSON. Both lines of the package (1 and 2) name their members differently; by its alias,
as the protocol has it, a member has one name in both.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import PaginatedRequestParams


def plain(model):
    return model.model_dump(by_alias=True, mode="json")


def text(result):
    return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")


async def main(program, profile, out, tool, arguments):
    parameters = StdioServerParameters(
        command=program, args=["mcp", "proxy", "--profile", profile, "--out", out, "--timeout", "2"]
    )
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        hello = plain(await session.initialize())
        names, cursor = [], None
        while True:
            page = plain(await session.list_tools(params=PaginatedRequestParams(cursor=cursor)))
            names += [entry["name"] for entry in page["tools"]]
            cursor = page.get("nextCursor")
            if not cursor:
                break
        calls = []
        for _ in range(2):
            result = plain(await session.call_tool(tool, json.loads(arguments)))
            calls.append({"is_error": bool(result["isError"]), "text": text(result)[:200]})
        submitted = plain(await session.call_tool("submit_csv", {"csv": "a\n1\n"}))
    return {
        "server": hello["serverInfo"]["name"],
        "tools": names,
        "calls": calls,
        "submitted": text(submitted),
    }


print(json.dumps(asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))))
