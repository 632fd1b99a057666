import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type AddressInfo, connect, createServer, isIP, type LookupFunction, type Server, type Socket } from 'node:net';
import type { AwsNames, RedirectedPort, RedirectedProgram } from '@emu/core/service';
import { joinSockets } from '../relay.ts';
import { isMachineOnly, lookupOthers } from './machine-addresses.ts';

/** Decides, possibly asynchronously, whether a peer may connect. */
export interface NamesPeers {
  has(remoteAddress: string | undefined): boolean | Promise<boolean>;
}

/** A port's address as its program reaches it. */
export interface NamesAddress {
  readonly host: string;
  readonly port: number;
  /** URL of the proxy at the same port, with the program's password. */
  readonly proxyUrl: string;
}

/** Options of a port. */
export interface NamesPortOptions {
  readonly names: AwsNames;
  readonly program: RedirectedProgram;
  /** Address to listen on. */
  readonly bind: string;
  /** Host by which the program reaches it. */
  readonly host: string;
  /** Whether the program has a network of its own, from which the machine's loopback interface cannot be reached. */
  readonly isolated: boolean;
  /** Permitted peers; all if undefined. */
  readonly peers: NamesPeers | undefined;
}

/** Longest head of a request for a tunnel in bytes, and milliseconds within which it must arrive. */
const MAX_HEAD = 8192;
const HEAD_TIMEOUT = 20_000;
/** Milliseconds for a tunnel's connection. */
const CONNECT_TIMEOUT = 30_000;
const CONNECT = Buffer.from('CONNECT ');
const HEAD_END = Buffer.from('\r\n\r\n');
/** `CONNECT <host>:<port> HTTP/1.1`, with IPv6 addresses in brackets. */
const REQUEST_LINE = /^CONNECT (?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5}) HTTP\/1\.[01]$/;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/**
 * The port of one program for AWS's host names. Its connections are served by emu as those to AWS. It is also a proxy
 * for clients that follow HTTPS_PROXY: tunnels to AWS's names lead to emu, others to their host.
 */
export class NamesPort {
  private readonly sockets = new Set<Socket>();
  private readonly password = randomBytes(18).toString('base64url');
  private redirected!: RedirectedPort;

  private constructor(
    private readonly server: Server,
    private readonly options: NamesPortOptions,
  ) {
    server.on('connection', (socket) => this.admit(socket));
  }

  /**
   * Opens a port.
   * @throws Error of node's `listen`
   */
  static async open(options: NamesPortOptions): Promise<NamesPort> {
    const server = createServer();
    const port = new NamesPort(server, options);
    await new Promise<void>((resolve, reject) => {
      // Later ones concern a connection that the system could not open.
      server.on('error', reject);
      server.listen({ host: options.bind, port: 0 }, resolve);
    });
    port.redirected = options.names.redirect(port.number, options.program);
    return port;
  }

  /** Its address as the program reaches it. */
  get address(): NamesAddress {
    const { host } = this.options;
    const port = this.number;
    return { host, port, proxyUrl: `http://emu:${this.password}@${host}:${port}` };
  }

  /** Closes the port and its connections. */
  close(): void {
    this.server.close();
    this.redirected.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private get number(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private admit(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const welcome = this.options.peers?.has(socket.remoteAddress) ?? true;
    if (welcome === true) this.read(socket);
    else if (welcome === false) socket.destroy();
    else void welcome.then((is) => (is ? this.read(socket) : socket.destroy()));
  }

  /** Passes a connection on by its first bytes. */
  private read(socket: Socket): void {
    let read = Buffer.alloc(0);
    const timer = setTimeout(() => socket.destroy(), HEAD_TIMEOUT);
    const stop = (): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', onEnd);
      socket.pause();
    };
    const onEnd = (): void => {
      socket.destroy();
    };
    const onData = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const length = Math.min(read.length, CONNECT.length);
      if (read.compare(CONNECT, 0, length, 0, length) !== 0) {
        stop();
        socket.unshift(read);
        this.redirected.accept(socket);
        return;
      }
      const end = read.indexOf(HEAD_END);
      if (end < 0 && read.length < MAX_HEAD) return;
      stop();
      if (end < 0) {
        refuse(socket, '431 Request Header Fields Too Large');
        return;
      }
      const rest = read.subarray(end + HEAD_END.length);
      if (rest.length > 0) socket.unshift(rest);
      this.tunnel(socket, read.toString('latin1', 0, end));
    };
    socket.on('data', onData).on('end', onEnd);
    socket.once('close', () => clearTimeout(timer));
  }

  /** Opens a tunnel to the host in the head of a request. */
  private tunnel(socket: Socket, head: string): void {
    const [line = '', ...fields] = head.split('\r\n');
    const [, address, name, port] = REQUEST_LINE.exec(line) ?? [];
    const host = address ?? name;
    if (host === undefined || Number(port) > 65_535) refuse(socket, '400 Bad Request');
    else if (!this.isProgram(fields))
      refuse(socket, '407 Proxy Authentication Required', 'Proxy-Authenticate: Basic realm="emu"\r\n');
    else if (!this.options.names.leads(host)) forward(socket, host, Number(port), this.options.isolated);
    else if (port !== '443' && port !== '80')
      refuse(socket, '502 Bad Gateway', '', `emu leads ${host} to itself on ports 443 and 80 only.\n`);
    else {
      socket.write(ESTABLISHED);
      this.redirected.accept(socket);
    }
  }

  /** Whether the header fields contain the program's password. */
  private isProgram(fields: readonly string[]): boolean {
    const field = fields.find((one) => /^proxy-authorization:/i.test(one));
    const credentials = /:\s*basic\s+(\S+)\s*$/i.exec(field ?? '')?.[1];
    if (credentials === undefined) return false;
    const sent = Buffer.from(credentials, 'base64');
    const expected = Buffer.from(`emu:${this.password}`);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  }
}

/** Connects a program with a host outside of emu, which it could reach by itself. */
function forward(socket: Socket, host: string, port: number, isolated: boolean): void {
  if (isolated && isIP(host) !== 0 && isMachineOnly(host)) {
    refuse(socket, '403 Forbidden', '', `${host} is an address of emu's machine.\n`);
    return;
  }
  const lookup: LookupFunction | undefined = isolated ? lookupOthers : undefined;
  const onward = connect({ host, port, ...(lookup && { lookup }) });
  onward.setTimeout(CONNECT_TIMEOUT, () => onward.destroy(new Error('the connection took too long')));
  const failed = (error: Error): void => refuse(socket, '502 Bad Gateway', '', `${host}: ${error.message}\n`);
  onward.once('error', failed);
  socket.once('close', () => onward.destroy());
  onward.once('connect', () => {
    onward.setTimeout(0);
    onward.off('error', failed);
    socket.write(ESTABLISHED);
    joinSockets(socket, onward);
  });
}

/** Refuses a tunnel and ends the connection. */
function refuse(socket: Socket, status: string, fields = '', body = ''): void {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n`;
  socket.end(`HTTP/1.1 ${status}\r\n${fields}${length}\r\n${body}`);
  socket.resume();
}
