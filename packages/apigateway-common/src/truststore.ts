import type { ServiceCaller } from '@emu/core/service';
import { AwsError, piecesOf } from '@emu/wire';
import { certificatesOf, warningsOf } from './client-certificate.ts';

/** Trust store of a custom domain name with trusted client certificate authorities. */
export interface Truststore {
  readonly uri: string;
  readonly version: string | undefined;
  /** PEM certificates at the time of configuration. */
  readonly bundle: string;
  readonly warnings: readonly string[];
}

const OBJECT = /^s3:\/\/([^/]+)\/(.+)$/s;
/**
 * Maximum bytes and certificates of a trust store.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const MAX_BYTES = 1024 * 1024;
const MAX_CERTIFICATES = 1000;

/**
 * Reads a trust store as the caller, who requires `s3:GetObject`.
 * @param uri `s3://<bucket>/<key>`
 * @param refuse creates the error for an invalid trust store
 * @throws the error of `refuse`; AwsError `NotImplemented` if S3 is unavailable
 */
export async function readTruststore(
  caller: Pick<ServiceCaller, 'call'>,
  { uri, version, now }: { uri: string; version: string | undefined; now: number },
  refuse: (message: string) => Error,
): Promise<Truststore> {
  const [, Bucket, Key] = OBJECT.exec(uri) ?? [];
  if (Bucket === undefined || Key === undefined) throw refuse(`Invalid S3 URI of a truststore specified: ${uri}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const object = { Bucket, Key, ...(version !== undefined && { VersionId: version }) };
    const { Body } = await caller.call('s3', 'GetObject', object, { authorize: {} });
    for await (const chunk of piecesOf(Body)) {
      size += chunk.length;
      if (size > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw refuse(`The truststore could not be read: ${error.message}`);
  }
  if (size > MAX_BYTES) throw refuse('The truststore is larger than 1 MB');
  const bundle = Buffer.concat(chunks).toString('latin1');
  const certificates = certificatesOf(bundle);
  if (certificates.length === 0) throw refuse('The truststore has no certificate');
  if (certificates.length > MAX_CERTIFICATES)
    throw refuse(`The truststore has more than ${MAX_CERTIFICATES} certificates`);
  return { uri, version, bundle, warnings: warningsOf(certificates, now) };
}
