import { invalidGrant, invalidLocation } from './errors.ts';

/** Scope of the default location: all of the account's buckets in the region. */
export const EVERYTHING = 's3://';

const SCOPE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^*]*)(\*)?)?$/;

/** A parsed scope. */
export interface Scope {
  bucket: string;
  /** Key prefix, or the complete key of an object. */
  prefix: string;
}

/** Parses a scope or target; undefined if it is invalid. A wildcard is only allowed at the end. */
export function parseScope(text: string): Scope | undefined {
  const match = SCOPE.exec(text);
  return match ? { bucket: match[1]!, prefix: match[2] ?? '' } : undefined;
}

/** @throws AwsError `InvalidAccessGrantsLocation` */
export function checkLocationScope(scope: string): void {
  if (scope !== EVERYTHING && !parseScope(scope)) throw invalidLocation();
}

/**
 * Returns the scope of a grant: its location's scope followed by the grant's prefix.
 * @param object whether the grant is for one object
 * @throws AwsError `InvalidAccessGrant`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-grants-grant.html
 */
export function grantScope(location: string, subPrefix: string | undefined, object: boolean): string {
  const fixed = location.replace(/\*$/, '');
  const bucketOnly = /^s3:\/\/[^/]+$/.test(fixed);
  const scope = subPrefix === undefined ? location : `${fixed}${bucketOnly ? '/' : ''}${subPrefix}`;
  const parsed = parseScope(scope);
  if (!parsed || (object && (scope.endsWith('*') || parsed.prefix === ''))) throw invalidGrant();
  return parsed.prefix === '' && !scope.endsWith('*') ? `s3://${parsed.bucket}/*` : scope;
}

/** Whether a scope contains a target. */
export function contains(scope: string, target: string): boolean {
  if (scope === EVERYTHING) return true;
  const [outer, inner] = [parseScope(scope), parseScope(target)];
  if (!outer || !inner || outer.bucket !== inner.bucket) return false;
  const exact = !scope.endsWith('*') && outer.prefix !== '' && !outer.prefix.endsWith('/');
  return exact ? scope === target : inner.prefix.startsWith(outer.prefix);
}
