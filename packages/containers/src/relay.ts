import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LocalPeers } from '@emu/core/service';

/**
 * Forwards connections to a listener of the emulator, because instances cannot reach the loopback interface of its
 * machine.
 */
export class Relay {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Port of the relay. */
    readonly port: number,
  ) {}

  /**
   * Opens a relay.
   * @param bind address to listen on
   * @param target address to forward connections to
   * @param peers whose connections are forwarded, all others are closed; undefined admits everybody
   * @param onRefused called for the first closed connection
   */
  static async open(
    bind: string,
    target: { host: string; port: number },
    peers?: LocalPeers,
    onRefused?: (remoteAddress: string | undefined) => void,
  ): Promise<Relay> {
    const server = createServer({ allowHalfOpen: true });
    const port = await new Promise<number>((resolve, reject) => {
      // Later ones concern a connection that the system could not open.
      server.on('error', reject);
      server.listen(0, bind, () => resolve((server.address() as { port: number }).port));
    });
    const relay = new Relay(server, port);
    let refused = false;
    server.on('connection', (socket) => {
      // Forwarded connections seem to come from this machine.
      if (peers?.has(socket.remoteAddress) !== false) {
        relay.pass(socket, target);
        return;
      }
      if (!refused) onRefused?.(socket.remoteAddress);
      refused = true;
      socket.destroy();
    });
    server.unref();
    return relay;
  }

  /** Closes the relay and its connections. */
  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private pass(socket: Socket, target: { host: string; port: number }): void {
    const onward = connect({ ...target, allowHalfOpen: true });
    for (const each of [socket, onward]) {
      this.sockets.add(each);
      each.once('close', () => this.sockets.delete(each));
    }
    joinSockets(socket, onward);
  }
}

/** Forwards the bytes of two connections to each other; the end of one is the end of the other. */
export function joinSockets(socket: Socket, onward: Socket): void {
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    one.pipe(other);
    // An error on one side closes the other.
    one.on('error', () => other.destroy());
    one.once('close', () => other.destroy());
  }
}
