import type { GatewayRequest } from '@emu/gateway/proxy';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { beforeAll, describe, expect, test } from 'vitest';
import { AwsServices } from '../src/aws-services.ts';
import { prepareBody } from '../src/body.ts';
import { IssuedCredentials } from '../src/credentials.ts';
import { Recogniser } from '../src/recognition.ts';
import type { OutgoingRequest } from '../src/sender.ts';
import { Upstream } from '../src/upstream.ts';

const KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const MANIFESTS = [apigateway, dynamodb, events, iam, lambda, s3, s3control, sqs];

let services: AwsServices;
beforeAll(async () => {
  services = await AwsServices.load();
});

interface Sent {
  method?: string;
  target?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Signs a request as clients of an emulator do. */
const signed = (service: string, region = 'eu-west-1'): Record<string, string> => ({
  authorization: `AWS4-HMAC-SHA256 Credential=test/20261129/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

/** Returns the request that AWS would receive for one that a client sends to the proxy. */
async function received(sent: Sent, endpoints = { fips: false, dualStack: false }): Promise<OutgoingRequest> {
  const bytes = Buffer.from(sent.body ?? '');
  const request: GatewayRequest = {
    method: sent.method ?? 'GET',
    target: sent.target ?? '/',
    headers: {
      host: 'localhost:4566',
      ...(sent.body !== undefined && { 'content-length': String(bytes.length) }),
      ...sent.headers,
    },
    body: {
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  };
  let outgoing: OutgoingRequest | undefined;
  const upstream = new Upstream({
    services,
    credentials: async () => KEY,
    issued: new IssuedCredentials(),
    endpoints,
    sender: {
      async send(request) {
        outgoing = request;
        return { status: 200, headers: {}, body: (async function* () {})() };
      },
      close() {},
    },
  });
  const call = await new Recogniser(MANIFESTS, services, 'emulator.localhost', 'us-east-1').recognise(request);
  await upstream.exchange(call, await prepareBody(call, 0), request.signal());
  return outgoing!;
}

const scopeOf = ({ headers }: OutgoingRequest): string | undefined =>
  /Credential=[^/]+\/\d{8}\/([^,]+),/.exec(headers.authorization ?? '')?.[1];
const json = (target: string): Record<string, string> => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': target,
});

describe('AWS receives requests at the endpoint of the rules of the SDKs', () => {
  // The hosts are those of https://docs.aws.amazon.com/general/latest/gr/rande.html and of botocore's rule sets.
  test.for<[string, Sent, string, string, string]>([
    [
      'a regional service',
      { method: 'POST', headers: { ...signed('sqs'), ...json('AmazonSQS.ListQueues') }, body: '{}' },
      'sqs.eu-west-1.amazonaws.com',
      '/',
      'eu-west-1/sqs/aws4_request',
    ],
    [
      'a global service',
      {
        method: 'POST',
        headers: { ...signed('iam'), 'content-type': 'application/x-www-form-urlencoded' },
        body: 'Action=ListUsers&Version=2010-05-08',
      },
      'iam.amazonaws.com',
      '/',
      'us-east-1/iam/aws4_request',
    ],
    [
      'another partition',
      { method: 'POST', headers: { ...signed('sqs', 'cn-north-1'), ...json('AmazonSQS.ListQueues') }, body: '{}' },
      'sqs.cn-north-1.amazonaws.com.cn',
      '/',
      'cn-north-1/sqs/aws4_request',
    ],
    [
      'a bucket in the path',
      { target: '/photos/a%20b?partNumber=1', headers: signed('s3') },
      'photos.s3.eu-west-1.amazonaws.com',
      '/a%20b',
      'eu-west-1/s3/aws4_request',
    ],
    [
      'a bucket in the host',
      { target: '/k', headers: { ...signed('s3'), host: 'photos.localhost:4566' } },
      'photos.s3.eu-west-1.amazonaws.com',
      '/k',
      'eu-west-1/s3/aws4_request',
    ],
    [
      'a bucket with dots',
      { target: '/www.example.com/k', headers: signed('s3') },
      's3.eu-west-1.amazonaws.com',
      '/www.example.com/k',
      'eu-west-1/s3/aws4_request',
    ],
    [
      'no bucket',
      { headers: signed('s3', 'us-east-1') },
      's3.us-east-1.amazonaws.com',
      '/',
      'us-east-1/s3/aws4_request',
    ],
    [
      'an account of S3 Control',
      { target: '/v20180820/accesspoint', headers: { ...signed('s3'), 'x-amz-account-id': '123456789012' } },
      '123456789012.s3-control.eu-west-1.amazonaws.com',
      '/v20180820/accesspoint',
      'eu-west-1/s3/aws4_request',
    ],
    [
      'a REST service',
      { target: '/2015-03-31/functions/f', headers: signed('lambda') },
      'lambda.eu-west-1.amazonaws.com',
      '/2015-03-31/functions/f',
      'eu-west-1/lambda/aws4_request',
    ],
    [
      'a service that emu lacks',
      {
        method: 'POST',
        target: '/model/m/invoke',
        headers: { ...signed('bedrock'), 'content-type': 'application/json' },
        body: '{}',
      },
      'bedrock-runtime.eu-west-1.amazonaws.com',
      '/model/m/invoke',
      'eu-west-1/bedrock/aws4_request',
    ],
  ])('%s', async ([, sent, host, path, scope]) => {
    const outgoing = await received(sent);
    expect([outgoing.hostname, outgoing.headers.host, outgoing.path, outgoing.secure]).toEqual([
      host,
      host,
      path,
      true,
    ]);
    expect(scopeOf(outgoing)).toBe(scope);
    expect(outgoing.headers.authorization).toContain(KEY.accessKeyId);
  });

  test('with FIPS and dual stack', async () => {
    const sent = { target: '/photos/k', headers: signed('s3', 'us-east-1') };
    expect((await received(sent, { fips: true, dualStack: true })).hostname).toBe(
      'photos.s3-fips.dualstack.us-east-1.amazonaws.com',
    );
  });

  test('of data planes', async () => {
    const api = await received({
      target: '/dev/pets?x=1',
      headers: { host: 'abc123.execute-api.eu-west-1.localhost:4566', authorization: 'Bearer t' },
    });
    expect([api.hostname, api.path, api.query]).toEqual([
      'abc123.execute-api.eu-west-1.amazonaws.com',
      '/dev/pets',
      'x=1',
    ]);
    expect(api.headers.authorization).toBe('Bearer t');
    const url = await received({ headers: { host: 'abc123.lambda-url.eu-west-1.on.aws' } });
    expect(url.hostname).toBe('abc123.lambda-url.eu-west-1.on.aws');
  });

  test('by SigV4A, where the endpoint requires it', async () => {
    const arn = encodeURIComponent('arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap');
    const outgoing = await received({ target: `/${arn}/k`, headers: signed('s3') });
    expect(outgoing.hostname).toBe('mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com');
    expect(outgoing.path).toBe('/k');
    expect(outgoing.headers.authorization).toMatch(
      /^AWS4-ECDSA-P256-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/s3\//,
    );
    expect(outgoing.headers['x-amz-region-set']).toBe('*');
  });
});

test('presigned URLs keep their time, lifetime and other parameters', async () => {
  const query =
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20260101%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=0&versionId=3';
  const outgoing = await received({ target: `/photos/k?${query}` });
  const parameters = new URLSearchParams(outgoing.query);
  expect(outgoing.headers.authorization).toBeUndefined();
  expect(Object.fromEntries(parameters)).toMatchObject({
    versionId: '3',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20260101/eu-west-1/s3/aws4_request',
    'X-Amz-Date': '20260101T000000Z',
    'X-Amz-Expires': '60',
    'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('the list of services has an endpoint for each', () => {
  for (const name of services.names) expect(services.named(name)!.ruleSet.rules.length, name).toBeGreaterThan(0);
});
