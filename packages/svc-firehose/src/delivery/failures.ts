import type { NewPiece, Piece } from './pieces.ts';

/** Why a record failed. */
export interface RecordFailure {
  attempts: number;
  code: string;
  message: string;
  /** When it was given up, epoch milliseconds. */
  endedAt: number;
  /** ARN of the function that failed. */
  lambdaArn?: string;
  /** What a destination says besides, by the names of the line's members. */
  more?: Readonly<Record<string, string>>;
}

/**
 * What is written under the error prefix for a record that failed: a line of JSON.
 * @param type as `!{firehose:error-output-type}` has it
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
