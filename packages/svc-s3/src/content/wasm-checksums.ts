import { whenReady } from '@emu/core/service';
import { createCRC32, createCRC64, type IHasher } from 'hash-wasm';

/** Instances that may wait for the next use of each kind. */
const MOST_WAITING = 8;

/** Instances of a checksum: making one costs much more than using it for a small body. */
class Pool {
  private readonly waiting: IHasher[] = [];

  constructor(private readonly make: () => Promise<IHasher>) {}

  /** An instance that has seen nothing. */
  take(): IHasher | Promise<IHasher> {
    const hash = this.waiting.pop();
    return hash ? hash.init() : this.make().then((made) => made.init());
  }

  give(hash: IHasher): void {
    if (this.waiting.length < MOST_WAITING) this.waiting.push(hash);
  }
}

/** The polynomials of NVMe's CRC-64 and of CRC-32C, as hash-wasm takes them: reversed. */
const POOLS = {
  CRC64NVME: new Pool(() => createCRC64('9a6c9329ac4bc9b5')),
  CRC32C: new Pool(() => createCRC32(0x82f63b78)),
};

/** A running checksum. */
export interface WasmChecksum {
  update(chunk: Uint8Array): void;
  /** The checksum in base64; called once. */
  digest(): string;
}

const wrap = (hash: IHasher, pool: Pool): WasmChecksum => ({
  update: (chunk) => void hash.update(chunk),
  digest: () => {
    const value = Buffer.from(hash.digest('hex'), 'hex').toString('base64');
    pool.give(hash);
    return value;
  },
});

/** Starts a checksum; at once where an instance waits for it. */
export function wasmChecksum(algorithm: keyof typeof POOLS): WasmChecksum | Promise<WasmChecksum> {
  const pool = POOLS[algorithm];
  const hash = pool.take();
  return whenReady(hash, (made) => wrap(made, pool));
}
