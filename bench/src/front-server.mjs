// node front-server.mjs <port> raw|hono: all services of emu behind emu's listener, which bypasses the Hono application
// for API requests, or behind a server that passes every request to the application.
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
