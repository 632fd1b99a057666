import type { AwsError } from '@emu/wire';
import type { S3Context } from '../context.ts';

/** Refusals of single objects of a DeleteObjects, by its context and the object as the request names it. */
const refusals = new WeakMap<S3Context, Map<object, AwsError>>();

/** Notes that the caller may not delete an object. */
export function refuseDeletion(ctx: S3Context, object: object, refusal: AwsError): void {
  const known = refusals.get(ctx);
  if (known) known.set(object, refusal);
  else refusals.set(ctx, new Map([[object, refusal]]));
}

/** @throws AwsError `AccessDenied` where the caller may not delete the object */
export function checkDeletionAllowed(ctx: S3Context, object: object): void {
  const refusal = refusals.get(ctx)?.get(object);
  if (refusal) throw refusal;
}
