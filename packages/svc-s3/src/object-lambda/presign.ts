import { createHash, createHmac } from 'node:crypto';

/** Signer and scope of a pre-signed URL. */
export interface PresignOptions {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  readonly region: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Validity in seconds. */
  readonly expires: number;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Pre-signs a URL for GET or another method without a body.
 * @param endpoint base URL without a trailing slash
 * @param path decoded, with a leading slash
 * @param query parameters besides the signature's
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function presign(
  method: string,
  endpoint: string,
  path: string,
  query: Readonly<Record<string, string>>,
  { accessKeyId, secretAccessKey, sessionToken, region, now, expires }: PresignOptions,
): string {
  const date = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  const parameters = Object.entries({
    ...query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': 'host',
    ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
  })
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const encodedPath = path.split('/').map(encode).join('/');
  const { host } = new URL(endpoint);
  const canonical = [method, encodedPath, parameters, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, date.slice(0, 8)));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, hash].join('\n')).toString('hex');
  return `${endpoint}${encodedPath}?${parameters}&X-Amz-Signature=${signature}`;
}
