import type { Socket } from 'node:net';
import type { RedirectedPort, RedirectedProgram } from '@emu/core/service';
import type { PortServer } from './listener.ts';

/** Serves the connections that programs open to AWS's host names, by the ports that belong to the programs. */
export class RedirectedPorts {
  private readonly programs = new Map<number, RedirectedProgram>();
  private server: Promise<PortServer> | undefined;

  /** @param open creates a server that knows the program of a port; called once */
  constructor(
    private readonly open: (programOf: (port: number) => RedirectedProgram | undefined) => Promise<PortServer>,
  ) {}

  /** See `RedirectAccess.redirect`. */
  redirect(port: number, program: RedirectedProgram): RedirectedPort {
    const { programs } = this;
    programs.set(port, program);
    return {
      accept: (socket) => this.accept(socket),
      close: () => {
        // Another program may have the port by now.
        if (programs.get(port) === program) programs.delete(port);
      },
    };
  }

  /** Lets running requests finish for a time, then closes all connections. */
  async close(): Promise<void> {
    await (await this.server)?.close(0);
  }

  private accept(socket: Socket): void {
    this.server ??= this.open((port) => this.programs.get(port));
    this.server.then(
      (server) => {
        server.take(socket);
        socket.resume();
      },
      (error: Error) => socket.destroy(error),
    );
  }
}
