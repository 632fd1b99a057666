import type { DeepReadonly } from '@emu/core/service';
import { type AwsError, awsError } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { malformedXml } from '../errors.ts';
import type { BucketConfigurations } from './configurations.ts';
import { requireBucket, stateOf } from './lookup.ts';

/** The members that name a bucket. */
export interface BucketInput {
  Bucket: string;
  ExpectedBucketOwner?: string | undefined;
}

/** What is kept is given out as it is: encoders only read it. */
export const shown = <T>(document: DeepReadonly<T>): T => document as T;

/** Puts a setting of a bucket in the place of the one before. */
export function putSetting<Name extends keyof BucketConfigurations>(
  ctx: S3Context,
  input: BucketInput,
  name: Name,
  value: NonNullable<BucketConfigurations[Name]>,
): Record<string, never> {
  const bucket = requireBucket(ctx, input);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    draft.configurations[name] = value;
  });
  return {};
}

/** Removes a setting of a bucket; one that is not there is removed as well. */
export function deleteSetting(
  ctx: S3Context,
  input: BucketInput,
  name: keyof BucketConfigurations,
): Record<string, never> {
  const bucket = requireBucket(ctx, input);
  if (bucket.record.configurations[name] !== undefined)
    stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
      delete draft.configurations[name];
    });
  return {};
}

/**
 * A setting of a bucket that must be there.
 * @param missing code and message of the error where it is not
 */
export function getSetting<Name extends keyof BucketConfigurations>(
  ctx: S3Context,
  input: BucketInput,
  name: Name,
  missing: readonly [code: string, message: string],
): NonNullable<BucketConfigurations[Name]> {
  const bucket = requireBucket(ctx, input);
  const value = bucket.record.configurations[name];
  if (value === undefined) throw notConfigured(missing, bucket.name);
  return shown<NonNullable<BucketConfigurations[Name]>>(value as never);
}

export const notConfigured = ([code, message]: readonly [string, string], bucket?: string): AwsError =>
  awsError(code, message, { status: 404, ...(bucket !== undefined && { members: { BucketName: bucket } }) });

/** Refuses a value that a document's schema does not have. @throws AwsError `MalformedXML` */
export function oneOf(value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || !allowed.includes(value)) throw malformedXml();
}
