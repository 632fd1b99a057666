import type { JobStatus } from '@emu/service-types/s3control';
import type { AwsError } from '@emu/wire';
import { s3controlError } from '../errors.ts';

/** Errors of S3 Batch Operations. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshooting-batch-operations.html */

export const badRequest = (message: string): AwsError =>
  s3controlError('BadRequestException', message, { status: 400 });

export const noSuchJob = (): AwsError => s3controlError('NoSuchJobException', 'No such job', { status: 404 });

export const tokenUsed = (): AwsError =>
  s3controlError('IdempotencyException', 'A job with this client request token already exists with other parameters.', {
    status: 400,
  });

/** Creates the error for a change that a job's status does not permit. */
export const wrongStatus = (status: JobStatus, what: string): AwsError =>
  s3controlError('JobStatusException', `The job is in the ${status} status and cannot be ${what}.`, { status: 400 });

/** A failure of a job, which becomes its failure reason. */
export class JobFailedError extends Error {
  override readonly name = 'JobFailedError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** HTTP statuses of S3's errors from its model. */
const STATUSES: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  InvalidObjectState: 403,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchVersion: 404,
  NotFound: 404,
  MethodNotAllowed: 405,
  PreconditionFailed: 412,
  InternalError: 500,
  NotImplemented: 501,
};

/** Returns the HTTP status of another service's error. */
export const statusOf = ({ status, code }: AwsError): number => status ?? STATUSES[code] ?? 400;
