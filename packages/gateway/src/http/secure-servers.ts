import { constants, createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import {
  createSecureContext,
  createServer as createTlsServer,
  type SecureContext,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import type { Certificate } from '@emu/core/certificates';
import { generateCertificate } from './certificate.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';

/** Largest number of open streams of a connection, which clients are told and wait for. Node's default is unlimited. */
const MAX_STREAMS = 1000;
/**
 * Number of streams that a client may reset at once, and the increase per second. Lower than nghttp2's own limit, above
 * which it stops responding and node leaves the connection open.
 */
const MAX_ABANDONED = 500;
const ABANDONED_PER_SECOND = 33;
/** Maximum number of AWS host names whose certificates are cached. */
const MAX_CERTIFICATES = 500;

/** Parts of a port that the servers of HTTP/2 and TLS use. */
export interface SecureServersOptions {
  /** The emulator's own domain, for the certificate. */
  domain: string;
  /** Returns the certificate of an AWS host name; undefined for other names. @param name in lower case */
  certificateOf(name: string): Promise<Certificate | undefined>;
  /** Milliseconds for a TLS handshake. */
  headersTimeout: number;
  /** Milliseconds for which an incomplete request of HTTP/2 may stall; 0 for no limit. */
  requestTimeout: number;
  /** Milliseconds for which a client may read nothing of a complete response; 0 for no limit. */
  stall: number;
  /** Accepts a connection of HTTP/1.1. */
  http1(socket: Socket): void;
  serve(request: NodeRequest, response: NodeResponse, waiting: boolean): void;
}

/** Servers of HTTP/2 and TLS. They use connections of a port and do not listen themselves. */
export class SecureServers {
  private readonly http2: Http2Server;
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly options: SecureServersOptions;
  private certificate: Promise<Certificate> | undefined;
  private tls: TlsServer | undefined;
  /** The same with a request for the client's certificate. */
  private asking: TlsServer | undefined;
  private readonly contexts = new Map<string, SecureContext>();
  private closing = false;

  constructor(options: SecureServersOptions) {
    this.options = options;
    this.http2 = createHttp2Server({ settings: { maxConcurrentStreams: MAX_STREAMS } });
    this.http2.on('request', (request, response) => options.serve(request, response, false));
    this.http2.on('checkContinue', (request, response) => options.serve(request, response, true));
    this.http2.on('checkExpectation', (request, response) => options.serve(request, response, false));
    this.http2.on('stream', (stream) => {
      let arrived = false;
      stream.setTimeout(options.requestTimeout);
      stream.on('timeout', () => {
        // The response may take as long as the operation needs; only the client's reads are limited.
        if (!arrived || stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.once('end', () => {
        arrived = true;
        stream.setTimeout(options.stall);
      });
    });
    // Errors of a session come from its client; its streams end with it.
    this.http2.on('sessionError', () => undefined);
    this.http2.on('session', (session) => {
      this.sessions.add(session);
      endWhereAbandoning(session);
      session.once('close', () => this.sessions.delete(session));
      if (this.closing) session.close();
    });
  }

  /** Accepts a connection of HTTP/2. */
  acceptHttp2(socket: Socket): void {
    this.http2.emit('connection', socket);
  }

  /**
   * Accepts a connection that begins with a TLS handshake. The first one creates the certificate.
   * @param asks whether the client is asked for a certificate, which is not verified here
   */
  acceptTls(socket: Socket, asks: boolean): void {
    this.certificate ??= generateCertificate(this.options.domain);
    this.certificate.then(
      (certificate) => this.tlsServer(certificate, asks).emit('connection', socket),
      (error) => socket.destroy(error),
    );
  }

  /** Lets running requests finish, then closes the sessions. */
  close(): void {
    this.closing = true;
    for (const session of this.sessions) session.close();
  }

  private tlsServer(certificate: Certificate, asks: boolean): TlsServer {
    if (asks) this.asking ??= this.startTls(certificate, true);
    else this.tls ??= this.startTls(certificate, false);
    return (asks ? this.asking : this.tls)!;
  }

  /** Returns the certificate of an AWS host name, issued when it is first requested. */
  private async contextOf(name: string): Promise<SecureContext | undefined> {
    const { contexts } = this;
    let context = contexts.get(name);
    if (!context) {
      const certificate = await this.options.certificateOf(name);
      if (!certificate) return undefined;
      context = createSecureContext(certificate);
      if (contexts.size >= MAX_CERTIFICATES) contexts.delete(contexts.keys().next().value!);
    } else contexts.delete(name);
    contexts.set(name, context);
    return context;
  }

  private startTls({ key, cert }: Certificate, requestCert: boolean): TlsServer {
    const server = createTlsServer({
      key,
      cert,
      requestCert,
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: this.options.headersTimeout,
      SNICallback: (name, done) => {
        this.contextOf(name.toLowerCase()).then((context) => done(null, context), done);
      },
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.acceptHttp2(socket);
      else this.options.http1(socket);
    });
    // Most failed handshakes are those of clients that do not trust the certificate.
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server;
  }
}

/**
 * Ends a connection that repeatedly opens and resets streams, which costs its client almost nothing and is not limited
 * by the number of open streams (CVE-2023-44487).
 */
function endWhereAbandoning(session: ServerHttp2Session): void {
  let abandoned = 0;
  let last = performance.now();
  session.on('stream', (stream) => {
    stream.once('aborted', () => {
      const now = performance.now();
      abandoned = Math.max(0, abandoned - ((now - last) / 1000) * ABANDONED_PER_SECOND) + 1;
      last = now;
      if (abandoned > MAX_ABANDONED && !session.destroyed)
        session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  });
}
