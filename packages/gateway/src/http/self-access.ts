import type { SelfAccess } from '@emu/core';
import type { ListenAddress, Listener } from './listener.ts';

/** Hosts by which a port is open on the loopback interface too. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::', '::1']);

/** The gateway's address for programs on this machine: a port its users opened, or one opened for that purpose. */
export class LoopbackAccess implements SelfAccess {
  private readonly open = new Set<Listener>();
  private own: Promise<Listener> | undefined;
  private closed = false;

  constructor(private readonly listen: (address: ListenAddress) => Promise<Listener>) {}

  /** Takes note of a port that was opened. @returns the same, which is forgotten when it closes */
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

  async url(): Promise<string> {
    const [listener] = this.open;
    if (listener)
      return `http://${listener.host.includes(':') && listener.host !== '::' ? '[::1]' : '127.0.0.1'}:${listener.port}`;
    // What is begun at the last moment must not leave a port open behind it.
    if (this.closed) throw new Error('the emulator is closing');
    this.own ??= this.listen({ host: '127.0.0.1', port: 0 });
    return (await this.own).url;
  }

  async close(): Promise<void> {
    this.closed = true;
    const own = await this.own?.catch(() => undefined);
    await own?.close(0);
  }
}
