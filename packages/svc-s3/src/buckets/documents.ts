import type { DeepReadonly } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { malformedXml } from '../errors.ts';
import { requireBucket, stateOf } from '../lookup.ts';
import type { BucketConfigurations } from './configurations.ts';

/** Members that name a bucket. */
export interface BucketInput {
  Bucket: string;
  ExpectedBucketOwner?: string | undefined;
}

/** Returns a stored value. Stored values are returned without copies: encoders only read them. */
export const shown = <T>(document: DeepReadonly<T>): T => document as T;

/** Replaces a setting of a bucket. */
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

/** Removes a setting of a bucket, if present. */
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
 * Returns a required setting of a bucket.
 * @param missing code and message of the error if it is missing
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
  new AwsError(code, message, { status: 404, ...(bucket !== undefined && { members: { BucketName: bucket } }) });

/**
 * Rejects a value that violates a document's schema.
 * @throws AwsError `MalformedXML`
 */
export function oneOf(value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || !allowed.includes(value)) throw malformedXml();
}
