import { percentDecoded, readAtMost, type ServiceCaller } from '@emu/core/service';
import { AwsError, piecesOf } from '@emu/wire';
import { invalid } from '../errors.ts';

export const MAX_TEMPLATE = 1_000_000;

/** An object of S3. */
export interface ObjectAddress {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string;
}

/** Hosts with path-style addresses. */
const PATH_HOST =
  /^(s3([.-][a-z0-9-]+)*\.(amazonaws\.com(\.cn)?|[^/]*localhost[^/]*)|localhost|127(\.\d+){3}|\[::1\]|host\.docker\.internal|host\.containers\.internal)$/;
/** Hosts with virtual-hosted-style addresses. */
const BUCKET_HOST = /^(.+)\.s3([.-][a-z0-9-]+)*\.(amazonaws\.com(\.cn)?|.*localhost.*)$/;

/**
 * Parses an S3 URL in any form: virtual-hosted or path style, of AWS or emu.
 * @param endpoint base URL of the request to emu
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export function objectAddress(url: string, endpoint: string, what = 'TemplateURL'): ObjectAddress {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw invalid(`${what} must be a supported URL.`);
  }
  const { protocol, hostname, pathname, searchParams } = parsed;
  const path = percentDecoded(pathname.slice(1).replace(/\+/g, '%2B'));
  if (protocol === 's3:') throw invalid(`S3 error: Domain name specified in ${hostname} is not a valid S3 domain`);
  if (protocol !== 'http:' && protocol !== 'https:') throw invalid(`${what} must be a supported URL.`);
  const versionId = searchParams.get('versionId');
  const version = versionId ? { versionId } : {};
  const own = endpoint && new URL(endpoint).hostname === hostname;
  const slash = path.indexOf('/');
  if ((own || PATH_HOST.test(hostname)) && slash > 0)
    return { bucket: path.slice(0, slash), key: path.slice(slash + 1), ...version };
  const bucket = BUCKET_HOST.exec(hostname)?.[1];
  if (bucket === undefined || !path) throw invalid(`${what} must be a supported URL.`);
  return { bucket, key: path, ...version };
}

/**
 * Reads a text from S3 as the caller, who requires `s3:GetObject`.
 * @throws AwsError `ValidationError` with S3's message
 */
export async function readObject(
  { bucket, key, versionId }: ObjectAddress,
  caller: Pick<ServiceCaller, 'call'>,
  what = 'Template',
): Promise<string> {
  try {
    const version = versionId === undefined ? {} : { VersionId: versionId };
    const { Body } = await caller.call('s3', 'GetObject', { Bucket: bucket, Key: key, ...version }, { authorize: {} });
    const text = await readAtMost(piecesOf(Body), MAX_TEMPLATE);
    if (!text) throw invalid(`${what} may not exceed ${MAX_TEMPLATE} bytes in size.`);
    return text.toString('utf8');
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'ValidationError' || error.code === 'NotImplemented')
      throw error;
    throw invalid(
      `S3 error: ${error.message}\nFor more information check http://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html`,
    );
  }
}
