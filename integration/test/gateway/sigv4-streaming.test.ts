import { sign } from 'node:crypto';
import type { SignedRequest } from '@emu/core/service';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AwsChunkedDecoder } from '../../../packages/gateway/src/body/aws-chunked.ts';
import { collect } from '../../../packages/gateway/src/body/payload.ts';
import { canonicalPath, canonicalQuery, sha256 } from '../../../packages/gateway/src/sigv4/canonical.ts';
import { type Dialect, Dialects } from '../../../packages/gateway/src/sigv4/dialects.ts';
import { asymmetricKeyPair } from '../../../packages/gateway/src/sigv4/keys.ts';
import { SignatureVerifier } from '../../../packages/gateway/src/sigv4/verifier.ts';

// Credentials, requests and signatures of the examples in Amazon S3's API reference.
const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE';
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const DATE = '20130524T000000Z';
const CREDENTIAL = `${ACCESS_KEY}/20130524/us-east-1/s3/aws4_request`;

const dialects = new Dialects();
const ofS3 = await dialects.of(s3, 'restXml');
const ofEc2 = await dialects.of(sts, 'ec2Query');

let emulator: TestEmulator;
let verifier: SignatureVerifier;

beforeEach(async () => {
  emulator = await createTestEmulator();
  const { clock, credentials } = emulator.kernel;
  clock.freeze();
  await clock.set(Date.parse('2013-05-24T00:05:00Z'));
  credentials.put({
    accessKeyId: ACCESS_KEY,
    secretAccessKey: SECRET,
    active: true,
    principal: {
      type: 'root',
      accountId: '123456789012',
      arn: 'arn:aws:iam::123456789012:root',
      userId: '123456789012',
    },
  });
  verifier = new SignatureVerifier(emulator.kernel);
});
afterEach(() => emulator.close());

const authorize = (signedHeaders: string, signature: string): string =>
  `AWS4-HMAC-SHA256 Credential=${CREDENTIAL},SignedHeaders=${signedHeaders},Signature=${signature}`;

const upload = (headers: Record<string, string>): SignedRequest => ({
  method: 'PUT',
  path: '/examplebucket/chunkObject.txt',
  query: '',
  headers: {
    host: 's3.amazonaws.com',
    'x-amz-date': DATE,
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    'content-encoding': 'aws-chunked',
    'x-amz-decoded-content-length': '66560',
    ...headers,
  },
});

const chunk = (length: number, signature: string): string =>
  `${length.toString(16)};chunk-signature=${signature}\r\n${'a'.repeat(length)}\r\n`;

async function* pieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size));
}

