import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import * as S3 from '@aws-sdk/client-s3';
import { policyText } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';
const logs = 'the-logs';
const EAGER = { EMULATOR_S3_EAGER_DELIVERY: true };
const DAY = 86_400_000;

type Env = Awaited<ReturnType<typeof s3Emulator>>;

async function withTarget(values: object = EAGER): Promise<Env> {
  const env = await s3Emulator({ settings: { values } });
  for (const name of [Bucket, logs]) await env.s3.send(new S3.CreateBucketCommand({ Bucket: name }));
  return env;
}

const log = ({ s3 }: Env, extra: Partial<S3.LoggingEnabled> = {}) =>
  s3.send(
    new S3.PutBucketLoggingCommand({
      Bucket,
      BucketLoggingStatus: { LoggingEnabled: { TargetBucket: logs, TargetPrefix: 'log/', ...extra } },
    }),
  );

/** What a bucket has, by key. */
async function contents({ s3 }: Env, name = logs): Promise<Map<string, Buffer>> {
  const { Contents = [] } = await s3.send(new S3.ListObjectsV2Command({ Bucket: name }));
  const found = new Map<string, Buffer>();
  for (const { Key } of Contents) {
    const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket: name, Key }));
    found.set(Key!, Buffer.from(await Body!.transformToByteArray()));
  }
  return found;
}

describe('server access logs', () => {
  it('are there as soon as the answer is', async () => {
    await using env = await withTarget();
    await log(env);
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'dir/a b', Body: 'hello' }));
    await env.s3.send(new S3.GetObjectCommand({ Bucket, Key: 'dir/a b' }));
    await errorOf(env.s3.send(new S3.GetObjectCommand({ Bucket, Key: 'nothing' })));
    await env.s3.send(new S3.GetBucketVersioningCommand({ Bucket }));
    const found = [...(await contents(env))].map(([key, body]) => [key, body.toString()] as const);
    expect(found.every(([key]) => /^log\/\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-[0-9A-F]{16}$/.test(key))).toBe(true);
    const fields = found.map(([, line]) => line.match(/\[[^\]]*\]|"[^"]*"|\S+/g)!);
    expect(fields.every((one) => one.length === 26)).toBe(true);
    const told = new Map(fields.map((one) => [`${one[6]} ${one[7]}`, one]));
    expect([...told.keys()].sort()).toEqual([
      'REST.GET.OBJECT dir/a%20b',
      'REST.GET.OBJECT nothing',
      'REST.GET.VERSIONING -',
      'REST.PUT.LOGGING_STATUS -',
      'REST.PUT.OBJECT dir/a%20b',
    ]);
    const get = told.get('REST.GET.OBJECT dir/a%20b')!;
    expect(get[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(get[1]).toBe(Bucket);
    expect(get[2]).toMatch(/^\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\]$/);
    expect(get.slice(8, 13)).toEqual([`"GET /${Bucket}/dir/a%20b?x-id=GetObject HTTP/1.1"`, '200', '-', '5', '5']);
    expect(get.slice(19, 22)).toEqual(['SigV4', '-', 'AuthHeader']);
    expect(told.get('REST.GET.OBJECT nothing')!.slice(9, 11)).toEqual(['404', 'NoSuchKey']);
  });

  it('go to partitions by date', async () => {
    await using env = await withTarget();
    await log(env, { TargetObjectKeyFormat: { PartitionedPrefix: { PartitionDateSource: 'EventTime' } } });
    const [key] = (await contents(env)).keys();
    expect(key).toMatch(
      /^log\/123456789012\/us-east-1\/a-bucket\/\d{4}\/\d\d\/\d\d\/\d{4}-\d\d-\d\d-00-00-00-[0-9A-F]{16}$/,
    );
  });

  it('are not written where nobody asked for them', async () => {
    await using env = await withTarget({});
    await log(env);
    expect((await contents(env)).size).toBe(0);
  });

  it('need the permission of the target bucket where policies are enforced', async () => {
    await using env = await withTarget({ ...EAGER, EMULATOR_ENFORCE_IAM: true });
    await log(env);
    expect((await contents(env)).size).toBe(0);
    const Policy = policyText([
      {
        Effect: 'Allow',
        Principal: { Service: 'logging.s3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: `arn:aws:s3:::${logs}/log/*`,
        Condition: { ArnLike: { 'aws:SourceArn': `arn:aws:s3:::${Bucket}` } },
      },
    ]);
    await env.s3.send(new S3.PutBucketPolicyCommand({ Bucket: logs, Policy }));
    await env.s3.send(new S3.HeadBucketCommand({ Bucket }));
    expect((await contents(env)).size).toBe(1);
    await env.s3.send(new S3.DeleteBucketPolicyCommand({ Bucket: logs }));
    await env.s3.send(
      new S3.PutBucketOwnershipControlsCommand({
        Bucket: logs,
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerPreferred' }] },
      }),
    );
    await env.s3.send(new S3.HeadBucketCommand({ Bucket }));
    expect((await contents(env)).size).toBe(1);
    await env.s3.send(
      new S3.PutBucketAclCommand({ Bucket: logs, GrantWrite: 'uri="http://acs.amazonaws.com/groups/s3/LogDelivery"' }),
    );
    await env.s3.send(new S3.HeadBucketCommand({ Bucket }));
    expect((await contents(env)).size).toBe(2);
  });
});

