// What streaming is compared with: drops the body of a PUT as it arrives, or, at /kept, writes it to a file and answers
// with its MD5, and answers a GET with as many bytes as its path says. Usage: node bare-streams.mjs <port>
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
  if (request.url === '/kept') {
    const hash = createHash('md5');
    const file = createWriteStream(join(folder, 'kept'));
    request.on('data', (chunk) => hash.update(chunk));
    request.pipe(file).on('finish', () => response.writeHead(200, { etag: hash.digest('hex') }).end());
    return;
  }
  request.resume();
  request.on('end', () => response.end());
}).listen(Number(process.argv[2]), '127.0.0.1');
