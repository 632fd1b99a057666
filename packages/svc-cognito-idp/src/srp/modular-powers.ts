import { getDiffieHellman } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/**
 * The 3072-bit SRP group of Cognito: group 15 of RFC 3526.
 * @see https://datatracker.ietf.org/doc/html/rfc3526#section-5
 */
export const PRIME = getDiffieHellman('modp15').getPrime();
export const GENERATOR = 2;

/** A power to compute; without `base`, of the generator. */
interface Task {
  readonly id: number;
  readonly base: Uint8Array | undefined;
  readonly exponent: Uint8Array;
  /** Factor for the result, and the exponent for the product. */
  readonly then?: { readonly factor: Uint8Array; readonly exponent: Uint8Array };
}

/**
 * Program of the worker thread. It is text because a separate file would have to be found from the sources, the built
 * package and bundles. Diffie-Hellman operations are node:crypto's only modular powers.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { createDiffieHellman } = require('node:crypto');
const prime = Buffer.from(workerData.prime);
const group = createDiffieHellman(prime, workerData.generator);
const numberOf = (bytes) => BigInt('0x' + (Buffer.from(bytes).toString('hex') || '0'));
const N = numberOf(prime);
const raise = (base, exponent) => {
  group.setPrivateKey(Buffer.from(exponent));
  return base ? group.computeSecret(Buffer.from(base)) : group.generateKeys();
};
parentPort.on('message', ({ id, base, exponent, then }) => {
  try {
    let power = raise(base, exponent);
    if (then) {
      const product = ((numberOf(then.factor) * numberOf(power)) % N).toString(16);
      power = raise(Buffer.from(product.padStart(prime.length * 2, '0'), 'hex'), then.exponent);
    }
    parentPort.postMessage({ id, power });
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) });
  }
});
`;

/** Worker thread for powers modulo the group's prime, each of about a millisecond. */
class PowerThread {
  private worker: Worker | undefined;
  private users = 0;
  private next = 0;
  private readonly waiting = new Map<number, { resolve(power: Buffer): void; reject(error: Error): void }>();

  /** Registers a user of the thread, which starts with the first task. */
  open(): void {
    this.users++;
  }

  /** Unregisters a user; the thread ends with its last user. */
  close(): void {
    if (--this.users > 0) return;
    const { worker } = this;
    this.worker = undefined;
    void worker?.terminate();
    this.failAll('the emulator has been closed');
  }

  /**
   * Computes a power; with `then`, `(factor * base ** exponent) ** then.exponent`.
   * @param base undefined for the generator
   * @throws Error for a base that is not an element of the group
   */
  power(base: Buffer | undefined, exponent: Buffer, then?: { factor: Buffer; exponent: Buffer }): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.worker ??= this.start();
      this.worker.ref();
      this.worker.postMessage({ id, base, exponent, ...(then && { then }) } satisfies Task);
    });
  }

  private start(): Worker {
    const worker = new Worker(PROGRAM, { eval: true, workerData: { prime: PRIME, generator: GENERATOR } });
    worker.on('message', ({ id, power, error }: { id: number; power?: Uint8Array; error?: string }) => {
      const asked = this.waiting.get(id);
      this.waiting.delete(id);
      if (this.waiting.size === 0) worker.unref();
      if (power) asked?.resolve(Buffer.from(power));
      else asked?.reject(new Error(error));
    });
    worker.on('error', (error) => {
      if (this.worker === worker) this.worker = undefined;
      this.failAll(error.message);
    });
    return worker;
  }

  private failAll(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
  }
}

/** Thread shared by all emulators of the process. */
export const powers = new PowerThread();