describe('inventories', () => {
  const configure = ({ s3 }: Env, extra: Partial<S3.InventoryConfiguration> = {}, Prefix?: string) =>
    s3.send(
      new S3.PutBucketInventoryConfigurationCommand({
        Bucket,
        Id: 'all',
        InventoryConfiguration: {
          Id: 'all',
          IsEnabled: true,
          IncludedObjectVersions: 'All',
          Schedule: { Frequency: 'Daily' },
          Destination: {
            S3BucketDestination: { Bucket: `arn:aws:s3:::${logs}`, Format: 'CSV', ...(Prefix ? { Prefix } : {}) },
          },
          OptionalFields: ['ETag', 'Size', 'EncryptionStatus'],
          ...extra,
        },
      }),
    );
  const listsOf = (found: Map<string, Buffer>): string[] =>
    [...found].filter(([key]) => key.endsWith('.csv.gz')).map(([, body]) => gunzipSync(body).toString());

  it('list what the bucket has, with a manifest', async () => {
    await using env = await withTarget();
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await env.s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    const { VersionId } = await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'a b"', Body: 'hello' }));
    await env.s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'a b"' }));
    await configure(env, {}, 'inv');
    const found = await contents(env);
    const [list] = listsOf(found);
    const [marker, object, end] = list!.split('\n');
    expect(marker).toMatch(/^"a-bucket","a%20b%22","[^"]{32}","true","true","","",""$/);
    expect(object).toBe(
      `"a-bucket","a%20b%22","${VersionId}","false","false","5","${createHash('md5').update('hello').digest('hex')}","SSE-S3"`,
    );
    expect(end).toBe('');
    const [manifestKey, text] = [...found].find(([key]) => key.endsWith('manifest.json'))!;
    expect(manifestKey).toMatch(/^inv\/a-bucket\/all\/\d{4}-\d\d-\d\dT\d\d-\d\dZ\/manifest\.json$/);
    const manifest = JSON.parse(text.toString());
    expect(manifest).toMatchObject({
      sourceBucket: Bucket,
      destinationBucket: `arn:aws:s3:::${logs}`,
      version: '2016-11-30',
      fileFormat: 'CSV',
      fileSchema: 'Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, ETag, EncryptionStatus',
    });
    const data = found.get(manifest.files[0].key)!;
    expect(manifest.files).toMatchObject([
      { size: data.length, MD5checksum: createHash('md5').update(data).digest('hex') },
    ]);
    const sum = found.get(manifestKey.replace('.json', '.checksum'))!.toString();
    expect(sum).toBe(createHash('md5').update(text).digest('hex'));
    const symlink = [...found].find(([key]) => key.endsWith('symlink.txt'))!;
    expect(symlink[1].toString()).toBe(`s3://${logs}/${manifest.files[0].key}`);
  });

  it('come every day or week by the clock', async () => {
    await using env = await withTarget();
    await configure(env, { Schedule: { Frequency: 'Weekly' }, IncludedObjectVersions: 'Current' });
    const advance = (advance: number) => env.emulator.control('POST', '/_emulator/clock', { advance });
    await advance(6 * DAY);
    expect(listsOf(await contents(env))).toHaveLength(1);
    await env.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'later', Body: '' }));
    await advance(DAY + 3_600_000);
    expect(listsOf(await contents(env)).filter((one) => one.includes('"later"'))).toHaveLength(1);
  });

  it('are only kept as configuration where nobody asked for them, or the bucket is missing', async () => {
    await using env = await withTarget({});
    await configure(env);
    expect((await contents(env)).size).toBe(0);
    await using eager = await withTarget();
    const Destination = { S3BucketDestination: { Bucket: 'arn:aws:s3:::nobody-has-this', Format: 'CSV' as const } };
    await configure(eager, { Destination });
    expect((await contents(eager)).size).toBe(0);
    expect(await errorOf(configure(eager, { OptionalFields: ['Colour' as 'Size'] }))).toMatchObject({
      name: 'MalformedXML',
    });
  });
});
