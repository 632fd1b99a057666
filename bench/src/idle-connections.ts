import { connect, type Socket } from 'node:net';

/** Connections opened concurrently; more would overflow the accept queue. */
const AT_ONCE = 250;

/** Connections that sent one request and are idle since, like those in clients' pools. */
export class IdleConnections {
  private readonly sockets = new Set<Socket>();

  /** @param request first data of each connection; by default an HTTP request */
  constructor(private readonly request = 'GET /_emulator/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n') {}

  /** Number of connections still open. */
  get open(): number {
    return this.sockets.size;
  }

  /** Opens connections to a port of 127.0.0.1. Resolves after each has received a response. */
  async add(port: number, count: number): Promise<void> {
    for (let left = count; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => this.one(port)));
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private one(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      this.sockets.add(socket);
      socket.once('error', reject);
      socket.once('close', () => this.sockets.delete(socket));
      socket.once('data', () => resolve());
      socket.on('data', () => undefined);
      socket.write(this.request);
    });
  }
}
