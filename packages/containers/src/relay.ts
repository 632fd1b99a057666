import { connect, createServer, type Server, type Socket } from 'node:net';
import type { LocalPeers } from '@emu/core/service';

/**
 * Passes connections on to a listener of the emulator: instances cannot reach the loopback interface of its machine.
 */
export class Relay {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Port that it listens on. */
    readonly port: number,
  ) {}

  /**
   * Opens a relay.
   * @param bind address to listen on
   * @param target where connections are passed on to
   * @param peers whose connections are passed on, all others being cut; everybody's where undefined
   * @param onRefused told of the first that is cut
   */
  static async open(
    bind: string,
    target: { host: string; port: number },
    peers?: LocalPeers,
    onRefused?: (remoteAddress: string | undefined) => void,
  ): Promise<Relay> {
    const server = createServer({ allowHalfOpen: true });
    const port = await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, bind, () => resolve((server.address() as { port: number }).port));
    });
    const relay = new Relay(server, port);
    let refused = false;
    server.on('connection', (socket) => {
      // Who it passes on seems to come from this machine.
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

  /** Ends it with all its connections. */
  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private pass(socket: Socket, target: { host: string; port: number }): void {
    const onward = connect({ ...target, allowHalfOpen: true });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.sockets.add(one);
      one.pipe(other);
      // What breaks one side breaks the other.
      one.on('error', () => other.destroy());
      one.once('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}
