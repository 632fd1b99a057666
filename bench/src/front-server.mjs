// node front-server.mjs <port> raw|hono: every service of emu behind its own listener, which takes calls of services'
// APIs past the Hono application, or behind a server that hands every request to the application.
import { createServer } from 'node:http';
import { createEmulator } from '@emu/emulator';
import { getRequestListener } from '@hono/node-server';

const [port, front] = process.argv.slice(2);
const emulator = await createEmulator({ logLevel: 'error' });
if (front === 'raw') await emulator.listen({ port: Number(port) });
else {
  const options = { overrideGlobalObjects: false, autoCleanupIncoming: false };
  createServer(getRequestListener(emulator.gateway.fetch, options)).listen(Number(port), '127.0.0.1');
}
process.once('SIGTERM', () => process.exit(0));
