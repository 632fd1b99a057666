import { type AwsError, awsError } from './errors.ts';

/** Bytes of memory that the values of one body may take, as far as they can be told while it is read. */
export const MOST_WEIGHT = 32 * 1024 * 1024;

/** What V8 takes for the kinds of values, in bytes, rounded up. */
export const OBJECT_WEIGHT = 56;
export const BYTES_WEIGHT = 160;
export const TEXT_WEIGHT = 32;
/** An entry of a map or of a large object, which are hash tables that grow by doubling. */
export const ENTRY_WEIGHT = 96;

/** Adds up what the values of a body take of memory while it is read: it can be a hundred times the body. */
export class Weight {
  private total = 0;

  /** @param refusal makes the error for a body of too many values */
  constructor(private readonly refusal: () => Error) {}

  /** @throws what `refusal` makes, where the values of the body take too much */
  add(bytes: number): void {
    this.total += bytes;
    if (this.total > MOST_WEIGHT) throw this.refusal();
  }
}

/** The error for a body of more values than emu takes apart at once, which AWS may take. */
export const tooManyValues = (): AwsError =>
  awsError('RequestEntityTooLarge', 'The request body holds more values than the emulator takes in one request.', {
    status: 413,
  });
