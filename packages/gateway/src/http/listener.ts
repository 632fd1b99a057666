import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Kernel } from '@emu/core';
import type { LocalPeers, UpgradableConnection } from '@emu/core/service';
import { OTHER_MACHINE, refuse } from '../access/refusals.ts';
import type { Bindings } from '../application/bindings.ts';
import { HEALTH, mayBePlane } from '../identify/planes.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { GatewayRequest, GatewayResponse } from '../request/request.ts';
import type { Visit } from '../request/visit.ts';
import { Admission } from './admission.ts';
import { type NodeRequest, type NodeResponse, ServerRequest } from './node-request.ts';
import { writeResponse } from './node-response.ts';
import type { SecureServers } from './secure-servers.ts';
import { isHandshake, refuseUpgrade, upgradeRequest } from './upgrades.ts';

/** Where to listen. */
export interface ListenAddress {
  /** Host name or address; `127.0.0.1` by default. */
  host?: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Whether other machines are answered, and not only this one with its containers; true by default. */
  remote?: boolean;
}

/** An open port. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Base URL for clients on this machine, e.g. `http://127.0.0.1:4566`. */
  readonly url: string;
  /**
   * Stops accepting, lets running requests finish, then closes every connection.
   * @param grace milliseconds that running requests may still take; 1,000 by default
   */
  close(grace?: number): Promise<void>;
}

/** What answers the requests of a port: a gateway, or a part of one. */
export interface Front {
  readonly kernel: Kernel;
  readonly options: ResolvedGatewayOptions;
  /** Answers a request; never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>;
  /**
   * The visit of a request that the application answers, in front of which there is nothing to be gained; undefined of any
   * other.
   */
  routed?(request: GatewayRequest): Visit | undefined;
  /** Takes the connection of a client that asks for a WebSocket; never rejects. */
  upgrade?(request: GatewayRequest, connection: UpgradableConnection): Promise<GatewayResponse | 'taken'>;
  /** Whether the clients of TLS are asked for certificates, which they may decline. */
  readonly asksClients?: boolean;
  /** The application, where there is one. */
  fetch?(request: Request, bindings: Bindings): Promise<Response>;
}

/** Milliseconds an idle connection is kept for the next request; longer than SDKs keep theirs. */
const KEEP_ALIVE = 75_000;
/** Connections that wait to be accepted; node's 511 make the system reset some of 2,000 clients that come at once. */
const BACKLOG = 4096;
/** Room for session tokens and presigned queries. */
const MAX_HEADER_SIZE = 64 * 1024;

