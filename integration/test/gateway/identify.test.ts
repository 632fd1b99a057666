import type { ServiceManifest } from '@emu/core/service';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import type { WireRequest } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { Identifier } from '../../../packages/gateway/src/identify/identify.ts';
import { ServiceIndex } from '../../../packages/gateway/src/identify/services.ts';

const manifest = (name: string, rest: Partial<ServiceManifest> = {}): ServiceManifest => ({
  name,
  signingNames: [name],
  hostNames: [name],
  load: () => Promise.reject(new Error('not needed to identify')),
  ...rest,
});

const MANIFESTS = [
  manifest('sqs', {
    hostNames: ['sqs', 'queue'],
    targetPrefixes: ['AmazonSQS'],
    queryVersions: ['2012-11-05'],
    queryPaths: /^\/\d{12}\/\w+$/,
  }),
  manifest('sts', { queryVersions: ['2011-06-15'] }),
  manifest('dynamodb', { targetPrefixes: ['DynamoDB_20120810'] }),
  manifest('dynamodbstreams', {
    signingNames: ['dynamodb'],
    hostNames: ['streams.dynamodb'],
    targetPrefixes: ['DynamoDBStreams_20120810'],
  }),
  manifest('rds', { queryVersions: ['2014-10-31'] }),
  manifest('neptune', { signingNames: ['rds'], hostNames: ['neptune'], queryVersions: ['2014-10-31'] }),
  manifest('lambda', { pathPrefixes: ['/2015-03-31/functions', '/2018-10-31/layers'] }),
  manifest('cloudwatch', {
    signingNames: ['monitoring'],
    hostNames: ['monitoring'],
    targetPrefixes: ['GraniteServiceVersion20100801'],
  }),
];

const identifier = (manifests = MANIFESTS) => new Identifier(new ServiceIndex(manifests), 'emu.test');

const wire = (parts: Partial<Omit<WireRequest, 'body'>> & { body?: string }): WireRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  ...parts,
  headers: { host: 'localhost:4566', ...parts.headers },
  body: Buffer.from(parts.body ?? ''),
});

const signed = (service: string, region = 'eu-west-1'): string =>
  `AWS4-HMAC-SHA256 Credential=AKID/20240101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=f00`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

const find = (parts: Parameters<typeof wire>[0], manifests?: ServiceManifest[]) => {
  const { manifest: found, region, resource: bucket, scope } = identifier(manifests).identify(wire(parts));
  return { service: found?.name, region, bucket, key: scope?.accessKeyId };
};

