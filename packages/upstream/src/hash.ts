import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/** SHA-256 of node in the form of the SDKs' signers, with a key as HMAC. */
export class Sha256 {
  private hash: Hash | Hmac;
  private readonly key: Uint8Array | undefined;

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    this.key = key === undefined ? undefined : bytesOf(key);
    this.hash = this.started();
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    this.hash = this.started();
  }

  private started(): Hash | Hmac {
    return this.key ? createHmac('sha256', this.key) : createHash('sha256');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
