import { LocalPeers } from '@emu/core/service';

/** Tells who may connect to a Runtime API, at once or when it is known. */
export interface RuntimePeers {
  has(remoteAddress: string | undefined): boolean | Promise<boolean>;
}

/**
 * Peers of this machine, and the addresses of the instances of one execution environment. Instances may call before their
 * addresses are known: who is unknown waits until all are.
 */
export class InstancePeers implements RuntimePeers {
  private readonly local = new LocalPeers();
  private readonly known = new Set<string>();
  private tellComplete!: () => void;
  private readonly complete = new Promise<void>((resolve) => {
    this.tellComplete = resolve;
  });

  /** Lets an instance in. @param addresses from which its connections come */
  add(addresses: readonly string[]): void {
    for (const address of addresses) this.known.add(plain(address));
  }

  /** There are no more to come. */
  end(): void {
    this.tellComplete();
  }

  has(remoteAddress: string | undefined): boolean | Promise<boolean> {
    if (this.isKnown(remoteAddress)) return true;
    return this.complete.then(() => this.isKnown(remoteAddress));
  }

  private isKnown(remoteAddress: string | undefined): boolean {
    return remoteAddress !== undefined && (this.known.has(plain(remoteAddress)) || this.local.has(remoteAddress));
  }
}

/** An address as the other version of IP would not write it. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