/** Every protocol of one port: HTTP/1.1, HTTP/2 by prior knowledge, and both over TLS, told apart by the first bytes. */
export class PortServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly admission = new Admission();
  private readonly acceptHttp1: (socket: Socket) => void;
  /** Connections that have become WebSockets. */
  private readonly webSockets = new Set<Duplex>();
  /** Takes connections that begin with the handshake of one. */
  private upgrades: Server | undefined;
  private secure: Promise<SecureServers> | undefined;
  private adapter: Promise<typeof import('./route-adapter.ts')> | undefined;
  private closing = false;
  private refused = false;

  /** @param peers who is answered, all others getting 403; everybody where undefined */
  constructor(
    private readonly front: Front,
    private readonly peers?: LocalPeers,
  ) {
    const { requestTimeout } = front.options;
    // node insists that a head takes no longer than the whole.
    const headersTimeout =
      requestTimeout > 0 ? Math.min(front.options.headersTimeout, requestTimeout) : front.options.headersTimeout;
    this.server = createServer({
      keepAliveTimeout: KEEP_ALIVE,
      maxHeaderSize: MAX_HEADER_SIZE,
      headersTimeout,
      requestTimeout,
      // Looking more often than the shortest of the timeouts costs nothing, and ends slow clients in time.
      connectionsCheckingInterval: Math.max(100, Math.min(5000, headersTimeout / 2 || 5000)),
      noDelay: true,
    });
    this.server.on('request', (request, response) => this.serve(request, response, false));
    this.server.on('checkContinue', (request, response) => this.serve(request, response, true));
    // As in front of AWS, other expectations are nobody's business.
    this.server.on('checkExpectation', (request, response) => this.serve(request, response, false));
    // The server's own acceptor handles HTTP/1.1 once the first bytes have shown that it is.
    const accept = this.server.listeners('connection')[0] as (socket: Socket) => void;
    this.server.removeAllListeners('connection');
    this.acceptHttp1 = (socket) => accept.call(this.server, socket);
    this.server.on('connection', (socket: Socket) => this.accept(socket));
  }

  /** @throws Error of node's `listen`, e.g. with code `EADDRINUSE` */
  async listen({ host = '127.0.0.1', port = 0 }: ListenAddress): Promise<Listener> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host, port, backlog: BACKLOG }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    this.server.on('error', (error) => this.front.kernel.log.error('the listener failed', { error }));
    const bound = (this.server.address() as AddressInfo).port;
    return { host, port: bound, url: `http://${urlHost(host)}:${bound}`, close: (grace) => this.close(grace) };
  }

  /** Answers a request of any protocol. */
  serve(request: NodeRequest, response: NodeResponse, waiting: boolean): void {
    if (isMalformed(request)) {
      (response as ServerResponse).writeHead(400, { connection: 'close', 'content-length': '0' }).end();
      return;
    }
    const receive = (): ServerRequest => {
      const secure = (request.socket as { encrypted?: boolean }).encrypted === true;
      return new ServerRequest(request, response, secure, waiting);
    };
    if (!mayBePlane(request.url!)) {
      // Of those that wait, no more is kept than node has of them: there may be thousands.
      this.admission.admit(() => this.answer(request, response, receive()));
      return;
    }
    const received = receive();
    const visit = this.isRefused(received) ? undefined : this.front.routed?.(received);
    if (visit) this.serveRoute(request, response, visit);
    else if (received.target === HEALTH) this.answer(request, response, received);
    else this.admission.admit(() => this.answer(request, response, received));
  }

  private answer(request: NodeRequest, response: NodeResponse, received: ServerRequest): void {
    this.write(request, response, this.isRefused(received) ? this.refuse(received) : this.front.handle(received));
  }

  /** Whether it comes from another machine, while none may use emu. */
  private isRefused({ remoteAddress }: ServerRequest): boolean {
    return this.peers?.has(remoteAddress) === false;
  }

  private write(request: NodeRequest, response: NodeResponse, answer: Promise<GatewayResponse>): void {
    answer
      .then((answer) => writeResponse(request, response, answer, this.closing))
      .catch((error) => {
        this.front.kernel.log.error('a response could not be written', { error });
        response.destroy();
      });
  }

  /** Answers a request of a route by the front's application. */
  private serveRoute(request: NodeRequest, response: NodeResponse, visit: Visit): void {
    const failed = (error: unknown): void => {
      this.front.kernel.log.error('a route could not be answered', { error });
      response.destroy();
    };
    this.adapter ??= import('./route-adapter.ts');
    this.adapter
      .then(({ adapt }) =>
        adapt(request, response, {
          fetch: (web, bindings) => this.front.fetch!(web, { ...bindings, visit }),
          refused: () => this.write(request, response, this.front.handle(visit.request)),
          failed,
          isClosing: () => this.closing,
        }),
      )
      .catch(failed);
  }

  /** Answers a peer of another machine; the first one is told to the log. */
  private async refuse(request: GatewayRequest): Promise<GatewayResponse> {
    if (!this.refused)
      this.front.kernel.log.warn(`a request from ${request.remoteAddress} was refused: ${OTHER_MACHINE}`);
    this.refused = true;
    const [path, query = ''] = request.target.split('?', 2) as [string, string?];
    return refuse(request, path, query, OTHER_MACHINE);
  }

  /** Finds out by its first bytes what a new connection speaks, and hands it to the server for that. */
  private accept(socket: Socket): void {
    const { sockets } = this;
    this.admission.connected();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Without a listener an early reset would be an uncaught error.
    const onError = (): void => {
      socket.destroy();
    };
    const onTimeout = (): void => {
      socket.destroy();
    };
    // Nothing is asked any more; the socket would stay half open until the time for a head is over.
    const onEnd = (): void => {
      socket.destroy();
    };
    let read: Buffer | undefined;
    const onData = (chunk: Buffer): void => {
      read = read ? Buffer.concat([read, chunk]) : chunk;
      const speaks = protocolOf(read);
      if (speaks === undefined) return;
      socket.off('data', onData).off('error', onError).off('timeout', onTimeout).off('end', onEnd).setTimeout(0);
      socket.pause();
      socket.unshift(read);
      if (speaks === 'http1' && this.front.upgrade && isHandshake(read)) {
        this.acceptHandshake(socket);
        socket.resume();
      } else this.hand(socket, speaks);
    };
    socket.on('data', onData).on('error', onError).on('timeout', onTimeout).on('end', onEnd);
    socket.setTimeout(this.front.options.headersTimeout);
  }

  /** Takes a connection within TLS, once its first bytes tell whether it asks for a WebSocket. */
  private acceptSecure(socket: Socket): void {
    if (!this.front.upgrade) {
      this.acceptHttp1(socket);
      return;
    }
    const destroy = (): void => {
      socket.destroy();
    };
    socket.on('error', destroy).on('timeout', destroy).on('end', destroy).setTimeout(this.front.options.headersTimeout);
    socket.once('data', (first: Buffer) => {
      socket.off('error', destroy).off('timeout', destroy).off('end', destroy).setTimeout(0);
      socket.pause();
      socket.unshift(first);
      if (isHandshake(first)) this.acceptHandshake(socket);
      else this.acceptHttp1(socket);
      socket.resume();
    });
  }

  /** Takes a connection that asks for a WebSocket. */
  private acceptHandshake(socket: Socket): void {
    if (!this.upgrades) {
      this.upgrades = createServer({ maxHeaderSize: MAX_HEADER_SIZE, noDelay: true });
      this.upgrades.on('request', (request, response) => this.serve(request, response, false));
      this.upgrades.on('upgrade', (incoming, connection, head) => this.upgrade(incoming, connection, head));
    }
    this.upgrades.emit('connection', socket);
  }

  private upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { log } = this.front.kernel;
    socket.on('error', () => socket.destroy());
    if (isMalformed(incoming)) {
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const request = upgradeRequest(incoming, socket);
    this.webSockets.add(socket);
    socket.once('close', () => this.webSockets.delete(socket));
    const answer =
      this.peers?.has(request.remoteAddress) === false
        ? this.refuse(request)
        : this.front.upgrade!(request, { incoming, socket, head });
    answer
      .then((outcome) => (outcome === 'taken' ? undefined : refuseUpgrade(socket, outcome)))
      .catch((error) => {
        log.error('a WebSocket could not be opened', { error });
        socket.destroy();
      });
  }

  private hand(socket: Socket, speaks: FirstBytes): void {
    if (speaks === 'http1') {
      this.acceptHttp1(socket);
      // The server's own listeners are there now; what was read goes to them.
      socket.resume();
      return;
    }
    const { log } = this.front.kernel;
    this.secureServers().then(
      (servers) => {
        if (socket.destroyed) return;
        if (speaks === 'http2') servers.acceptHttp2(socket);
        else servers.acceptTls(socket, this.front.asksClients === true);
      },
      (error) => {
        log.error(`${speaks} could not be started`, { error });
        socket.destroy();
      },
    );
    // Until the servers are loaded nobody else listens.
    socket.once('error', () => socket.destroy());
  }

  /** The servers of HTTP/2 and TLS, loaded at the first connection that needs them. */
  private secureServers(): Promise<SecureServers> {
    this.secure ??= import('./secure-servers.ts').then(
      ({ SecureServers }) =>
        new SecureServers({
          domain: this.front.kernel.settings.domain,
          headersTimeout: this.front.options.headersTimeout,
          requestTimeout: this.front.options.requestTimeout,
          stall: this.front.options.stallTimeout,
          http1: (socket) => this.acceptSecure(socket),
          serve: (request, response, waiting) => this.serve(request, response, waiting),
        }),
    );
    return this.secure;
  }

  private async close(grace = 1000): Promise<void> {
    this.closing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    for (const socket of this.webSockets) socket.destroy();
    const secure = await this.secure?.catch(() => undefined);
    secure?.close();
    const timer = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, grace);
    await closed;
    clearTimeout(timer);
  }
}

