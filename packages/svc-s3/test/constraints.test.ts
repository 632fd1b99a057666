import { createHash } from 'node:crypto';
import * as S3 from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, s3Emulator, sendRaw } from './helpers.ts';

const Bucket = 'a-bucket';
const Key = 'key';
let env: Awaited<ReturnType<typeof s3Emulator>>;

beforeAll(async () => {
  env = await s3Emulator();
  await env.s3.send(new S3.CreateBucketCommand({ Bucket }));
  await env.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'x' }));
});
afterAll(() => env[Symbol.asyncDispose]());

const send = (method: string, target: string, headers: Record<string, string> = {}, body?: string) =>
  sendRaw(env.emulator, method, target, headers, body === undefined ? [] : [body]);
const messageOf = (text: string) => /<Message>(.*?)<\/Message>/.exec(text)?.[1];
const argumentOf = (text: string) => [
  /<ArgumentName>(.*?)<\/ArgumentName>/.exec(text)?.[1],
  /<ArgumentValue>(.*?)<\/ArgumentValue>/.exec(text)?.[1],
];

describe('headers with enumerations', () => {
  it.each([
    ['GET', `/${Bucket}/${Key}`],
    ['PUT', `/${Bucket}/other`],
    ['DELETE', `/${Bucket}/other`],
    ['GET', `/${Bucket}?list-type=2`],
    ['GET', `/${Bucket}?versions`],
    ['POST', `/${Bucket}/other?uploads`],
    ['GET', `/${Bucket}/${Key}?tagging`],
  ])('rejects x-amz-request-payer equally: %s %s', async (method, target) => {
    const { status, code, text } = await send(method, target, { 'x-amz-request-payer': 'owner' });
    expect([status, code, messageOf(text)]).toEqual([
      400,
      'InvalidArgument',
      'Invalid x-amz-request-payer header: owner',
    ]);
    expect(argumentOf(text)).toEqual(['x-amz-request-payer', 'owner']);
    expect((await send(method, target, { 'x-amz-request-payer': 'requester' })).status).toBeLessThan(300);
  });

  it('rejects x-amz-checksum-mode, by status alone for responses without a body', async () => {
    const headers = { 'x-amz-checksum-mode': 'MAYBE' };
    const { status, code, text } = await send('GET', `/${Bucket}/${Key}`, headers);
    expect([status, code, messageOf(text)]).toEqual([
      400,
      'InvalidRequest',
      'Value for x-amz-checksum-mode header is invalid.',
    ]);
    expect(await send('HEAD', `/${Bucket}/${Key}`, headers)).toMatchObject({ status: 400, text: '' });
  });

  it('rejects invalid x-amz-sdk-checksum-algorithm, and accepts lower case', async () => {
    const tags = '<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>';
    const digest = { 'content-md5': createHash('md5').update(tags).digest('base64') };
    const put = (algorithm: string) =>
      send('PUT', `/${Bucket}/${Key}?tagging`, { ...digest, 'x-amz-sdk-checksum-algorithm': algorithm }, tags);
    const { status, code, text } = await put('CRC31');
    expect([status, code, messageOf(text)]).toEqual([
      400,
      'InvalidRequest',
      'Value for x-amz-sdk-checksum-algorithm header is invalid.',
    ]);
    // An announced checksum is required.
    expect((await put('xxhash64')).code).toBe('InvalidRequest');
    for (const algorithm of ['SHA256', 'sha256', 'sha1']) {
      const name = algorithm.toLowerCase();
      const headers = {
        'x-amz-sdk-checksum-algorithm': algorithm,
        [`x-amz-checksum-${name}`]: createHash(name).update(tags).digest('base64'),
      };
      expect((await send('PUT', `/${Bucket}/${Key}?tagging`, headers, tags)).status).toBe(200);
    }
  });

  it('rejects invalid x-amz-bucket-namespace', async () => {
    expect(
      await errorOf(env.s3.send(new S3.CreateBucketCommand({ Bucket: 'new', BucketNamespace: 'mine' as 'global' }))),
    ).toMatchObject({ name: 'InvalidArgument', ArgumentName: 'x-amz-bucket-namespace', ArgumentValue: 'mine' });
  });

  it('rejects headers from an Object Lambda function before it looks up the waiting request', async () => {
    const { status, code, text } = await send('POST', '/WriteGetObjectResponse', {
      host: 's3-object-lambda.us-east-1.amazonaws.com',
      'x-amz-request-route': 'r',
      'x-amz-request-token': 't',
      'x-amz-fwd-header-x-amz-storage-class': 'COLD',
    });
    expect([status, code]).toEqual([400, 'InvalidArgument']);
    expect(argumentOf(text)).toEqual(['x-amz-fwd-header-x-amz-storage-class', 'COLD']);
  });
});

