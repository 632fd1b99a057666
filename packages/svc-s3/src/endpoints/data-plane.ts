import { accessPointDirectory, type DataPlaneRequest, type DataPlaneResponse, type ServiceHandle } from '@emu/core';
import { AwsError, compileService, type ServiceModel, s3RequestIds } from '@emu/wire';
import model from '../../model/s3.json' with { type: 'json' };
import type { Bucket } from '../buckets/bucket.ts';
import { findIn } from '../buckets/lookup.ts';
import { noSuchBucket } from '../errors.ts';
import { decodedPart } from '../listing/url-encoding.ts';
import { isForm } from '../manifest.ts';
import type { S3State } from '../state.ts';
import { corsForbidden, corsHeaders, headerNames, missingOrigin, NOT_ALLOWED, NOT_ENABLED } from './cors.ts';
import { servePost } from './post-form.ts';
import { serveWebsite } from './website.ts';

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** The bucket and key a request names by its host or its path; the host may be an access point's. */
async function addressOf(
  { host, path }: DataPlaneRequest,
  handle: ServiceHandle<S3State>,
): Promise<{ bucket: string; key: string } | undefined> {
  if (host?.prefix !== undefined && (host.label === 's3-accesspoint' || host.prefix.endsWith('-s3alias'))) {
    const point = (await handle.capability(accessPointDirectory))?.find(
      host.prefix,
      host.region ?? handle.settings.region,
    );
    if (point?.kind === 'access-point') return { bucket: point.bucket, key: decodedPart(path.slice(1)) };
  }
  if (host?.label === 's3' && host.prefix !== undefined)
    return { bucket: host.prefix, key: decodedPart(path.slice(1)) };
  const [bucket = '', ...key] = path.slice(1).split('/');
  return bucket === '' ? undefined : { bucket: decodedPart(bucket), key: decodedPart(key.join('/')) };
}

/** What S3 answers itself: websites, preflights of browsers and their forms. Each answer names its request. */
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
  if (request.host?.label === 's3-website') {
    const name = request.host.prefix ?? '';
    return serveWebsite(request, name, findIn(handle, name), handle);
  }
  const address = await addressOf(request, handle);
  if (!address) return undefined;
  const bucket = findIn(handle, address.bucket);
  // Without S3's host name, a path whose first part is no bucket may be for anybody.
  if (!bucket && request.host?.label !== 's3') return undefined;
  try {
    if (request.method === 'OPTIONS') return preflight(request, bucket, address.key);
    if (address.key !== '') return undefined;
    if (!isForm(request.headers['content-type']) && request.query !== '') return undefined;
    if (!bucket) throw noSuchBucket(address.bucket);
    return await servePost(request, bucket, handle);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return refuse(error, request);
  }
}

/** An error as S3's API has it. */
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
