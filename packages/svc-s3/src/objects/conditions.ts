import { noSuchKey, notModified, preconditionFailed, s3Error } from '../errors.ts';
import type { ObjectVersion } from '../listing/object-index.ts';

/** Conditional read members. */
export interface ReadConditions {
  IfMatch?: string | undefined;
  IfNoneMatch?: string | undefined;
  IfModifiedSince?: Date | undefined;
  IfUnmodifiedSince?: Date | undefined;
}

/** Whether a list of entity tags, or `*`, contains an ETag: with both quotes or none. */
export function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((part) => {
    const tag = part.trim().replace(/^W\//, '');
    return tag === '*' || tag === etag || tag === `"${etag}"`;
  });
}

/**
 * Checks the conditions of a GET or HEAD.
 * @param now epoch milliseconds; later dates are ignored
 * @throws AwsError `PreconditionFailed` (412), `NotModified` (304)
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-reads.html
 */
export function checkReadConditions(
  conditions: ReadConditions,
  { etag, lastModified, versionId }: ObjectVersion,
  now: number,
): void {
  const { IfMatch, IfNoneMatch, IfModifiedSince, IfUnmodifiedSince } = conditions;
  if (IfMatch !== undefined) {
    if (!matchesEtag(IfMatch, etag)) throw preconditionFailed('If-Match');
  } else if (IfUnmodifiedSince !== undefined && lastModified > IfUnmodifiedSince.getTime())
    throw preconditionFailed('If-Unmodified-Since');
  const unmodified =
    IfNoneMatch !== undefined
      ? matchesEtag(IfNoneMatch, etag)
      : IfModifiedSince !== undefined && IfModifiedSince.getTime() <= now && lastModified <= IfModifiedSince.getTime();
  if (!unmodified) return;
  const headers: Record<string, string> = { etag: `"${etag}"`, 'last-modified': new Date(lastModified).toUTCString() };
  if (versionId !== 'null') headers['x-amz-version-id'] = versionId;
  throw notModified(headers);
}

/**
 * Checks the conditions of a write against the current version.
 * @throws AwsError `PreconditionFailed`, `NoSuchKey` for If-Match on a missing object, `NotImplemented` for conditions
 * S3 does not support
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export function checkWriteConditions(
  conditions: { IfMatch?: string | undefined; IfNoneMatch?: string | undefined },
  key: string,
  current: ObjectVersion | undefined,
): void {
  const { IfMatch, IfNoneMatch } = conditions;
  if (IfMatch !== undefined && IfNoneMatch !== undefined)
    throw unsupported('If-Match,If-None-Match', 'Multiple conditional request headers present in the request');
  if (IfNoneMatch !== undefined) {
    if (IfNoneMatch !== '*')
      throw unsupported('If-None-Match', "We don't accept the provided value of If-None-Match header for this API");
    if (current) throw preconditionFailed('If-None-Match');
  }
  if (IfMatch === undefined) return;
  if (IfMatch === '*')
    throw unsupported('If-Match', "We don't accept the provided value of If-Match header for this API");
  if (!current) throw noSuchKey(key);
  if (!matchesEtag(IfMatch, current.etag)) throw preconditionFailed('If-Match');
}

const unsupported = (header: string, additional: string): Error =>
  s3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
    status: 501,
    members: { Header: header, additionalMessage: additional },
  });