describe('required members', () => {
  const ATTRIBUTES =
    'The x-amz-object-attributes header specifying the attributes to be retrieved is either missing or empty';

  it.each<Record<string, string>>([{}, { 'x-amz-object-attributes': '' }, { 'x-amz-object-attributes': ' , ' }])(
    'attributes: %j',
    async (headers) => {
      const { status, code, text } = await send('GET', `/${Bucket}/${Key}?attributes`, headers);
      expect([status, code, messageOf(text)]).toEqual([400, 'InvalidRequest', ATTRIBUTES]);
    },
  );

  it('the source of a rename: writes nothing without it', async () => {
    const { status, code, text } = await send('PUT', `/${Bucket}/renamed?renameObject`, {}, 'content');
    expect([status, code, messageOf(text)]).toEqual([
      400,
      'InvalidRequest',
      'Missing required header for this request: x-amz-rename-source',
    ]);
    expect((await send('HEAD', `/${Bucket}/renamed`)).status).toBe(404);
  });

  it.each(['analytics', 'inventory'])('the id of a configuration: creates no bucket without it, ?%s', async (kind) => {
    const { status, code, text } = await send('PUT', `/never-made?${kind}`);
    expect([status, code, argumentOf(text)[0]]).toEqual([400, 'InvalidArgument', 'id']);
    expect((await send('DELETE', `/never-made?${kind}`)).code).toBe('InvalidArgument');
    expect((await send('HEAD', '/never-made')).status).toBe(404);
    // Without an id, the address is the list's.
    expect((await send('GET', `/${Bucket}?${kind}`)).status).toBe(200);
  });
});

describe('lists of directory buckets', () => {
  let zonal: S3.S3Client;
  beforeAll(async () => {
    zonal = new S3.S3Client({ ...env.emulator.clientConfig(), disableS3ExpressSessionAuth: true });
    for (const name of ['one', 'two', 'three'])
      await zonal.send(
        new S3.CreateBucketCommand({
          Bucket: `${name}--use1-az4--x-s3`,
          CreateBucketConfiguration: {
            Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
            Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
          },
        }),
      );
  });
  const list = (input: S3.ListDirectoryBucketsCommandInput) => zonal.send(new S3.ListDirectoryBucketsCommand(input));

  it('return pages of the requested size', async () => {
    const first = await list({ MaxDirectoryBuckets: 2 });
    expect(first.Buckets?.map(({ Name }) => Name)).toEqual(['one--use1-az4--x-s3', 'three--use1-az4--x-s3']);
    const second = await list({ MaxDirectoryBuckets: 2, ContinuationToken: first.ContinuationToken });
    expect(second.Buckets?.map(({ Name }) => Name)).toEqual(['two--use1-az4--x-s3']);
    expect(second.ContinuationToken).toBeUndefined();
  });

  it.each([
    ['too few', { MaxDirectoryBuckets: -1 }, 'max-directory-buckets'],
    ['too many', { MaxDirectoryBuckets: 1001 }, 'max-directory-buckets'],
    ['too long a token', { ContinuationToken: 'a'.repeat(1025) }, 'continuation-token'],
  ])('reject: %s', async (_what, input, ArgumentName) => {
    expect(await errorOf(list(input))).toMatchObject({ name: 'InvalidArgument', ArgumentName });
  });
});

