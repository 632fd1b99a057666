import type { SelfAccess } from '@emu/core';
import type { RedirectedPort, RedirectedProgram } from '@emu/core/service';
import type { ListenAddress, Listener } from './listener.ts';
import type { RedirectedPorts } from './redirected-ports.ts';

/** Hosts whose ports are also open on the loopback interface. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::', '::1']);

/** The gateway's address for programs on this machine: a port that users have opened, or one for this purpose. */
export class LoopbackAccess implements SelfAccess {
  private readonly open = new Set<Listener>();
  private own: Promise<Listener> | undefined;
  private closed = false;

  constructor(
    private readonly listen: (address: ListenAddress) => Promise<Listener>,
    private readonly ports: RedirectedPorts,
  ) {}

  redirect(port: number, program: RedirectedProgram): RedirectedPort {
    return this.ports.redirect(port, program);
  }

  /** Records an open port until it closes. @returns the listener to close it with */
  track(listener: Listener): Listener {
    if (!LOOPBACK.has(listener.host)) return listener;
    const tracked: Listener = {
      ...listener,
      close: (grace) => {
        this.open.delete(tracked);
        return listener.close(grace);
      },
    };
    this.open.add(tracked);
    return tracked;
  }

  get openUrl(): string | undefined {
    const [listener] = this.open;
    return (
      listener &&
      `http://${listener.host.includes(':') && listener.host !== '::' ? '[::1]' : '127.0.0.1'}:${listener.port}`
    );
  }

  async url(): Promise<string> {
    const { openUrl } = this;
    if (openUrl !== undefined) return openUrl;
    // A late request must not open a port after the end.
    if (this.closed) throw new Error('the emulator is closing');
    this.own ??= this.listen({ host: '127.0.0.1', port: 0 });
    return (await this.own).url;
  }

  async close(): Promise<void> {
    this.closed = true;
    const own = await this.own?.catch(() => undefined);
    await own?.close(0);
    await this.ports.close();
  }
}
