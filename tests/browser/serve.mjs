// A static server for the built site, on 127.0.0.1 and a free port: what any static host does, and nothing more.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json', '.wasm': 'application/wasm', '.gz': 'application/gzip', '.csv': 'text/csv; charset=utf-8',
};

/** Serves `folder` below `prefix` (a path such as `/some/folder/`) and resolves to `{ url, close }`. */
export async function serve(folder, prefix = '/') {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const inside = path.startsWith(prefix) ? normalize(path.slice(prefix.length)) : '..';
    if (inside.startsWith('..') || inside.startsWith(sep)) return response.writeHead(404).end();
    const file = join(folder, inside === '.' || inside === '' ? 'index.html' : inside);
    try {
      const body = await readFile(file);
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }),
  };
}
