import { constants, createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Certificate } from '@emu/core/certificates';
import { generateCertificate } from './certificate.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';

/** Streams that a connection may have open, which clients are told: they wait then. Node's own default is no limit. */
const MOST_STREAMS = 1000;
/**
 * Streams that a client may abandon at once, and how many more a second. Less than nghttp2 allows by itself: beyond its
 * own limit it falls silent, and node leaves the connection open.
 */
const MOST_ABANDONED = 500;
const ABANDONED_PER_SECOND = 33;

/** What the servers of HTTP/2 and TLS need of the port they belong to. */
export interface SecureServersOptions {
  /** The emulator's own domain, named in the certificate. */
  domain: string;
  /** Milliseconds for a TLS handshake. */
  headersTimeout: number;
  /** Milliseconds that a request of HTTP/2 may stand still before it has arrived; 0 for any time. */
  requestTimeout: number;
  /** Milliseconds that a client may take nothing of a complete answer; 0 for any time. */
  stall: number;
  /** Takes a connection that speaks HTTP/1.1. */
  http1(socket: Socket): void;
  serve(request: NodeRequest, response: NodeResponse, waiting: boolean): void;
}

/** The servers of HTTP/2 and of TLS. They share a port's connections and listen nowhere themselves. */
export class SecureServers {
  private readonly http2: Http2Server;
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly options: SecureServersOptions;
  private certificate: Promise<Certificate> | undefined;
  private tls: TlsServer | undefined;
  /** The same, but asking clients for certificates. */
  private asking: TlsServer | undefined;
  private closing = false;

  constructor(options: SecureServersOptions) {
    this.options = options;
    this.http2 = createHttp2Server({ settings: { maxConcurrentStreams: MOST_STREAMS } });
    this.http2.on('request', (request, response) => options.serve(request, response, false));
    this.http2.on('checkContinue', (request, response) => options.serve(request, response, true));
    this.http2.on('checkExpectation', (request, response) => options.serve(request, response, false));
    this.http2.on('stream', (stream) => {
      let arrived = false;
      stream.setTimeout(options.requestTimeout);
      stream.on('timeout', () => {
        // A request that has arrived may be answered as late as the operation wants, but not be taken as late.
        if (!arrived || stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.once('end', () => {
        arrived = true;
        stream.setTimeout(options.stall);
      });
    });
    // A session's errors are its client's; its streams end with it.
    this.http2.on('sessionError', () => undefined);
    this.http2.on('session', (session) => {
      this.sessions.add(session);
      endWhereAbandoning(session);
      session.once('close', () => this.sessions.delete(session));
      if (this.closing) session.close();
    });
  }

  /** Takes a connection that speaks HTTP/2. */
  acceptHttp2(socket: Socket): void {
    this.http2.emit('connection', socket);
  }

  /**
   * Takes a connection that begins with a TLS handshake. The certificate is made for the first one.
   * @param asks whether the client is asked for a certificate of its own, which nobody checks here
   */
  acceptTls(socket: Socket, asks: boolean): void {
    this.certificate ??= generateCertificate(this.options.domain);
    this.certificate.then(
      (certificate) => this.tlsServer(certificate, asks).emit('connection', socket),
      (error) => socket.destroy(error),
    );
  }

  /** Lets running requests finish and closes the sessions then. */
  close(): void {
    this.closing = true;
    for (const session of this.sessions) session.close();
  }

  private tlsServer(certificate: Certificate, asks: boolean): TlsServer {
    if (asks) this.asking ??= this.startTls(certificate, true);
    else this.tls ??= this.startTls(certificate, false);
    return (asks ? this.asking : this.tls)!;
  }

  private startTls({ key, cert }: Certificate, requestCert: boolean): TlsServer {
    const server = createTlsServer({
      key,
      cert,
      requestCert,
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: this.options.headersTimeout,
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.acceptHttp2(socket);
      else this.options.http1(socket);
    });
    // A failed handshake is its client's: most often one that does not trust the certificate.
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server;
  }
}

/**
 * Ends a connection that opens streams only to reset them: it costs its client next to nothing, and no number of open
 * streams bounds it (CVE-2023-44487).
 */
function endWhereAbandoning(session: ServerHttp2Session): void {
  let abandoned = 0;
  let last = performance.now();
  session.on('stream', (stream) => {
    stream.once('aborted', () => {
      const now = performance.now();
      abandoned = Math.max(0, abandoned - ((now - last) / 1000) * ABANDONED_PER_SECOND) + 1;
      last = now;
      if (abandoned > MOST_ABANDONED && !session.destroyed)
        session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  });
}
