// Reference server: reads each body and returns fixed JSON. Usage: node bare-server.mjs <port> [<json>]
import { createServer } from 'node:http';

const [port, json = '{}'] = process.argv.slice(2);
createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    Buffer.concat(chunks);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
    response.end(json);
  });
}).listen(Number(port), '127.0.0.1');
