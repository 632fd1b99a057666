import {
  accessPointDirectory,
  type DataPlaneRequest,
  type DataPlaneResponse,
  percentDecoded,
  type ServiceHandle,
  type WebPageRequest,
} from '@emu/core/service';
import { AwsError, compileService, type ServiceModel, s3RequestIds } from '@emu/wire';
import model from '../../model/s3.json' with { type: 'json' };
import type { Bucket } from '../buckets/bucket.ts';
import { noSuchBucket } from '../errors.ts';
import { findIn } from '../lookup.ts';
import { isForm } from '../recognition/browser-post.ts';
import type { S3State } from '../state.ts';
import { corsForbidden, corsHeaders, headerNames, missingOrigin, NOT_ALLOWED, NOT_ENABLED } from './cors.ts';
import { servePost } from './post-form.ts';
import { serveWebsite } from './website.ts';

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Returns the bucket and key of a request by host or path; the host may be an access point's. */
async function addressOf(
  { host, path }: Pick<DataPlaneRequest, 'host' | 'path'>,
  handle: ServiceHandle<S3State>,
): Promise<{ bucket: string; key: string } | undefined> {
  if (host?.prefix !== undefined && (host.label === 's3-accesspoint' || host.prefix.endsWith('-s3alias'))) {
    const point = (await handle.capability(accessPointDirectory))?.find(
      host.prefix,
      host.region ?? handle.settings.region,
    );
    if (point?.kind === 'access-point') return { bucket: point.bucket, key: percentDecoded(path.slice(1)) };
  }
  if (host?.label === 's3' && host.prefix !== undefined)
    return { bucket: host.prefix, key: percentDecoded(path.slice(1)) };
  const [bucket = '', ...key] = path.slice(1).split('/');
  return bucket === '' ? undefined : { bucket: percentDecoded(bucket), key: percentDecoded(key.join('/')) };
}

/**
 * Whether a host name is a bucket's website: custom domains equal the bucket's name.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/website-hosting-custom-domain-walkthrough.html
 */
export const ownsHost = (name: string, handle: ServiceHandle<S3State>): boolean =>
  findIn(handle, name)?.record.configurations.website !== undefined;

/** Operations that show an object. */
const READS = new Set(['GetObject', 'HeadObject']);
/** Operations that read and upload objects. */
const READS_AND_UPLOADS = new Set([
  ...READS,
  'PutObject',
  'CreateMultipartUpload',
  'UploadPart',
  'ListParts',
  'CompleteMultipartUpload',
  'AbortMultipartUpload',
]);

/**
 * Whether a page whose origin emu does not trust may send a request: any page may link to objects and show them;
 * scripts may read and upload objects of buckets whose CORS rules contain their exact origin. Rules with wildcards do
 * not count, because they were not written for pages in this machine's browser.
 */
export async function admitsPage(
  request: WebPageRequest,
  handle: ServiceHandle<S3State>,
): Promise<boolean | undefined> {
  const { origin, operation, host, method, headers } = request;
  if (operation === undefined && host?.label === 's3-website') return undefined;
  if (origin === undefined) return operation !== undefined && READS.has(operation);
  if (operation !== undefined && !READS_AND_UPLOADS.has(operation)) return false;
  const bucket = await bucketOf(request, handle);
  const rules = bucket?.record.configurations.cors ?? [];
  const wanted = method === 'OPTIONS' ? (single(headers['access-control-request-method']) ?? method) : method;
  return rules.some(
    ({ AllowedOrigins, AllowedMethods }) => AllowedOrigins.includes(origin) && AllowedMethods.includes(wanted),
  );
}

/**
 * Returns the bucket of a page's request to an operation or the data plane. The operation's path decides: the host may
 * be an access point's, in which case the path is a key.
 */
async function bucketOf(request: WebPageRequest, handle: ServiceHandle<S3State>): Promise<Bucket | undefined> {
  const { resourcePath, host } = request;
  if (resourcePath === undefined) {
    const address = await addressOf(request, handle);
    return address && findIn(handle, address.bucket);
  }
  const name = percentDecoded(resourcePath.split('/')[1] ?? '');
  const bucket = findIn(handle, name);
  if (bucket) return bucket;
  const directory = await handle.capability(accessPointDirectory);
  const point = directory?.find(name, host?.region ?? handle.settings.region);
  return point?.kind === 'access-point' ? findIn(handle, point.bucket) : undefined;
}

/** Serves requests outside of the API: websites, CORS preflights and browser forms. Each response has a request id. */
export async function serve(
  request: DataPlaneRequest,
  handle: ServiceHandle<S3State>,
): Promise<DataPlaneResponse | undefined> {
  const response = await answer(request, handle);
  return response && { ...response, headers: { ...s3RequestIds(request.requestId), ...response.headers } };
}

async function answer(
  request: DataPlaneRequest,
  handle: ServiceHandle<S3State>,
): Promise<DataPlaneResponse | undefined> {
  const { host, ownedHost } = request;
  const website = ownedHost ?? (host?.label === 's3-website' ? (host.prefix ?? '') : undefined);
  if (website !== undefined) {
    const site = findIn(handle, website);
    return readable(await serveWebsite(request, website, site, handle), request, site);
  }
  const address = await addressOf(request, handle);
  if (!address) return undefined;
  const bucket = findIn(handle, address.bucket);
  // Without S3's host name, a path without a known bucket may belong to another service.
  if (!bucket && request.host?.label !== 's3') return undefined;
  try {
    if (request.method === 'OPTIONS') return preflight(request, bucket, address.key);
    if (address.key !== '') return undefined;
    if (!isForm(request.headers['content-type']) && request.query !== '') return undefined;
    if (!bucket) throw noSuchBucket(address.bucket);
    return readable(await servePost(request, bucket, handle), request, bucket);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const refusal = refuse(error, request);
    return request.method === 'OPTIONS' ? refusal : readable(refusal, request, bucket);
  }
}

/** Adds CORS headers if the bucket permits the page. */
function readable(
  response: DataPlaneResponse,
  { headers, method }: DataPlaneRequest,
  bucket: Bucket | undefined,
): DataPlaneResponse {
  const origin = single(headers.origin);
  if (origin !== undefined && bucket)
    Object.assign(response.headers, corsHeaders(bucket, { origin, method, headers: undefined }));
  return response;
}

/** Returns the error response in the API's format. */
function refuse(error: AwsError, { requestId }: DataPlaneRequest): DataPlaneResponse {
  const [protocol] = compileService(model as unknown as ServiceModel).protocols;
  return protocol!.encodeError(error, requestId);
}

/** @throws AwsError `BadRequest`, `AccessForbidden` */
function preflight({ headers }: DataPlaneRequest, bucket: Bucket | undefined, key: string): DataPlaneResponse {
  const origin = single(headers.origin);
  if (origin === undefined) throw missingOrigin();
  const method = single(headers['access-control-request-method']) ?? 'OPTIONS';
  if (!bucket) throw corsForbidden('Bucket not found', method, 'BUCKET');
  if (!bucket.record.configurations.cors) throw corsForbidden(NOT_ENABLED, method, 'BUCKET');
  const wanted = headerNames(single(headers['access-control-request-headers']));
  const allowed = corsHeaders(bucket, { origin, method, headers: wanted });
  if (!allowed) throw corsForbidden(NOT_ALLOWED, method, key === '' ? 'BUCKET' : 'OBJECT');
  return { status: 200, headers: allowed, body: '' };
}
