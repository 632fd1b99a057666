import { type EndpointName, formatArn, type ResourceHosts } from '@emu/core/service';
import type { HeaderValues } from '@emu/wire';

/** Host labels of S3. The last is for Multi-Region Access Points. */
export const HOST_NAMES: readonly string[] = [
  's3',
  's3-website',
  's3-accesspoint',
  's3-object-lambda',
  'accesspoint.s3-global',
];
const MULTI_REGION = 'accesspoint.s3-global';
/** Signing name and host label of S3 Object Lambda. */
const OBJECT_LAMBDA = 's3-object-lambda';
/** This operation's host begins with a route instead of an access point. */
const RESPONSE_PATH = '/WriteGetObjectResponse';

/** Host prefix of an access point: `<name>-<account>`. */
const ACCESS_POINT = /^([a-z0-9][a-z0-9-]*)-(\d{12})$/;
/** The prefix for endpoints of other forms. */
const LEADING_ACCESS_POINT = /^([a-z0-9][a-z0-9-]*)-(\d{12})\./;

/**
 * Parses buckets and access points in host names.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html
 */
export const S3_HOSTS: ResourceHosts = {
  label: 's3',
  // Zones and the control endpoint of directory buckets, transfer acceleration, and a legacy name of us-east-1.
  aliases: /^(s3express-[a-z0-9-]+|s3-accelerate|s3-external-1)$/,
  dashed: ['s3-website', 's3'],
  // SDKs prepend a directory bucket to any endpoint.
  marked: /^([a-z0-9][a-z0-9-]*--x-s3)\./,
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  names: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  resourceOf(request, host, bucket, signingName, region) {
    if (host?.label === 's3') return host.prefix;
    // Buckets may be named like services or access points; the handler decides.
    const isBucket = (!host || !HOST_NAMES.includes(host.label)) && signingName !== OBJECT_LAMBDA;
    if (isBucket && bucket !== undefined) return bucket;
    return accessPointOf(request, host, signingName, region);
  },
};

/** Returns the ARN or alias of the access point in a host. */
function accessPointOf(
  { path, headers }: { readonly path: string; readonly headers: HeaderValues },
  host: EndpointName | undefined,
  signingName: string | undefined,
  region: string,
): string | undefined {
  if (path === RESPONSE_PATH) return undefined;
  if (!host) {
    const name = LEADING_ACCESS_POINT.exec(String(headers.host ?? '').toLowerCase());
    return name ? arnOf(signingName === OBJECT_LAMBDA ? OBJECT_LAMBDA : 's3', name, region) : undefined;
  }
  const { label, prefix } = host;
  if (label === MULTI_REGION) return prefix;
  if (prefix === undefined || (label !== 's3-accesspoint' && label !== OBJECT_LAMBDA)) return undefined;
  const name = ACCESS_POINT.exec(prefix);
  return name ? arnOf(label === OBJECT_LAMBDA ? OBJECT_LAMBDA : 's3', name, region) : prefix;
}

function arnOf(service: string, [, name, accountId]: RegExpExecArray, region: string): string {
  return formatArn({ service, region, accountId: accountId!, resource: `accesspoint/${name}` });
}

/** A directory bucket in a path, followed by a redundant slash. */
const DOUBLED = /^(\/[^/]+--x-s3\/)\//;

/**
 * Returns the corrected path of a directory bucket request. For an endpoint that is an address, the SDK for JavaScript
 * v3 sends `/<bucket>//<key>`; from other clients this is a key with a leading slash.
 * @returns undefined for other requests
 */
export function directoryBucketPath(
  path: string,
  headers: HeaderValues,
  signingName: string | undefined,
): string | undefined {
  if (signingName !== 's3express') return undefined;
  const agent = `${headers['user-agent']} ${headers['x-amz-user-agent']}`;
  return agent.includes('aws-sdk-js/3') ? path.replace(DOUBLED, '$1') : undefined;
}