const signedUpload = (): SignedRequest =>
  upload({
    'content-length': '66824',
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    authorization: authorize(
      'content-encoding;content-length;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class',
      '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    ),
  });
const SIGNED_BODY =
  chunk(65536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648') +
  chunk(1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497') +
  chunk(0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9');

const trailedUpload = (): SignedRequest =>
  upload({
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    'x-amz-trailer': 'x-amz-checksum-crc32c',
    authorization: authorize(
      'content-encoding;host;x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class;x-amz-trailer',
      '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
    ),
  });
const TRAILED_BODY = (checksum: string): string =>
  `${
    chunk(65536, 'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2') +
    chunk(1024, '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7')
  }0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\nx-amz-checksum-crc32c:${checksum}\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n`;

/** Service and region of AWS's examples. */
const EXPECTED = { services: ['s3'], region: 'us-east-1' };

const decode = async (request: SignedRequest, body: string, size = 10_000): Promise<Uint8Array> => {
  const { chunks } = verifier.begin(request, ofS3, EXPECTED, true);
  return collect(new AwsChunkedDecoder(pieces(body, size), 66560, chunks), 1_000_000);
};

describe('signatures of S3', () => {
  it('of a chunked upload are valid in chunks of any size', async () => {
    for (const size of [1_000_000, 10_000, 7])
      expect(Buffer.from(await decode(signedUpload(), SIGNED_BODY, size)).toString()).toBe('a'.repeat(66560));
  });

  it('of a chunked upload with a trailer are valid', async () => {
    expect(await decode(trailedUpload(), TRAILED_BODY('sOO8/Q=='))).toHaveLength(66560);
  });

  it('are invalid after a change of a byte, the order or a trailer', async () => {
    const bad = { code: 'SignatureDoesNotMatch' };
    await expect(decode(signedUpload(), SIGNED_BODY.replace('aaa', 'aba'))).rejects.toMatchObject(bad);
    await expect(decode(signedUpload(), SIGNED_BODY.replaceAll(/;chunk-signature=\w+/g, ''))).rejects.toMatchObject(
      bad,
    );
    await expect(decode(trailedUpload(), TRAILED_BODY('AAAAAA=='))).rejects.toMatchObject(bad);
  });

  it('of a presigned URL are valid until it expires, and exclude unsigned headers', async () => {
    const presigned: SignedRequest = {
      method: 'GET',
      path: '/test.txt',
      query: `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(CREDENTIAL)}&X-Amz-Date=${DATE}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`,
      headers: { host: 'examplebucket.s3.amazonaws.com' },
    };
    expect(verifier.begin(presigned, ofS3, EXPECTED, true).principal).toMatchObject({ accessKeyId: ACCESS_KEY });
    const extra = { ...presigned, headers: { ...presigned.headers, 'x-amz-acl': 'public-read' } };
    expect(() => verifier.begin(extra, ofS3, EXPECTED, true)).toThrow(
      'There were headers present in the request which were not signed',
    );
    const asked = (change: (query: string) => string) => () =>
      verifier.begin({ ...presigned, query: change(presigned.query) }, ofS3, EXPECTED, true);
    expect(asked((query) => query.replace(/&X-Amz-Signature=.*/, ''))).toThrow(
      expect.objectContaining({
        code: 'AuthorizationQueryParametersError',
        message:
          'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
      }),
    );
    expect(asked((query) => query.replace('&X-Amz-Expires=86400', ''))).toThrow(
      /^Query-string authentication version 4 requires .* X-Amz-Expires parameters\.$/,
    );
    expect(asked((query) => query.replaceAll('%2F', '%252F'))).toThrow(
      expect.objectContaining({
        code: 'AuthorizationQueryParametersError',
        message:
          'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
      }),
    );
    expect(asked((query) => query.replace('86400', '604801'))).toThrow('must be less than a week');
    await emulator.kernel.clock.advance(86_400_000);
    expect(() => verifier.begin(presigned, ofS3, EXPECTED, true)).toThrow(
      expect.objectContaining({
        code: 'AccessDenied',
        message: 'Request has expired',
        members: { 'X-Amz-Expires': '86400', Expires: '2013-05-25T00:00:00Z', ServerTime: '2013-05-25T00:05:00Z' },
      }),
    );
  });

  it('in a header are verified, and errors contain the expected values', async () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const get = (signature: string): SignedRequest => ({
      method: 'GET',
      path: '/test.txt',
      query: '',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': empty,
        'x-amz-date': DATE,
        authorization: authorize('host;range;x-amz-content-sha256;x-amz-date', signature),
      },
    });
    const good = verifier.begin(
      get('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'),
      ofS3,
      EXPECTED,
      true,
    );
    good.body(new Uint8Array(0));
    expect(() => good.body(Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'XAmzContentSHA256Mismatch' }));
    await expect(collect(good.guard(pieces('x', 1)), 10)).rejects.toMatchObject({ code: 'XAmzContentSHA256Mismatch' });
    expect(() => verifier.begin(get('0'.repeat(64)), ofS3, EXPECTED, true)).toThrow(
      expect.objectContaining({
        code: 'SignatureDoesNotMatch',
        members: expect.objectContaining({
          AWSAccessKeyId: ACCESS_KEY,
          CanonicalRequest: expect.stringContaining('GET\n/test.txt\n\nhost:examplebucket.s3.amazonaws.com\n'),
          StringToSignBytes: expect.stringMatching(/^41 57 53 34 /),
        }),
      }),
    );
    await emulator.kernel.clock.advance(16 * 60_000);
    expect(() => verifier.begin(get('0'.repeat(64)), ofS3, EXPECTED, true)).toThrow(
      expect.objectContaining({ code: 'RequestTimeTooSkewed', status: 403 }),
    );
  });

  it('have the messages of S3 and EC2', () => {
    const request = (headers: Record<string, string>): SignedRequest => ({
      method: 'GET',
      path: '/',
      query: '',
      headers,
    });
    const codeOf = (headers: Record<string, string>, dialect: Dialect) => {
      try {
        verifier.begin(request(headers), dialect, EXPECTED, false);
      } catch (error) {
        return (error as { code: string }).code;
      }
      return undefined;
    };
    const unknown = authorize('host', 'f00').replace(ACCESS_KEY, 'AKIANOBODY');
    expect(codeOf({}, ofS3)).toBe('AccessDenied');
    expect(codeOf({ authorization: 'AWS key:signature' }, ofS3)).toBe('InvalidRequest');
    expect(codeOf({ authorization: 'AWS4-HMAC-SHA256 Credential=x' }, ofS3)).toBe('AuthorizationHeaderMalformed');
    expect(codeOf({ authorization: unknown, 'x-amz-date': DATE }, ofS3)).toBe('InvalidAccessKeyId');
    expect(codeOf({}, ofEc2)).toBe('MissingParameter');
    expect(codeOf({ authorization: unknown, 'x-amz-date': DATE }, ofEc2)).toBe('AuthFailure');
    const known = authorize('host', 'f00');
    expect(codeOf({ authorization: known, 'x-amz-date': '20130524T010000Z' }, ofEc2)).toBe('RequestExpired');
    const token = { authorization: known, 'x-amz-date': DATE, 'x-amz-security-token': 't' };
    expect(codeOf(token, ofS3)).toBe('InvalidToken');
  });
});

describe('aws-chunked bodies', () => {
  const decoded = async (body: string, length?: number, size = 3) => {
    const decoder = new AwsChunkedDecoder(pieces(body, size), length);
    const bytes = await collect(decoder, 1000);
    return { text: Buffer.from(bytes).toString(), trailers: Object.fromEntries(decoder.trailers) };
  };

  it('are decoded without a signature, with their trailers', async () => {
    const body = '5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n';
    expect(await decoded(body, 11)).toEqual({ text: 'hello world', trailers: { 'x-amz-checksum-crc32': 'DUoRhQ==' } });
    expect(await decoded('0\r\n\r\n', 0)).toEqual({ text: '', trailers: {} });
    expect(await decoded('0\r\n', 0)).toEqual({ text: '', trailers: {} });
  });

  it('that are malformed or incomplete are rejected', async () => {
    for (const body of [
      '',
      '5\r\nhel',
      '5\r\nhello\r\n',
      'z\r\n',
      '5\r\nhelloX\r\n0\r\n\r\n',
      '-1\r\n',
      `${'0'.repeat(9000)}`,
    ])
      await expect(decoded(body), body.slice(0, 20)).rejects.toMatchObject({ code: 'IncompleteBody' });
    await expect(decoded('5\r\nhello\r\n0\r\n\r\n', 6)).rejects.toMatchObject({ code: 'IncompleteBody' });
  });
});

describe('canonical forms', () => {
  it('of paths', () => {
    expect(canonicalPath('/a//b/../c%20d/', false)).toBe('/a/c%2520d/');
    expect(canonicalPath('/a//b/../c%20d*/', true)).toBe('/a//b/../c%20d%2A/');
    expect(canonicalPath('/', false)).toBe('/');
  });

  it('of queries', () => {
    expect(canonicalQuery('b=2&a=%C3%BC&a&B=~%2a&X-Amz-Signature=x')).toBe('B=~%2A&a=&a=%C3%BC&b=2');
  });
});

describe('SigV4A', () => {
  it('derives the key pair from the credentials', () => {
    // Derivation test of the AWS common runtime's signing library.
    const { publicKey } = asymmetricKeyPair('AKISORANDOMAASORANDOM', 'q+jcrXGc+0zWN6uzclKVhvMmUsIfRPa4rlRandom');
    const { x, y } = publicKey.export({ format: 'jwk' });
    const hex = (text?: string) => Buffer.from(text!, 'base64url').toString('hex');
    expect(hex(x)).toBe('15d242ceebf8d8169fd6a8b5a746c41140414c3b07579038da06af89190fffcb');
    expect(hex(y)).toBe('0515242cedd82e94799482e4c0514b505afccf2c0c98d6a553bf539f424c5ec0');
  });

  it('is valid in every region', () => {
    const host = 's3.eu-west-1.amazonaws.com';
    const headers = {
      host,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-date': DATE,
      'x-amz-region-set': '*',
    };
    const names = Object.keys(headers).join(';');
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
    const canonical = ['GET', '/key', '', lines.join(''), names, 'UNSIGNED-PAYLOAD'].join('\n');
    const scope = '20130524/s3/aws4_request';
    const stringToSign = ['AWS4-ECDSA-P256-SHA256', DATE, scope, sha256(canonical)].join('\n');
    const { privateKey } = asymmetricKeyPair(ACCESS_KEY, SECRET);
    const signature = sign('sha256', Buffer.from(stringToSign), privateKey).toString('hex');
    const begin = (hex: string) => {
      const authorization = `AWS4-ECDSA-P256-SHA256 Credential=${ACCESS_KEY}/${scope}, SignedHeaders=${names}, Signature=${hex}`;
      return verifier.begin(
        { method: 'GET', path: '/key', query: '', headers: { ...headers, authorization } },
        ofS3,
        EXPECTED,
        true,
      );
    };
    expect(begin(signature).principal).toMatchObject({ accessKeyId: ACCESS_KEY });
    for (const wrong of ['', 'f00', 'zz', signature.replace(/..$/, (end) => (end === '00' ? '01' : '00'))])
      expect(() => begin(wrong || '0')).toThrow(expect.objectContaining({ code: 'SignatureDoesNotMatch' }));
  });
});
