import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Kernel } from '@emu/core';
import type { LocalPeers, RedirectedProgram, UpgradableConnection } from '@emu/core/service';
import { OTHER_MACHINE, refuse } from '../access/refusals.ts';
import type { Bindings } from '../application/bindings.ts';
import { HEALTH, mayBePlane } from '../identify/planes.ts';
import type { ResolvedGatewayOptions } from '../options.ts';
import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';
import type { Visit } from '../request/visit.ts';
import { Admission } from './admission.ts';
import { type NodeRequest, type NodeResponse, ServerRequest } from './node-request.ts';
import { writeResponse } from './node-response.ts';
import type { SecureServers } from './secure-servers.ts';
import { isHandshake, MALFORMED_UPGRADE, refuseUpgrade, takeTurns, upgradeRequest } from './upgrades.ts';

/** An address to listen on. */
export interface ListenAddress {
  /** Host name or address; `127.0.0.1` by default. */
  host?: string;
  /** 0, the default, selects a free port. */
  port?: number;
  /** Whether other machines are allowed, besides this one and its containers; true by default. */
  remote?: boolean;
}

/** An open port. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Base URL for clients on this machine, e.g. `http://127.0.0.1:4566`. */
  readonly url: string;
  /**
   * Stops accepting connections, lets running requests finish, then closes all connections.
   * @param grace milliseconds for running requests; 1,000 by default
   */
  close(grace?: number): Promise<void>;
}

/** Responds to the requests of a port: a gateway, or a part of one. */
export interface Front {
  readonly kernel: Pick<Kernel, 'log' | 'settings'> & Partial<Pick<Kernel, 'names'>>;
  readonly options: ResolvedGatewayOptions;
  /** Responds to a request; never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>;
  /**
   * Returns the visit of a request that the application responds to; undefined for others, which bypass the
   * application.
   */
  routed?(request: GatewayRequest): Visit | undefined;
  /** Takes the connection of a client that requests a WebSocket; never rejects. */
  upgrade?(request: GatewayRequest, connection: UpgradableConnection): Promise<GatewayResponse | 'taken'>;
  /** Whether TLS clients are asked for certificates, which they may decline. */
  readonly asksClients?: boolean;
  /** The application, if any. */
  fetch?(request: Request, bindings: Bindings): Promise<Response>;
}

/** Milliseconds for which idle connections stay open, longer than SDKs reuse them. */
const KEEP_ALIVE = 75_000;
/**
 * Largest number of connections that wait for acceptance. With node's 511, the system resets some of 2,000 simultaneous
 * clients.
 */
const BACKLOG = 4096;
/** Bytes, enough for session tokens and presigned queries. */
const MAX_HEADER_SIZE = 64 * 1024;

