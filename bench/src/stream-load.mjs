// Transfers bodies sequentially and prints the bytes per second as JSON. Runs in its own process, so that it can use
// its own core. Usage: node stream-load.mjs '<JSON>' with { url, method, path, bytes, seconds }.
import { Agent, request } from 'node:http';
import { crc32 } from 'node:zlib';

const { url, method, path, bytes, seconds } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const CHUNK = Buffer.alloc(256 * 1024, 'x');

/** Header sent with each body, as in SDKs: its CRC-32. */
function uploadHeaders() {
  let crc = 0;
  for (let left = bytes; left > 0; left -= CHUNK.length) crc = crc32(CHUNK.subarray(0, left), crc);
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(crc);
  return { 'content-length': bytes, 'x-amz-checksum-crc32': digest.toString('base64') };
}

const headers = method === 'PUT' ? uploadHeaders() : {};

const move = () =>
  new Promise((resolve, reject) => {
    const call = request(url + path, { method, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${method} ${path} was answered ${response.statusCode}`));
      response.resume();
      response.on('end', resolve);
    }).on('error', reject);
    let left = method === 'PUT' ? bytes : 0;
    const write = () => {
      while (left > 0) {
        const piece = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
        left -= piece.length;
        if (!call.write(piece)) return call.once('drain', write);
      }
      return call.end();
    };
    write();
  });

await move();
const started = performance.now();
let moved = 0;
while (performance.now() - started < seconds * 1000) {
  await move();
  moved += bytes;
}
console.log(JSON.stringify({ perSecond: (moved / (performance.now() - started)) * 1000 }));
agent.destroy();
