import type { NewPiece, Piece } from './pieces.ts';

/** Failure of a record. */
export interface RecordFailure {
  attempts: number;
  code: string;
  message: string;
  /** Time of the failure in epoch milliseconds. */
  endedAt: number;
  /** ARN of the failed function. */
  lambdaArn?: string;
  /** Additional members of the failure line for a destination. */
  more?: Readonly<Record<string, string>>;
}

/**
 * Returns the line of JSON under the error prefix for a failed record.
 * @param type as in `!{firehose:error-output-type}`
 * @see https://docs.aws.amazon.com/firehose/latest/dev/data-transformation-failure-handling.html
 */
export function failedPiece(
  { arrivedAt, data }: Piece,
  type: string,
  { attempts, code, message, endedAt, lambdaArn, more }: RecordFailure,
): NewPiece {
  const line = JSON.stringify({
    attemptsMade: attempts,
    arrivalTimestamp: Math.floor(arrivedAt),
    errorCode: code,
    errorMessage: message,
    attemptEndingTimestamp: Math.floor(endedAt),
    rawData: data,
    ...(lambdaArn !== undefined && { lambdaArn }),
    ...more,
  });
  return { lane: `failed ${type}`, arrivedAt, data: Buffer.from(`${line}\n`).toString('base64') };
}
