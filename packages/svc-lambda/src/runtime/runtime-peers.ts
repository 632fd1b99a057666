import { LocalPeers } from '@emu/core/service';

/** Decides, possibly asynchronously, whether a peer may connect to a Runtime API. */
export interface RuntimePeers {
  has(remoteAddress: string | undefined): boolean | Promise<boolean>;
}

/**
 * Local peers, and the addresses of the instances of one execution environment. Instances may connect before their
 * addresses are known: unknown peers wait until all addresses are known.
 */
export class InstancePeers implements RuntimePeers {
  private readonly local = new LocalPeers();
  private readonly known = new Set<string>();
  private resolveComplete!: () => void;
  private readonly complete = new Promise<void>((resolve) => {
    this.resolveComplete = resolve;
  });

  /**
   * Permits an instance.
   * @param addresses its source addresses
   */
  add(addresses: readonly string[]): void {
    for (const address of addresses) this.known.add(plain(address));
  }

  /** Marks the addresses as complete. */
  end(): void {
    this.resolveComplete();
  }

  has(remoteAddress: string | undefined): boolean | Promise<boolean> {
    if (this.isKnown(remoteAddress)) return true;
    return this.complete.then(() => this.isKnown(remoteAddress));
  }

  private isKnown(remoteAddress: string | undefined): boolean {
    return remoteAddress !== undefined && (this.known.has(plain(remoteAddress)) || this.local.has(remoteAddress));
  }
}

/** Normalizes an IPv4-mapped IPv6 address to IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
