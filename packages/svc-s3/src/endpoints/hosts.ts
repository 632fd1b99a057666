import { type EndpointName, formatArn, type ResourceHosts } from '@emu/core/service';
import type { HeaderValues } from '@emu/wire';

/** Host labels of S3. The last is that of Multi-Region Access Points. */
export const HOST_NAMES: readonly string[] = [
  's3',
  's3-website',
  's3-accesspoint',
  's3-object-lambda',
  'accesspoint.s3-global',
];
const MULTI_REGION = 'accesspoint.s3-global';
/** Signing name and host label of requests to S3 Object Lambda. */
const OBJECT_LAMBDA = 's3-object-lambda';
/** The host of this operation begins with a route, and no access point. */
const RESPONSE_PATH = '/WriteGetObjectResponse';

/** Begins the host of an access point: `<name>-<account>`. */
const ACCESS_POINT = /^([a-z0-9][a-z0-9-]*)-(\d{12})$/;
/** The same in front of an endpoint that is not of AWS's form. */
const LEADING_ACCESS_POINT = /^([a-z0-9][a-z0-9-]*)-(\d{12})\./;

/**
 * How host names name buckets and access points.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html
 */
export const S3_HOSTS: ResourceHosts = {
  label: 's3',
  // Zones and the control endpoint of directory buckets, transfer acceleration, and a name of us-east-1.
  aliases: /^(s3express-[a-z0-9-]+|s3-accelerate|s3-external-1)$/,
  dashed: ['s3-website', 's3'],
  // SDKs put a directory bucket in front of every endpoint.
  marked: /^([a-z0-9][a-z0-9-]*--x-s3)\./,
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
  names: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  resourceOf(request, host, bucket, signingName, region) {
    if (host?.label === 's3') return host.prefix;
    // Buckets may have the names of services. What looks like an access point may be a bucket; the handler decides.
    const isBucket = (!host || !HOST_NAMES.includes(host.label)) && signingName !== OBJECT_LAMBDA;
    if (isBucket && bucket !== undefined) return bucket;
    return accessPointOf(request, host, signingName, region);
  },
};

/** Returns the ARN or alias of the access point that a host names. */
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

/** A directory bucket in a path, followed by one slash too many. */
const DOUBLED = /^(\/[^/]+--x-s3\/)\//;

/**
 * Returns the path that a request to a directory bucket means. At an endpoint that is an address, the SDK for JavaScript v3
 * sends `/<bucket>//<key>`; from other clients that is a key that begins with a slash.
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
