import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InProcessHandler, SdkHttpRequest } from '../../http/in-process.ts';

/**
 * An SDK `requestHandler` whose client disconnects in the middle of each request's body: it sends the head and half of
 * the body, and cuts the connection. Requests fail with `ECONNRESET`.
 * @param port of 127.0.0.1 on which the emulator listens
 */
export function abortingHandler(port: number): InProcessHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async (request) => {
      await sendHalf(port, request);
      throw Object.assign(new Error('the client has gone away'), { code: 'ECONNRESET' });
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
}

async function sendHalf(port: number, { method, path, headers, body }: SdkHttpRequest): Promise<void> {
  if (!(typeof body === 'string' || body instanceof Uint8Array))
    throw new TypeError('the body is neither text nor bytes');
  const bytes = Buffer.from(body);
  const head = Object.entries({ ...headers, host: `127.0.0.1:${port}`, 'content-length': String(bytes.length) });
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject);
  });
  socket.on('error', () => undefined);
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
  );
  socket.write(bytes.subarray(0, bytes.length >> 1));
  // Long enough for the emulator to start reading.
  await sleep(5);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
}
