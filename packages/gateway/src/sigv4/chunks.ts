import { createHash, type Hash } from 'node:crypto';
import type { AuthFailure } from '@emu/core/service';
import type { ChunkVerifier } from '../body/aws-chunked.ts';
import { sha256 } from './canonical.ts';
import type { VerificationKey } from './keys.ts';
import type { Signature } from './signature.ts';

const EMPTY_HASH = sha256('');
const TRAILER_SIGNATURE = 'x-amz-trailer-signature';

/**
 * Checks the chain of signatures of an aws-chunked body. Each chunk's signature covers the previous one; the first is
 * that of the request's head.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 */
export class ChunkSignatures implements ChunkVerifier {
  private previous: string;
  private hash: Hash = createHash('sha256');

  /**
   * @param declared the content hash, `STREAMING-<algorithm>-PAYLOAD` or `…-PAYLOAD-TRAILER`
   * @param scope as it is signed
   */
  constructor(
    private readonly signature: Signature,
    private readonly key: VerificationKey,
    private readonly declared: string,
    private readonly scope: string,
    private readonly fail: (failure: AuthFailure) => never,
  ) {
    this.previous = signature.signature;
  }

  data(bytes: Uint8Array): void {
    this.hash.update(bytes);
  }

  endOfChunk(signature: string | undefined): void {
    this.check(`${this.signature.algorithm}-PAYLOAD`, `${EMPTY_HASH}\n${this.hash.digest('hex')}`, signature);
    this.hash = createHash('sha256');
  }

  trailers(trailers: ReadonlyMap<string, string>): void {
    if (!this.declared.endsWith('-TRAILER')) return;
    const lines = [...trailers].filter(([name]) => name !== TRAILER_SIGNATURE).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = lines.map(([name, value]) => `${name}:${value}\n`).join('');
    this.check(`${this.signature.algorithm}-TRAILER`, sha256(text), trailers.get(TRAILER_SIGNATURE));
  }

  private check(algorithm: string, hashes: string, signature = ''): void {
    const stringToSign = [algorithm, this.signature.date, this.scope, this.previous, hashes].join('\n');
    const { accessKeyId } = this.signature.scope;
    if (!this.key.verifies(stringToSign, signature))
      this.fail({ kind: 'mismatch', accessKeyId, stringToSign, signature, canonicalRequest: '' });
    this.previous = signature;
  }
}