describe('identification', () => {
  it('uses the credential scope before everything else', () => {
    const authorization = signed('sqs');
    const headers = {
      authorization,
      host: 'sts.us-east-1.amazonaws.com',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
    };
    expect(find({ headers })).toEqual({ service: 'sqs', region: 'eu-west-1', bucket: undefined, key: 'AKID' });
    expect(find({ headers: { authorization: signed('monitoring') } })).toMatchObject({ service: 'cloudwatch' });
  });

  it('reads the scope of presigned URLs and of SigV4A', () => {
    const query = 'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20240101%2Fap-south-1%2Fsts%2Faws4_request';
    expect(find({ query })).toMatchObject({ service: 'sts', region: 'ap-south-1', key: 'AKID' });
    const authorization =
      'AWS4-ECDSA-P256-SHA256 Credential=AKID/20240101/sqs/aws4_request, SignedHeaders=host, Signature=f00';
    const host = 'sqs.eu-central-1.amazonaws.com';
    const set = (regions: string) => find({ headers: { authorization, host, 'x-amz-region-set': regions } });
    expect(set('us-west-2')).toMatchObject({ service: 'sqs', region: 'us-west-2' });
    expect(set('*')).toMatchObject({ service: 'sqs', region: 'eu-central-1' });
  });

  it('distinguishes services with the same signing name', () => {
    const dynamodb = (target: string) =>
      find({ headers: { authorization: signed('dynamodb'), 'x-amz-target': `${target}.X` } }).service;
    expect(dynamodb('DynamoDB_20120810')).toBe('dynamodb');
    expect(dynamodb('DynamoDBStreams_20120810')).toBe('dynamodbstreams');
    const rds = (host: string) =>
      find({
        headers: { ...FORM, authorization: signed('rds'), host },
        body: 'Action=DescribeDBInstances&Version=2014-10-31',
      }).service;
    expect(rds('rds.eu-west-1.amazonaws.com')).toBe('rds');
    expect(rds('localhost')).toBe('rds');
  });

  it('uses target, then action and version, then host, then path for unsigned requests', () => {
    const host = 'sts.eu-west-1.amazonaws.com';
    expect(find({ headers: { host, 'x-amz-target': 'AmazonSQS.ListQueues' } })).toMatchObject({
      service: 'sqs',
      region: 'eu-west-1',
    });
    expect(
      find({
        path: '/service/GraniteServiceVersion20100801/operation/ListMetrics',
        headers: { 'smithy-protocol': 'rpc-v2-cbor' },
      }),
    ).toMatchObject({ service: 'cloudwatch' });
    expect(find({ query: 'Action=GetCallerIdentity&Version=2011-06-15' })).toMatchObject({ service: 'sts' });
    expect(find({ headers: FORM, body: 'Version=2012-11-05&Action=ListQueues' })).toMatchObject({ service: 'sqs' });
    expect(find({ headers: { host } })).toMatchObject({ service: 'sts', region: 'eu-west-1' });
    expect(find({ headers: { host: 'eu-west-1.queue.amazonaws.com' } })).toMatchObject({ service: 'sqs' });
    expect(find({ headers: { ...FORM, host }, body: 'Action=X&Version=1999-01-01' })).toMatchObject({ service: 'sts' });
    expect(find({ path: '/2015-03-31/functions/f/invocations' })).toMatchObject({ service: 'lambda' });
    expect(find({ path: '/2015-03-31/functions' })).toMatchObject({ service: 'lambda' });
    expect(find({ path: '/2015-03-31/functionsx' })).toMatchObject({ service: undefined });
  });

  it('accepts actions at the paths of a query service, also without a version', () => {
    const withS3 = [...MANIFESTS, s3];
    const path = '/000000000001/jobs';
    expect(find({ path, query: 'Action=ReceiveMessage' }, withS3).service).toBe('sqs');
    expect(find({ path, headers: FORM, body: 'MessageBody=x&Action=SendMessage' }, withS3).service).toBe('sqs');
    expect(find({ path, query: 'Version=2011-06-15&Action=X' }, withS3).service).toBe('sts');
    expect(find({ path }, withS3).service).toBe('s3');
    expect(find({ path: '/bucket/key', query: 'Action=X' }, withS3).service).toBe('s3');
  });

  it('falls back to S3 if mounted', () => {
    const withS3 = [...MANIFESTS, s3];
    expect(find({ path: '/bucket/key' })).toMatchObject({ service: undefined });
    expect(find({ path: '/bucket/key' }, withS3)).toEqual({
      service: 's3',
      region: undefined,
      bucket: undefined,
      key: undefined,
    });
    const headers = { host: 'my.photos.s3.eu-west-1.localhost:4566' };
    expect(find({ path: '/key', headers }, withS3)).toMatchObject({
      service: 's3',
      region: 'eu-west-1',
      bucket: 'my.photos',
    });
    const authorized = { ...headers, authorization: signed('s3', 'us-west-2') };
    expect(find({ headers: authorized }, withS3)).toMatchObject({
      region: 'us-west-2',
      bucket: 'my.photos',
      key: 'AKID',
    });
    expect(find({ headers: { authorization: 'Bearer abc' } }, withS3)).toMatchObject({ service: 's3' });
  });

  it('finds the bucket that S3 clients prefix to the host of the endpoint', () => {
    const withS3 = [...MANIFESTS, s3];
    const bucketAt = (host: string, authorization?: string) =>
      find({ path: '/key', headers: { host, ...(authorization && { authorization }) } }, withS3);
    for (const host of [
      'my.photos.localhost:4566',
      'my.photos.localhost',
      'my.photos.emu.test:4566',
      'my.photos.localhost.emu.test:4566',
      'my.photos.localhost.localstack.cloud:4566',
      'my.photos.127.0.0.1:4566',
    ])
      for (const authorization of [undefined, signed('s3')])
        expect([host, bucketAt(host, authorization)]).toMatchObject([host, { service: 's3', bucket: 'my.photos' }]);
    for (const host of ['localhost:4566', '127.0.0.1:4566', '[::1]:4566', 'emu:4566', 'emu.test', 'localhost.emu.test'])
      expect([host, bucketAt(host, signed('s3')).bucket]).toEqual([host, undefined]);
    // Buckets may have names of services and access points; S3 resolves them.
    expect(bucketAt('sqs.localhost:4566', signed('s3'))).toMatchObject({ service: 's3', bucket: 'sqs' });
    expect(bucketAt('a.eu-west-1.localhost:4566', signed('s3'))).toMatchObject({ bucket: 'a.eu-west-1' });
    expect(bucketAt('photos-123456789012.localhost', signed('s3')).bucket).toBe('photos-123456789012');
    expect(bucketAt('point-123456789012.localhost', signed('s3-object-lambda')).bucket).toBe(
      'arn:aws:s3-object-lambda:eu-west-1:123456789012:accesspoint/point',
    );
    // Unsigned requests belong to the service, and those of other services have no bucket.
    expect(bucketAt('sqs.localhost:4566')).toMatchObject({ service: 'sqs', bucket: undefined });
    expect(bucketAt('photos.localhost:4566', signed('sqs'))).toMatchObject({ service: 'sqs', bucket: undefined });
  });

  it('returns the recognized service even if it is not mounted', () => {
    const recognised = (parts: Parameters<typeof wire>[0]) => identifier().identify(wire(parts)).recognised;
    expect(recognised({ headers: { authorization: signed('braket') } })).toBe('the signing name braket');
    expect(recognised({ headers: { 'x-amz-target': 'Braket_2019.X' } })).toBe('the target Braket_2019.X');
    expect(recognised({ query: 'Action=X&Version=1999-01-01' })).toBe('the API version 1999-01-01');
    expect(recognised({ headers: { host: 'braket.eu-west-1.amazonaws.com' } })).toBe('the host label braket');
    const withS3 = [...MANIFESTS, s3];
    expect(find({ headers: { host: 'braket.eu-west-1.amazonaws.com' } }, withS3).service).toBeUndefined();
    expect(find({ headers: { host: 'braket.eu-west-1.localhost.emu.test' } }, withS3).service).toBeUndefined();
    expect(find({ headers: { host: 'anything.localhost' } }, withS3).service).toBe('s3');
    expect(recognised({})).toBe('');
  });

  it('handles malformed signatures', () => {
    for (const authorization of [
      '',
      'AWS4-HMAC-SHA256',
      'AWS4-HMAC-SHA256 Credential=',
      'AWS4-HMAC-SHA256 Credential=a/b/c',
      'AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4',
      'AWS4-HMAC-SHA256 Credential=/20240101/us-east-1/sqs/aws4_request',
      'AWS4-OTHER Credential=a/20240101/us-east-1/sqs/aws4_request',
    ])
      expect(find({ headers: { authorization } })).toMatchObject({ service: undefined, key: undefined });
    const odd = 'AWS4-HMAC-SHA256 Credential=a/b/20240101/us-east-1/sqs/aws4_request,SignedHeaders=host,Signature=f';
    expect(find({ headers: { authorization: odd } })).toMatchObject({ service: 'sqs', key: 'a/b' });
  });
});
