import { lookup } from 'node:dns';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, S3, type S3ClientConfig } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import S3OfVersion2 from 'aws-sdk/clients/s3.js';
import { Client as Minio } from 'minio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';

const ACCOUNT = '123456789012';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const region = 'us-east-1';

/** Finds names below `localhost` on this machine, as systemd-resolved and browsers do and other resolvers do not. */
const agent = new Agent({
  lookup: (name, options, found) => lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, options, found),
});

let emu: Emu;
let named: string;
beforeAll(async () => {
  emu = await startEmu();
  named = `http://localhost:${emu.port}`;
});
afterAll(async () => {
  agent.destroy();
  await emu?.kill();
});

/** A client of a user who knows nothing of path style. */
const clientOf = (endpoint: string, more: Partial<S3ClientConfig> = {}): S3 =>
  new S3({ endpoint, region, credentials, requestHandler: new NodeHttpHandler({ httpAgent: agent }), ...more });

/** Writes and reads an object with an awkward key, and lists it. */
async function exercise(s3: S3, Bucket: string): Promise<void> {
  await s3.createBucket({ Bucket });
  await s3.putObject({ Bucket, Key: 'a b/ü+1', Body: 'hello' });
  expect((await s3.listObjectsV2({ Bucket })).Contents?.map(({ Key }) => Key)).toEqual(['a b/ü+1']);
  expect(await (await s3.getObject({ Bucket, Key: 'a b/ü+1' })).Body!.transformToString()).toBe('hello');
  expect((await s3.listBuckets({})).Buckets?.map(({ Name }) => Name)).toContain(Bucket);
}

describe('clients without any setting of their own', () => {
  test('of SDK v3 at the address that emu prints', async () => {
    const s3 = clientOf(emu.url, { requestHandler: new NodeHttpHandler() });
    await exercise(s3, 'v3-address');
    s3.destroy();
  });

  // The last two may be a service and an access point as well.
  test.each(['v3-photos', 'sqs', `v3-${ACCOUNT}`])(
    'of SDK v3 at localhost, with the bucket %s in the host name',
    async (Bucket) => {
      const s3 = clientOf(named);
      await exercise(s3, Bucket);
      const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'a b/ü+1' }));
      expect(new URL(url).hostname).toBe(`${Bucket}.localhost`);
      const answer = await new Promise<string>((done, failed) => {
        get(url, { agent }, (response) => text(response).then(done, failed)).on('error', failed);
      });
      expect(answer).toBe('hello');
      s3.destroy();
    },
  );

  test('of SDK v2 at localhost', async () => {
    const s3 = new S3OfVersion2({ endpoint: named, region, credentials, httpOptions: { agent } });
    await s3.createBucket({ Bucket: 'v2-photos' }).promise();
    await s3.putObject({ Bucket: 'v2-photos', Key: 'k', Body: 'hello' }).promise();
    const { Body, $response } = await s3.getObject({ Bucket: 'v2-photos', Key: 'k' }).promise();
    expect(String(Body)).toBe('hello');
    expect($response.httpResponse.statusCode).toBe(200);
  });

  test.each(['127.0.0.1', 'localhost'])('of MinIO at %s', async (endPoint) => {
    const client = new Minio({ endPoint, port: emu.port, useSSL: false, accessKey: 'test', secretKey: 'test' });
    const bucket = endPoint === 'localhost' ? 'minio-by-name' : 'minio-by-address';
    await client.makeBucket(bucket, region);
    await client.putObject(bucket, 'k', 'hello');
    expect(await text(await client.getObject(bucket, 'k'))).toBe('hello');
    await client.removeObject(bucket, 'k');
    await client.removeBucket(bucket);
  });
});

test('S3 Control is reached with the account in the host name, and access points with theirs', async () => {
  const s3 = clientOf(named);
  const control = new S3Control({
    endpoint: named,
    region,
    credentials,
    requestHandler: new NodeHttpHandler({ httpAgent: agent }),
  });
  await s3.createBucket({ Bucket: 'pointed-at' });
  await s3.putObject({ Bucket: 'pointed-at', Key: 'k', Body: 'hello' });
  const point = { AccountId: ACCOUNT, Name: 'point', Bucket: 'pointed-at' };
  const { AccessPointArn } = await control.createAccessPoint(point);
  const { AccessPointList = [] } = await control.listAccessPoints({ AccountId: ACCOUNT });
  expect(AccessPointList.map(({ Name }) => Name)).toEqual(['point']);
  const { Body } = await s3.getObject({ Bucket: AccessPointArn, Key: 'k' });
  expect(await Body!.transformToString()).toBe('hello');
  s3.destroy();
  control.destroy();
});

test('directory buckets are reached by their hosts, with sessions', async () => {
  const Bucket = 'fast--use1-az4--x-s3';
  // At an endpoint that is given, SDKs ask for a session of the bucket even to create it.
  const zones = clientOf(named, { disableS3ExpressSessionAuth: true });
  await zones.createBucket({
    Bucket,
    CreateBucketConfiguration: {
      Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
      Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
    },
  });
  for (const endpoint of [named, emu.url]) {
    const s3 = clientOf(endpoint);
    for (const Key of ['k', '/k']) {
      await s3.putObject({ Bucket, Key, Body: endpoint + Key });
      expect(await (await s3.getObject({ Bucket, Key })).Body!.transformToString()).toBe(endpoint + Key);
    }
    expect((await s3.listObjectsV2({ Bucket })).Contents?.map(({ Key }) => Key).sort()).toEqual(['/k', 'k']);
    s3.destroy();
  }
  zones.destroy();
});
