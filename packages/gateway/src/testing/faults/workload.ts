import type { ServiceManifest } from '@emu/core/service';
import type { InProcessHandler } from '../../http/in-process.ts';
import type { TestClientConfig } from '../emulator.ts';

/** What the SDK clients of a workload are made with: with a handler inside the process, over HTTP without one. */
export interface WorkloadClientConfig extends Omit<TestClientConfig, 'requestHandler'> {
  requestHandler?: InProcessHandler;
}

/** A service as the fault tests see it: pieces of work that are acknowledged one by one and can be found again. */
export interface FaultWorkload {
  manifests: readonly ServiceManifest[];
  /** Path of a program that calls `serve` of `@emu/gateway/testing/server` with the manifests. */
  program: string;
  /** Whether its pieces of work store bodies, which are renamed into place before they are acknowledged. */
  storesBodies?: boolean;
  connect(config: WorkloadClientConfig): WorkloadClient;
}

/** A workload's clients of one emulator. */
export interface WorkloadClient {
  /** Makes what the work needs, e.g. a queue; harmless where it is there. */
  prepare(): Promise<void>;
  /** Does a piece of work, e.g. sends a message; it is acknowledged when the promise resolves. */
  write(piece: number): Promise<unknown>;
  /** Numbers of the pieces that are there. May consume them: nothing of the emulator is used afterwards. */
  read(): Promise<number[]>;
  destroy(): void;
}

/** What clients know of their work. */
export class Ledger {
  private readonly sent = new Set<number>();
  private readonly acknowledged = new Set<number>();
  /** Errors of pieces that were not acknowledged. */
  readonly refusals: unknown[] = [];

  /** @param next number of its first piece */
  constructor(private next = 0) {}

  /** How many pieces were acknowledged. */
  get size(): number {
    return this.acknowledged.size;
  }

  /** Does one piece of work and notes what came of it. */
  async write(client: WorkloadClient): Promise<void> {
    const piece = this.next++;
    this.sent.add(piece);
    try {
      await client.write(piece);
      this.acknowledged.add(piece);
    } catch (error) {
      this.refusals.push(error);
    }
  }

  /** Does a number of pieces, some at the same time. */
  async writeMany(client: WorkloadClient, pieces: number, atOnce = 8): Promise<void> {
    let left = pieces;
    const writer = async (): Promise<void> => {
      while (left-- > 0) await this.write(client);
    };
    await Promise.all(Array.from({ length: atOnce }, writer));
  }

  /** What is wrong with the pieces that were found, as sentences; empty where nothing is. */
  losses(found: readonly number[]): string[] {
    const there = new Set(found);
    return [
      ...[...this.acknowledged]
        .filter((piece) => !there.has(piece))
        .map((piece) => `${piece} was acknowledged and is lost`),
      ...[...there].filter((piece) => !this.sent.has(piece)).map((piece) => `${piece} was never asked for`),
      ...(there.size < found.length ? [`${found.length - there.size} are there twice`] : []),
    ];
  }
}
