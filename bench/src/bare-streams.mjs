// Reference server for streaming: writes the body of a PUT to a file, at /digest returns its MD5, as S3 must, at /drop
// discards it; returns as many bytes for a GET as its path says. Usage: node bare-streams.mjs <port>
import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

const folder = mkdtempSync(join(tmpdir(), 'emu-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit(0));

const CHUNK = Buffer.alloc(64 * 1024, 'x');

function* chunks(bytes) {
  for (let left = bytes; left > 0; left -= CHUNK.length) yield left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
}

createServer((request, response) => {
  if (request.method === 'GET') {
    const bytes = Number(request.url.slice(1));
    response.writeHead(200, { 'content-length': bytes });
    Readable.from(chunks(bytes), { objectMode: false }).pipe(response);
    return;
  }
  if (request.url === '/drop') {
    request.resume();
    request.on('end', () => response.end());
    return;
  }
  const hash = request.url === '/digest' ? createHash('md5') : undefined;
  if (hash) request.on('data', (chunk) => hash.update(chunk));
  const file = createWriteStream(join(folder, 'body'));
  request.pipe(file).on('finish', () => response.end(hash?.digest('hex')));
}).listen(Number(process.argv[2]), '127.0.0.1');
