import type { ServiceManifest } from '@emu/core/service';
import type { InProcessHandler } from '../../http/in-process.ts';
import type { TestClientConfig } from '../emulator.ts';

/** Configuration of a workload's SDK clients: in-process with a handler, otherwise over HTTP. */
export interface WorkloadClientConfig extends Omit<TestClientConfig, 'requestHandler'> {
  requestHandler?: InProcessHandler;
}

/** A service for the tests under faults: pieces of work that are acknowledged one by one and can be found again. */
export interface FaultWorkload {
  manifests: readonly ServiceManifest[];
  /** Path of a program that calls `serve` of `@emu/gateway/testing/server` with the manifests. */
  program: string;
  /** Whether its pieces of work store bodies, which are renamed before they are acknowledged. */
  storesBodies?: boolean;
  connect(config: WorkloadClientConfig): WorkloadClient;
}

/** A workload's clients of one emulator. */
export interface WorkloadClient {
  /** Creates what the work needs, e.g. a queue; may be called again. */
  prepare(): Promise<void>;
  /** Does a piece of work, e.g. sends a message; it is acknowledged when the promise resolves. */
  write(piece: number): Promise<unknown>;
  /** Returns the numbers of the existing pieces. May consume them, because the emulator is not used afterwards. */
  read(): Promise<number[]>;
  destroy(): void;
}

/** Record of the clients' work. */
export class Ledger {
  private readonly sent = new Set<number>();
  private readonly acknowledged = new Set<number>();
  /** Errors of pieces that were not acknowledged. */
  readonly refusals: unknown[] = [];

  /** @param next number of its first piece */
  constructor(private next = 0) {}

  /** Number of acknowledged pieces. */
  get size(): number {
    return this.acknowledged.size;
  }

  /** Does one piece of work and records its outcome. */
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

  /** Does a number of pieces, some of them concurrently. */
  async writeMany(client: WorkloadClient, pieces: number, atOnce = 8): Promise<void> {
    let left = pieces;
    const writer = async (): Promise<void> => {
      while (left-- > 0) await this.write(client);
    };
    await Promise.all(Array.from({ length: atOnce }, writer));
  }

  /** Returns the errors among the found pieces as sentences. */
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
