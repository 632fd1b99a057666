// Usage: node web-sockets.mjs <port> <path> <number>: requests WebSockets at once, and ends them at once when its input ends.
import { connect } from 'node:net';

const [port, path, number] = process.argv.slice(2);
const handshake = [
  `GET ${path} HTTP/1.1`,
  'host: 127.0.0.1',
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
  '\r\n',
].join('\r\n');
for (let count = 0; count < Number(number); count++) {
  // Nobody reads the response, so that the end of the process resets the connection.
  connect(Number(port), '127.0.0.1').write(handshake);
}
process.stdin.on('end', () => process.exit()).resume();
