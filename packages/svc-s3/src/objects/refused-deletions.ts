import type { AwsError } from '@emu/wire';
import type { S3Context } from '../context.ts';

/** Denied objects of DeleteObjects, by context and request item. */
const refusals = new WeakMap<S3Context, Map<object, AwsError>>();

/** Records that the caller may not delete an object. */
export function refuseDeletion(ctx: S3Context, object: object, refusal: AwsError): void {
  const known = refusals.get(ctx);
  if (known) known.set(object, refusal);
  else refusals.set(ctx, new Map([[object, refusal]]));
}

/** @throws AwsError `AccessDenied` if the caller may not delete the object */
export function checkDeletionAllowed(ctx: S3Context, object: object): void {
  const refusal = refusals.get(ctx)?.get(object);
  if (refusal) throw refusal;
}