/** Targets that are paths, or URLs of HTTP. */
const TARGET = /^(?:\/|\*$|https?:\/\/)/i;

/**
 * Whether a request is none to the front of AWS, though node takes it: of HTTP/0.9, with several hosts, or for a URL that
 * is not of HTTP (RFC 9112, sections 3.2 and 3.2.2).
 */
function isMalformed(request: NodeRequest): boolean {
  if (request.httpVersionMajor > 1) return false;
  if (request.httpVersionMajor < 1) return true;
  const target = request.url!;
  if (target.charCodeAt(0) !== 0x2f && !TARGET.test(target)) return true;
  const { rawHeaders } = request;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host' && ++hosts > 1) return true;
  }
  return false;
}

type FirstBytes = 'http1' | 'http2' | 'tls';

/** First byte of a TLS handshake record. */
const TLS_HANDSHAKE = 0x16;
/** How the HTTP/2 connection preface begins; no HTTP/1.1 method does. */
const HTTP2_PREFACE = Buffer.from('PRI');

/** What a connection speaks, from its first bytes; undefined while they do not tell yet. */
function protocolOf(bytes: Buffer): FirstBytes | undefined {
  if (bytes[0] === TLS_HANDSHAKE) return 'tls';
  const length = Math.min(bytes.length, HTTP2_PREFACE.length);
  if (bytes.compare(HTTP2_PREFACE, 0, length, 0, length) !== 0) return 'http1';
  return length < HTTP2_PREFACE.length ? undefined : 'http2';
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