/** Serves all protocols on one port: HTTP/1.1, HTTP/2 by prior knowledge, and both over TLS. The first bytes decide. */
export class PortServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly admission = new Admission();
  private readonly acceptHttp1: (socket: Socket) => void;
  /** Connections that have become WebSockets. */
  private readonly webSockets = new Set<Duplex>();
  /** Accepts connections that begin with the handshake of a WebSocket. */
  private upgrades: Server | undefined;
  private secure: Promise<SecureServers> | undefined;
  private adapter: Promise<typeof import('./route-adapter.ts')> | undefined;
  private closing = false;
  private refused = false;

  /**
   * @param peers the allowed peers; others get 403. Undefined allows all
   * @param programOf returns the program whose redirected connections have a local port
   */
  constructor(
    private readonly front: Front,
    private readonly peers?: LocalPeers,
    private readonly programOf?: (localPort: number) => RedirectedProgram | undefined,
  ) {
    const { requestTimeout } = front.options;
    // node requires that the timeout of a head is not longer than that of the request.
    const headersTimeout =
      requestTimeout > 0 ? Math.min(front.options.headersTimeout, requestTimeout) : front.options.headersTimeout;
    this.server = createServer({
      keepAliveTimeout: KEEP_ALIVE,
      maxHeaderSize: MAX_HEADER_SIZE,
      headersTimeout,
      requestTimeout,
      // Checks within the shortest timeout are cheap and end slow clients in time.
      connectionsCheckingInterval: Math.max(100, Math.min(5000, headersTimeout / 2 || 5000)),
      noDelay: true,
    });
    this.server.on('request', (request, response) => this.serve(request, response, false));
    this.server.on('checkContinue', (request, response) => this.serve(request, response, true));
    // AWS ignores other expectations, too.
    this.server.on('checkExpectation', (request, response) => this.serve(request, response, false));
    // The server's own acceptor handles HTTP/1.1 after the first bytes have been checked.
    const accept = this.server.listeners('connection')[0] as (socket: Socket) => void;
    this.server.removeAllListeners('connection');
    this.acceptHttp1 = (socket) => accept.call(this.server, socket);
    this.server.on('connection', (socket: Socket) => this.take(socket));
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

  /** Responds to a request of any protocol. */
  serve(request: NodeRequest, response: NodeResponse, waiting: boolean): void {
    if (isMalformed(request)) {
      (response as ServerResponse).writeHead(400, { connection: 'close', 'content-length': '0' }).end();
      return;
    }
    const receive = (): ServerRequest => {
      const secure = (request.socket as { encrypted?: boolean }).encrypted === true;
      const received = new ServerRequest(request, response, secure, waiting);
      if (this.programOf) received.program = this.programOf(received.localPort ?? 0);
      return received;
    };
    if (!mayBePlane(request.url!)) {
      // Keep only node's objects of waiting requests, because there may be thousands.
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

  /** Whether the request comes from another machine that may not use emu. */
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

  /** Responds to a request of a route by the application. */
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

  /** Refuses a peer on another machine, and logs the first one. */
  private async refuse(request: GatewayRequest): Promise<GatewayResponse> {
    if (!this.refused)
      this.front.kernel.log.warn(`a request from ${request.remoteAddress} was refused: ${OTHER_MACHINE}`);
    this.refused = true;
    const [path, query = ''] = request.target.split('?', 2) as [string, string?];
    return refuse(request, path, query, OTHER_MACHINE);
  }

  /** Passes a new connection to the server of its protocol, which its first bytes determine. */
  take(socket: Socket): void {
    const { sockets } = this;
    this.admission.connected();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Without a listener, an early reset would be an uncaught error.
    const onError = (): void => {
      socket.destroy();
    };
    const onTimeout = (): void => {
      socket.destroy();
    };
    // No request follows. The socket would stay half open until the timeout of a head.
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
      if (speaks === 'http1' && this.front.upgrade && isHandshake(read)) this.admitHandshake(socket);
      else this.hand(socket, speaks);
    };
    socket.on('data', onData).on('error', onError).on('timeout', onTimeout).on('end', onEnd);
    socket.setTimeout(this.front.options.headersTimeout);
  }

  /** Accepts a connection within TLS after its first bytes have shown whether it requests a WebSocket. */
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
      if (isHandshake(first)) this.admitHandshake(socket);
      else {
        this.acceptHttp1(socket);
        socket.resume();
      }
    });
  }

  /** Accepts a connection that requests a WebSocket in its turn, because thousands may arrive at once. */
  private admitHandshake(socket: Socket): void {
    const destroy = (): void => {
      socket.destroy();
    };
    socket.on('error', destroy);
    this.admission.admit(() => {
      socket.off('error', destroy);
      if (socket.destroyed) return;
      this.acceptHandshake(socket);
      socket.resume();
    });
  }

  /** Accepts a connection that requests a WebSocket. */
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
    const admit = (begin: () => void): void => this.admission.admit(begin);
    socket.on('error', () => socket.destroy());
    if (isMalformed(incoming)) {
      void refuseUpgrade(socket, MALFORMED_UPGRADE);
      return;
    }
    takeTurns(socket, admit);
    const request = upgradeRequest(incoming, socket, this.programOf);
    this.webSockets.add(socket);
    socket.once('close', () => this.webSockets.delete(socket));
    const answer =
      this.peers?.has(request.remoteAddress) === false
        ? this.refuse(request)
        : this.front.upgrade!(request, { incoming, socket, head, admit });
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
      // The server has added its listeners, which get the bytes that were read.
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
    // The servers are still loading, and no other listener exists.
    socket.once('error', () => socket.destroy());
  }

  /** Returns the servers of HTTP/2 and TLS, which the first connection that needs them loads. */
  private secureServers(): Promise<SecureServers> {
    this.secure ??= import('./secure-servers.ts').then(
      ({ SecureServers }) =>
        new SecureServers({
          domain: this.front.kernel.settings.domain,
          certificateOf: async (name) => this.front.kernel.names?.certificateOf(name),
          headersTimeout: this.front.options.headersTimeout,
          requestTimeout: this.front.options.requestTimeout,
          stall: this.front.options.stallTimeout,
          http1: (socket) => this.acceptSecure(socket),
          serve: (request, response, waiting) => this.serve(request, response, waiting),
        }),
    );
    return this.secure;
  }

  /**
   * Stops accepting connections, lets running requests finish, then closes all connections.
   * @param grace milliseconds for running requests
   */
  async close(grace = 1000): Promise<void> {
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

/** Targets that are paths or URLs of HTTP. */
const TARGET = /^(?:\/|\*$|https?:\/\/)/i;

/**
 * Whether AWS would reject a request that node accepts: of HTTP/0.9, with several hosts, or for a URL of another scheme
 * than HTTP (RFC 9112, sections 3.2 and 3.2.2).
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
/** Start of the HTTP/2 connection preface, which no HTTP/1.1 method has. */
const HTTP2_PREFACE = Buffer.from('PRI');

/** Returns the protocol of a connection by its first bytes; undefined if more bytes are needed. */
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
