import { whenReady } from '@emu/core/service';
import { createCRC32, createCRC64, type IHasher } from 'hash-wasm';

/** Maximum number of pooled instances per kind. */
const MAX_WAITING = 8;

/** Pool of checksum instances: creating one costs much more than using it for a small body. */
class Pool {
  private readonly waiting: IHasher[] = [];

  constructor(private readonly make: () => Promise<IHasher>) {}

  /** Returns a fresh instance. */
  take(): IHasher | Promise<IHasher> {
    const hash = this.waiting.pop();
    return hash ? hash.init() : this.make().then((made) => made.init());
  }

  give(hash: IHasher): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(hash);
  }
}

/** Reversed polynomials of CRC-64/NVME and CRC-32C for hash-wasm. */
const POOLS = {
  CRC64NVME: new Pool(() => createCRC64('9a6c9329ac4bc9b5')),
  CRC32C: new Pool(() => createCRC32(0x82f63b78)),
};

/** A running checksum. */
export interface WasmChecksum {
  update(chunk: Uint8Array): void;
  /** Returns the checksum in base64; called once. */
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

/** Starts a checksum; synchronous if the pool has an instance. */
export function wasmChecksum(algorithm: keyof typeof POOLS): WasmChecksum | Promise<WasmChecksum> {
  const pool = POOLS[algorithm];
  const hash = pool.take();
  return whenReady(hash, (made) => wrap(made, pool));
}
