import type { AnsweredHttpRequest } from '@emu/core/service';
import { canonicalUserId } from '../access-control/owners.ts';
import type { Bucket } from '../buckets/bucket.ts';

/** Resource names in logs, for subresources with a different name. */
const RESOURCES: Readonly<Record<string, string>> = {
  delete: 'MULTI_OBJECT_DELETE',
  intelligent_tiering: 'INTELLIGENT_TIERING',
  logging: 'LOGGING_STATUS',
  object_lock: 'OBJECT_LOCK_CONFIGURATION',
  policy: 'BUCKETPOLICY',
  policystatus: 'BUCKETPOLICYSTATUS',
  publicaccessblock: 'PUBLIC_ACCESS_BLOCK',
  ownershipcontrols: 'OWNERSHIP_CONTROLS',
  requestpayment: 'REQUEST_PAYMENT',
  versions: 'BUCKETVERSIONS',
};
/** Subresources that identify the operation; other parameters are options. */
const SUBRESOURCES =
  /^(accelerate|acl|analytics|attributes|cors|delete|encryption|intelligent-tiering|inventory|legal-hold|lifecycle|location|logging|metrics|notification|object-lock|ownershipControls|policy|policyStatus|publicAccessBlock|replication|requestPayment|restore|retention|select|session|tagging|torrent|uploadId|uploads|versioning|versions|website)$/;

/** `REST.<method>.<resource>`. */
function operationOf({ operation, http }: AnsweredHttpRequest, key: string | undefined): string {
  if (operation === 'CopyObject') return 'REST.COPY.OBJECT';
  if (operation === 'UploadPartCopy') return 'REST.COPY.PART';
  const names = http.query.split('&').map((part) => part.split('=')[0]!);
  const found = names.find((name) => SUBRESOURCES.test(name));
  return `REST.${http.method}.${found === undefined ? (key === undefined ? 'BUCKET' : 'OBJECT') : resourceOf(found, operation, key)}`;
}

function resourceOf(subresource: string, operation: string, key: string | undefined): string {
  if (subresource === 'uploadId') return operation === 'UploadPart' ? 'PART' : 'UPLOAD';
  const name = subresource.replaceAll('-', '_').toLowerCase();
  if (name === 'tagging' && key !== undefined) return 'OBJECT_TAGGING';
  return RESOURCES[name] ?? name.toUpperCase();
}

/**
 * Formats a time, e.g. `[06/Feb/2019:00:00:38 +0000]`.
 * @param at epoch milliseconds
 */
function logTime(at: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString())!;
  return `[${day}/${month}/${year}:${time} +0000]`;
}

/** Returns the requester: canonical id of an account, ARN of a user or role, or none. */
function requesterOf({ principal }: AnsweredHttpRequest): string {
  if (principal.type === 'anonymous') return '-';
  return principal.arn.endsWith(':root') ? canonicalUserId(principal.accountId) : principal.arn;
}

/** Returns the signature version and authentication type of a request. */
function signatureOf({ http: { headers, query } }: AnsweredHttpRequest): readonly [version: string, place: string] {
  if (headers.authorization !== undefined)
    return [String(headers.authorization).startsWith('AWS4-') ? 'SigV4' : 'SigV2', 'AuthHeader'];
  return query.includes('X-Amz-Signature=') ? ['SigV4', 'QueryString'] : ['-', '-'];
}

/** Returns the quoted client text, without characters that would end the field or record. */
const quoted = (text: string | undefined): string =>
  text === undefined ? '"-"' : `"${text.replaceAll('"', '%22').replace(/[\r\n]/g, ' ')}"`;

const given = (value: string | number | undefined): string =>
  value === undefined || value === '' ? '-' : String(value);

/**
 * Formats one line of a server access log.
 * @param key of the object, if any
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html
 */
export function logRecord(request: AnsweredHttpRequest, bucket: Bucket, key: string | undefined): string {
  const { http, requestId, status, errorCode, bytesSent, duration } = request;
  const header = (name: string): string | undefined => http.headers[name]?.toString();
  const version = new URLSearchParams(http.query).get('versionId') ?? undefined;
  const object = key === undefined ? undefined : bucket.objects.current(key);
  const [signature, place] = signatureOf(request);
  return [
    canonicalUserId(bucket.accountId),
    bucket.name,
    logTime(request.receivedAt),
    given(http.remoteAddress),
    requesterOf(request),
    requestId.replaceAll('-', '').slice(0, 16).toUpperCase(),
    operationOf(request, key),
    key === undefined ? '-' : encodeURIComponent(key).replaceAll('%2F', '/'),
    quoted(`${http.method} ${request.target} HTTP/1.1`),
    status,
    given(errorCode),
    bytesSent ? bytesSent : '-',
    given(object?.size),
    Math.round(duration),
    http.method === 'GET' ? Math.round(duration) : '-',
    quoted(header('referer')),
    quoted(header('user-agent')),
    given(version),
    Buffer.from(requestId).toString('base64'),
    signature,
    http.secure ? 'ECDHE-RSA-AES128-GCM-SHA256' : '-',
    place,
    given(header('host')),
    http.secure ? 'TLSv1.2' : '-',
    '-',
    '-',
  ].join(' ');
}
