import { invalidGrant, invalidLocation } from './errors.ts';

/** The scope of the default location: all of the account's buckets in the region. */
export const EVERYTHING = 's3://';

const SCOPE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^*]*)(\*)?)?$/;

/** A scope apart. */
export interface Scope {
  bucket: string;
  /** What keys begin with; a whole key of an object. */
  prefix: string;
}

/** Splits a scope or a target; undefined where it is none. A wildcard may end it and be nowhere else. */
export function parseScope(text: string): Scope | undefined {
  const match = SCOPE.exec(text);
  return match ? { bucket: match[1]!, prefix: match[2] ?? '' } : undefined;
}

/** @throws AwsError `InvalidAccessGrantsLocation` */
export function checkLocationScope(scope: string): void {
  if (scope !== EVERYTHING && !parseScope(scope)) throw invalidLocation();
}

/**
 * The scope of a grant: its location's with the grant's own prefix put behind.
 * @param object whether it is a grant of one object
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

/** Whether a grant's or location's scope contains a target. */
export function contains(scope: string, target: string): boolean {
  if (scope === EVERYTHING) return true;
  const [outer, inner] = [parseScope(scope), parseScope(target)];
  if (!outer || !inner || outer.bucket !== inner.bucket) return false;
  const exact = !scope.endsWith('*') && outer.prefix !== '' && !outer.prefix.endsWith('/');
  return exact ? scope === target : inner.prefix.startsWith(outer.prefix);
}
