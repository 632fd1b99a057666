import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { createTestEmulator, sendRaw, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Keys that are paths of other services on emu's own address. */
const KEYS = ['_aws/lambda-url/abc', '_aws/execute-api/abc/prod/x', 'restapis/abc/prod/_user_request_/x'];
const BUCKET = 'photos';

let emulator: TestEmulator;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [apigateway, cognito, lambda, s3] });
  const client = new S3({ ...emulator.clientConfig(), forcePathStyle: true });
  await client.createBucket({ Bucket: BUCKET });
});
afterAll(() => emulator.close());

const get = (host: string, target: string) => sendRaw(emulator, { method: 'GET', target, headers: { host } });

test.each(KEYS)('the path of another service is a key of a bucket in the host: %s', async (Key) => {
  // The SDK puts the bucket in front of emu's address.
  const client = new S3(emulator.clientConfig());
  await client.putObject({ Bucket: BUCKET, Key, Body: 'object' });
  const { Body } = await client.getObject({ Bucket: BUCKET, Key });
  expect(await Body!.transformToString()).toBe('object');
  // Objects are private, so the request is S3's.
  const { status, text } = await get(`${BUCKET}.s3.localhost:4566`, `/${Key}`);
  expect([status, text]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')]);
});

test('the path of another service is a path of a function on the host of its URL', async () => {
  const { text } = await get('abc.lambda-url.us-east-1.localhost:4566', '/_aws/execute-api/abc/prod');
  // A function URL that does not exist.
  expect(text).toBe('{"Message":null}');
});

test('control routes list the addresses of function URLs, websites and domains of user pools', async () => {
  const config = emulator.clientConfig();
  const functions = new Lambda(config);
  await functions.createFunction({
    FunctionName: 'hello',
    Role: 'arn:aws:iam::123456789012:role/any',
    Runtime: 'nodejs22.x',
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': '' }) },
  });
  const { FunctionUrl = '' } = await functions.createFunctionUrlConfig({ FunctionName: 'hello', AuthType: 'AWS_IAM' });
  const buckets = new S3({ ...config, forcePathStyle: true });
  const WebsiteConfiguration = { IndexDocument: { Suffix: 'index.html' } };
  await buckets.putBucketWebsite({ Bucket: BUCKET, WebsiteConfiguration });
  const pools = new CognitoIdentityProvider(config);
  const { UserPool } = await pools.createUserPool({ PoolName: 'pool' });
  await pools.createUserPoolDomain({ UserPoolId: UserPool!.Id, Domain: 'staff' });

  const listed = async (service: string) => {
    const { urls } = JSON.parse((await get('localhost:4566', `/_emulator/${service}/urls`)).text);
    return urls as { name: string; url: string; pathUrl?: string }[];
  };
  const [url] = await listed('lambda');
  expect(url).toMatchObject({ name: 'hello', url: FunctionUrl, region: 'us-east-1' });
  const statusOf = async (address: string): Promise<number> => {
    const { host, pathname } = new URL(address);
    return (await get(host, pathname)).status;
  };
  // AWS_IAM rejects unsigned requests.
  expect([await statusOf(url!.url), await statusOf(url!.pathUrl!)]).toEqual([403, 403]);
  const [site] = await listed('s3');
  expect(site).toMatchObject({ name: BUCKET, url: 'http://photos.s3-website.us-east-1.localhost:4566/' });
  expect((await get(new URL(site!.url).host, '/')).text).toContain('<html>');
  const [domain] = await listed('cognito');
  expect(domain).toMatchObject({ name: 'staff', url: 'http://staff.auth.us-east-1.localhost:4566' });
  expect(await statusOf(`${domain!.url}/login`)).toBe(await statusOf(`${domain!.pathUrl}/login`));
});
