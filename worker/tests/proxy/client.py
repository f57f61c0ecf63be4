"""An agent in the Python client of the Model Context Protocol: initialise, list, call, submit.

    client.py PROGRAM PROFILE OUT TOOL ARGUMENTS

Prints what it saw as one line of JSON.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def text(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


async def main(program, profile, out, tool, arguments):
    parameters = StdioServerParameters(
        command=program, args=["mcp", "proxy", "--profile", profile, "--out", out, "--timeout", "2"]
    )
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        names, cursor = [], None
        while True:
            page = await session.list_tools(cursor=cursor) if cursor else await session.list_tools()
            names += [entry.name for entry in page.tools]
            cursor = page.nextCursor
            if not cursor:
                break
        calls = []
        for _ in range(2):
            result = await session.call_tool(tool, json.loads(arguments))
            calls.append({"is_error": bool(result.isError), "text": text(result)[:200]})
        submitted = await session.call_tool("submit_csv", {"csv": "a\n1\n"})
    return {
        "server": hello.serverInfo.name,
        "tools": names,
        "calls": calls,
        "submitted": text(submitted),
    }


print(json.dumps(asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))))
