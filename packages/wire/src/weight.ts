import { type AwsError, awsError } from './errors.ts';

/** Memory limit in bytes for the values of one body, as estimated while reading. */
export const MAX_WEIGHT = 32 * 1024 * 1024;

/** Estimated memory of value kinds in V8 in bytes, rounded up. */
export const OBJECT_WEIGHT = 56;
export const BYTES_WEIGHT = 160;
export const TEXT_WEIGHT = 32;
/** Memory of an entry of a map or a large object, which are hash tables that grow by doubling. */
export const ENTRY_WEIGHT = 96;

/** Sums the memory of a body's values while it is read. It can be a hundred times the size of the body. */
export class Weight {
  private total = 0;

  /** @param refusal creates the error for too many values */
  constructor(private readonly refusal: () => Error) {}

  /** @throws error from `refusal` if the values take too much memory */
  add(bytes: number): void {
    this.total += bytes;
    if (this.total > MAX_WEIGHT) throw this.refusal();
  }
}

/** Creates the error for a body with more values than emu parses at once, which AWS may accept. */
export const tooManyValues = (): AwsError =>
  awsError('RequestEntityTooLarge', 'The request body holds more values than the emulator takes in one request.', {
    status: 413,
  });
