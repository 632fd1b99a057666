// What streaming is compared with: drops the body of a PUT as it arrives, and answers a GET with as many bytes as its
// path says. Usage: node bare-streams.mjs <port>
import { createServer } from 'node:http';
import { Readable } from 'node:stream';

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
  request.resume();
  request.on('end', () => response.end());
}).listen(Number(process.argv[2]), '127.0.0.1');
