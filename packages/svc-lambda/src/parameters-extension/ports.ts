import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LocalPeers } from '@emu/core/service';
import type { ExtensionAnswer, ParametersExtension } from './extension.ts';

const HOST = '127.0.0.1';
const TOKEN = 'x-aws-parameters-secrets-token';

/** A port shared by extensions. */
interface Port {
  readonly server: Server;
  /** Keyed by request token. */
  readonly extensions: Map<string, ParametersExtension>;
}

/** A reachable extension. */
export interface OpenExtension {
  readonly port: number;
  close(): void;
}

/**
 * Ports through which local processes reach their extensions. Concurrent functions share a port: the request's token
 * selects the extension.
 */
export class ExtensionPorts {
  private readonly open = new Map<number, Promise<Port>>();

  /**
   * Makes an extension reachable at its port or, if that is taken and was not configured by the function, at a free
   * one.
   * @throws Error if a configured port is not available
   */
  async add(extension: ParametersExtension): Promise<OpenExtension> {
    const { port, portChosen } = extension.settings;
    try {
      return await this.addAt(port, extension);
    } catch (error) {
      if (portChosen) throw error;
      return this.addAt(0, extension);
    }
  }

  private async addAt(wanted: number, extension: ParametersExtension): Promise<OpenExtension> {
    const opening = this.open.get(wanted) ?? listen(wanted);
    // Port 0 yields a new free port each time.
    if (wanted !== 0) this.open.set(wanted, opening);
    let opened: Port;
    try {
      opened = await opening;
    } catch (error) {
      if (this.open.get(wanted) === opening) this.open.delete(wanted);
      throw error;
    }
    const { server, extensions } = opened;
    // The last user may have been removed meanwhile.
    if (!server.listening) return this.addAt(wanted, extension);
    const { port } = server.address() as AddressInfo;
    extensions.set(extension.token, extension);
    return {
      port,
      close: () => {
        if (extensions.get(extension.token) !== extension) return;
        extensions.delete(extension.token);
        if (extensions.size > 0) return;
        if (this.open.get(wanted) === opening) this.open.delete(wanted);
        server.close();
        server.closeAllConnections();
      },
    };
  }
}

async function listen(port: number): Promise<Port> {
  const extensions = new Map<string, ParametersExtension>();
  const peers = new LocalPeers();
  const server = createServer((request, response) => void serveExtension(request, response, extensions));
  server.on('connection', (socket) => {
    if (!peers.has(socket.remoteAddress)) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: HOST, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { server, extensions };
}

/** Routes a request to the extension of its token. Never rejects. */
export async function serveExtension(
  request: IncomingMessage,
  response: ServerResponse,
  extensions: ReadonlyMap<string, ParametersExtension>,
): Promise<void> {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  request.resume();
  const { status, body } = await answerTo(request, extensions);
  const type = status === 200 ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function answerTo(
  { method, url = '/', headers }: IncomingMessage,
  extensions: ReadonlyMap<string, ParametersExtension>,
): ExtensionAnswer | Promise<ExtensionAnswer> {
  const token = headers[TOKEN];
  const extension = typeof token === 'string' ? extensions.get(token) : undefined;
  if (!extension) return { status: 401, body: 'the session token of the function is required' };
  if (method !== 'GET') return { status: 405, body: 'method not allowed' };
  const origin = `http://${HOST}`;
  return URL.canParse(url, origin) ? extension.answer(new URL(url, origin)) : { status: 404, body: 'not found' };
}
