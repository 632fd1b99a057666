import { createHmac } from 'node:crypto';
import type { ServiceManifest, SignedRequest } from '@emu/core/service';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { AwsError } from '@emu/wire';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Dialects } from '../../../packages/gateway/src/sigv4/dialects.ts';
import { SignatureVerifier } from '../../../packages/gateway/src/sigv4/verifier.ts';

// Credentials and query of the example in Amazon S3's developer guide.
const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const EXAMPLE = `AWSAccessKeyId=${ACCESS_KEY}&Signature=NpgCjnDzrM%2BWFzoENXmpNDUsSn8%3D&Expires=1175139620`;

let emulator: TestEmulator;
let verifier: SignatureVerifier;
const dialects = new Dialects();

beforeEach(async () => {
  emulator = await createTestEmulator();
  const { clock, credentials } = emulator.kernel;
  clock.freeze();
  await clock.set(1_175_139_000_000);
  const accountId = '123456789012';
  const principal = { type: 'root', accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId } as const;
  credentials.put({ accessKeyId: ACCESS_KEY, secretAccessKey: SECRET, active: true, principal });
  credentials.put({
    accessKeyId: 'ASIASESSION',
    secretAccessKey: SECRET,
    sessionToken: 'the token+/',
    active: true,
    principal,
    expiresAt: 1_175_139_500_000,
  });
  verifier = new SignatureVerifier(emulator.kernel);
});
afterEach(() => emulator.close());

const get = (query: string, more: Partial<SignedRequest> = {}): SignedRequest => ({
  method: 'GET',
  path: '/johnsmith/photos/puppy.jpg',
  query,
  headers: { host: 's3.amazonaws.com' },
  ...more,
});

const signed = (stringToSign: string): string =>
  encodeURIComponent(createHmac('sha1', SECRET).update(stringToSign).digest('base64'));

/** Returns code and message of the error; undefined for an accepted request. */
async function refusal(request: SignedRequest, manifest: ServiceManifest = s3): Promise<string | undefined> {
  const dialect = await dialects.of(manifest, manifest === s3 ? 'restXml' : 'awsQuery');
  try {
    expect(
      verifier.begin(request, dialect, { services: ['s3'], region: 'us-east-1' }, false).principal?.accessKeyId,
    ).toBeDefined();
    return undefined;
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

it('accepts the older signature in presigned URLs for S3, in the path or with the bucket in the host', async () => {
  expect(await refusal(get(EXAMPLE))).toBeUndefined();
  const hosted = { path: '/photos/puppy.jpg', resourcePath: '/johnsmith/photos/puppy.jpg' };
  expect(await refusal(get(EXAMPLE, hosted))).toBeUndefined();
  expect(await refusal(get(EXAMPLE), sts)).toContain('MissingAuthenticationToken');
});

it('covers headers in the query and subresource parameters', async () => {
  const text = `PUT\n\ntext/plain\n1175139620\nx-amz-acl:private\nx-amz-security-token:the token+/\n/b/k?partNumber=1&uploadId=a b`;
  const query = [
    `AWSAccessKeyId=ASIASESSION&Signature=${signed(text)}&Expires=1175139620&content-type=text%2Fplain`,
    'x-amz-acl=private&x-amz-security-token=the%20token%2B%2F&uploadId=a%20b&partNumber=1&other=x',
  ].join('&');
  const put = get(query, { method: 'PUT', path: '/b/k' });
  expect(await refusal(put)).toBeUndefined();
  expect(await refusal({ ...put, query: query.replace('partNumber=1', 'partNumber=2') })).toContain(
    'SignatureDoesNotMatch',
  );
  expect(await refusal({ ...put, headers: { 'x-amz-meta-a': 'b' } })).toContain('SignatureDoesNotMatch');
  expect(await refusal({ ...put, query: query.replace(/&x-amz-security-token=[^&]*/, '') })).toContain('InvalidToken');
});

it('rejects invalid, expired and incomplete signatures', async () => {
  expect(await refusal(get(EXAMPLE, { method: 'PUT' }))).toContain('SignatureDoesNotMatch');
  expect(await refusal(get(EXAMPLE.replace(ACCESS_KEY, 'AKIANOBODY')))).toContain('InvalidAccessKeyId');
  expect(await refusal(get(EXAMPLE.replace(/&Expires=.*/, '')))).toBe(
    'AccessDenied: Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters',
  );
  expect(await refusal(get(EXAMPLE.replace(/Expires=.*/, 'Expires=soon')))).toBe(
    'AccessDenied: Invalid date (should be seconds since epoch): soon',
  );
  await emulator.kernel.clock.set(1_175_139_621_000);
  expect(await refusal(get(EXAMPLE))).toBe('AccessDenied: Request has expired');
});