describe('documents that violate their schema', () => {
  const malformed = { name: 'MalformedXML', $metadata: { httpStatusCode: 400 } };

  it.each([
    ['OutputSchemaVersion', { OutputSchemaVersion: 'V_2' as 'V_1' }, 'CSV'],
    ['Format', { OutputSchemaVersion: 'V_1' }, 'ORC'],
  ] as const)('of analytics: %s', async (_name, version, Format) => {
    const Destination = { S3BucketDestination: { Bucket: `arn:aws:s3:::${Bucket}`, Format: Format as 'CSV' } };
    expect(
      await errorOf(
        env.s3.send(
          new S3.PutBucketAnalyticsConfigurationCommand({
            Bucket,
            Id: 'a',
            AnalyticsConfiguration: {
              Id: 'a',
              StorageClassAnalysis: { DataExport: { ...version, Destination } },
            },
          }),
        ),
      ),
    ).toMatchObject(malformed);
  });

  /** Returns the error for a rule with such members. */
  async function replicationRefusal(rule: Partial<S3.ReplicationRule>, destination: Partial<S3.Destination>) {
    const Rule: S3.ReplicationRule = {
      Priority: 1,
      Status: 'Enabled',
      Filter: { Prefix: '' },
      DeleteMarkerReplication: { Status: 'Disabled' },
      ...rule,
      Destination: { Bucket: 'arn:aws:s3:::replica', ...destination },
    };
    await env.s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    const ReplicationConfiguration = { Role: 'arn:aws:iam::000000000000:role/r', Rules: [Rule] };
    return errorOf(env.s3.send(new S3.PutBucketReplicationCommand({ Bucket, ReplicationConfiguration })));
  }

  it.each<[string, Partial<S3.ReplicationRule>, Partial<S3.Destination>]>([
    ['StorageClass', {}, { StorageClass: 'COLD' as 'GLACIER' }],
    ['AccessControlTranslation', {}, { AccessControlTranslation: { Owner: 'Source' as 'Destination' } }],
    ['Metrics', {}, { Metrics: { Status: 'On' as 'Enabled' } }],
    ['ReplicationTime', {}, { ReplicationTime: { Status: 'On' as 'Enabled', Time: { Minutes: 15 } } }],
    ['DeleteMarkerReplication', { DeleteMarkerReplication: { Status: 'On' as 'Enabled' } }, {}],
    ['ExistingObjectReplication', { ExistingObjectReplication: { Status: 'On' as 'Enabled' } }, {}],
    [
      'SseKmsEncryptedObjects',
      { SourceSelectionCriteria: { SseKmsEncryptedObjects: { Status: 'On' as 'Enabled' } } },
      {},
    ],
  ])('of replication: %s', async (_name, rule, destination) => {
    expect(await replicationRefusal(rule, destination)).toMatchObject(malformed);
  });

  const kms = { SseKmsEncryptedObjects: { Status: 'Enabled' } } as const;
  const together: [string, Partial<S3.ReplicationRule>, Partial<S3.Destination>, object][] = [
    [
      'encrypted objects without a key',
      { SourceSelectionCriteria: kms },
      {},
      {
        name: 'InvalidRequest',
        message: 'ReplicaKmsKeyID must be specified if SseKmsEncryptedObjects tag is present.',
      },
    ],
    [
      'a key without encrypted objects',
      {},
      { EncryptionConfiguration: { ReplicaKmsKeyID: 'arn:aws:kms:us-east-1:000000000000:key/k' } },
      {
        name: 'InvalidRequest',
        message: 'SseKmsEncryptedObjects must be specified if EncryptionConfiguration is present.',
      },
    ],
    [
      'a threshold without a time',
      {},
      { Metrics: { Status: 'Enabled', EventThreshold: { Minutes: 15 } } },
      {
        name: 'InvalidArgument',
        message: 'Metrics cannot contain an event threshold when ReplicationTime is not specified or Disabled',
      },
    ],
  ];

  it.each(together)('combinations of replication members: %s', async (_name, rule, destination, refusal) => {
    expect(await replicationRefusal(rule, destination)).toMatchObject(refusal);
    expect(await errorOf(env.s3.send(new S3.GetBucketReplicationCommand({ Bucket })))).toMatchObject({
      name: 'ReplicationConfigurationNotFoundError',
    });
  });

  const select: S3.SelectParameters = {
    Expression: 'SELECT * FROM S3Object',
    ExpressionType: 'SQL',
    InputSerialization: { CSV: {} },
    OutputSerialization: { CSV: {} },
  };
  const location: S3.OutputLocation = { S3: { BucketName: Bucket, Prefix: 'out/' } };

  it.each<[string, S3.RestoreRequest]>([
    ['Type', { Days: 1, Type: 'COPY' as 'SELECT' }],
    ['days for a query', { Days: 1, Type: 'SELECT', SelectParameters: select, OutputLocation: location }],
    ['no query', { Type: 'SELECT', OutputLocation: location }],
    ['no output location', { Type: 'SELECT', SelectParameters: select }],
    [
      'a tier of a copy',
      {
        Type: 'SELECT',
        SelectParameters: select,
        OutputLocation: location,
        GlacierJobParameters: { Tier: 'Bulk' },
      },
    ],
    ['a query for a copy', { Days: 1, SelectParameters: select }],
    ['an output location for a copy', { Days: 1, OutputLocation: location }],
  ])('of restores: %s', async (_name, RestoreRequest) => {
    expect(await errorOf(env.s3.send(new S3.RestoreObjectCommand({ Bucket, Key, RestoreRequest })))).toMatchObject(
      malformed,
    );
  });

  it('distinguishes unsupported archive queries from malformed ones', async () => {
    const RestoreRequest: S3.RestoreRequest = { Type: 'SELECT', SelectParameters: select, OutputLocation: location };
    expect(await errorOf(env.s3.send(new S3.RestoreObjectCommand({ Bucket, Key, RestoreRequest })))).toMatchObject({
      name: 'NotImplemented',
      $metadata: { httpStatusCode: 501 },
    });
  });
});
