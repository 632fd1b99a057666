import { Readable } from 'node:stream';
import type { EmbeddedEmulator } from '@emu/emulator';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-s3/model/s3.json' with { type: 'json' };
import type { S3State } from '../../../../packages/svc-s3/src/state.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';
import { callers } from './s3-callers.ts';
import {
  BUCKET,
  configurationAfter,
  configurationAlso,
  configurationBefore,
  configurationInputs,
  configurationReads,
  observeConfigurations,
  setUpConfigurations,
} from './s3-configurations.ts';
import { setUpStates, statesAlso } from './s3-states.ts';

const ZONAL = 'zonal--use1-az4--x-s3';
const KEY = 'known';
const bucket = () => ({ Bucket: BUCKET });
const object = () => ({ Bucket: BUCKET, Key: KEY });
const zonal = () => ({ Bucket: ZONAL });
const body = (text: string) => ({ Body: Buffer.from(text) });
/** Operations that the SDK lacks, because others replaced them at the same address. */
const SUCCESSORS: Readonly<Record<string, string>> = {
  GetBucketLifecycle: 'GetBucketLifecycleConfiguration',
  GetBucketNotification: 'GetBucketNotificationConfiguration',
  PutBucketLifecycle: 'PutBucketLifecycleConfiguration',
  PutBucketNotification: 'PutBucketNotificationConfiguration',
};

/**
 * Creates a versioned bucket with object lock, an object and an upload; a directory bucket; a bucket with every
 * configuration.
 */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateBucket', { Bucket: 'empty' });
  await send('CreateBucket', { Bucket: BUCKET, ObjectLockEnabledForBucket: true, ObjectOwnership: 'ObjectWriter' });
  await send('DeletePublicAccessBlock', bucket());
  const { VersionId, ETag } = await send('PutObject', { ...object(), ...body('a,b\n1,2\n'), Tagging: 'team=a' });
  await send('PutObject', { Bucket: BUCKET, Key: 'archived', ...body('x'), StorageClass: 'GLACIER' });
  const { UploadId } = await send('CreateMultipartUpload', { Bucket: BUCKET, Key: 'parts' });
  const part = await send('UploadPart', { Bucket: BUCKET, Key: 'parts', UploadId, PartNumber: 1, ...body('part') });
  await send('CreateBucket', {
    Bucket: ZONAL,
    CreateBucketConfiguration: {
      Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
      Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
    },
  });
  await send('PutObject', { ...zonal(), Key: KEY, ...body('x') });
  await setUpConfigurations(send);
  await send('PutObject', { Bucket: BUCKET, Key: 'open', ...body('x'), ACL: 'public-read' });
  return {
    ...(await setUpStates(send)),
    version: VersionId as string,
    etag: ETag as string,
    upload: UploadId as string,
    part: part.ETag as string,
  };
}

/**
 * Returns the SDK's name of an operation.
 * @throws Error for members that the replacement of a missing operation lacks
 */
function successorOf(operation: string, input: Record<string, unknown>): string {
  const successor = SUCCESSORS[operation];
  if (successor === undefined) return operation;
  const { operations, shapes }: ServiceModel = model as unknown as ServiceModel;
  const { members = {} } = shapes[operations[successor]!.input!.shape]!;
  const unknown = Object.keys(input).find((member) => !Object.hasOwn(members, member));
  if (unknown !== undefined) throw new Error(`${successor}, which the SDK has in its place, has no ${unknown}`);
  return successor;
}

/**
 * Creates a request that waits for a function behind an Object Lambda access point, without the function, which would
 * otherwise be started for every variant.
 */
async function awaitObjectLambda(emulator: EmbeddedEmulator): Promise<Record<string, unknown>> {
  const service = await emulator.kernel.service('s3');
  const { objectLambda }: S3State = service.state('123456789012', 'us-east-1');
  const route = 'io-conformance';
  const token = 'conformance';
  objectLambda.wait(token, {
    route,
    point: 'arn:aws:s3-object-lambda:us-east-1:123456789012:accesspoint/conformance',
    signal: new AbortController().signal,
    deliver: ({ body }) => void Readable.from(body).resume(),
  });
  return { route, token };
}

/** Returns the result of an operation, or that nothing exists. */
async function told(send: Send, operation: string, input: Record<string, unknown>): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = await send(operation, input);
    return answer;
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    if ($metadata?.httpStatusCode === 404 || $metadata?.httpStatusCode === 405) return name;
    throw error;
  }
}

/** Returns every bucket with its versions, uploads and configurations, and its objects. */
async function observe(send: Send, { upload }: Facts): Promise<unknown> {
  const found: unknown[] = [await told(send, 'ListBuckets', {}), await told(send, 'ListDirectoryBuckets', {})];
  const { Buckets } = (await send('ListBuckets', {})) as { Buckets: { Name: string }[] };
  for (const { Name } of Buckets) found.push(await told(send, 'ListObjectVersions', { Bucket: Name }));
  for (const [operation, input] of [
    ['ListObjectsV2', zonal()],
    ['ListMultipartUploads', bucket()],
    ['ListParts', { Bucket: BUCKET, Key: 'parts', UploadId: upload }],
    ['HeadObject', object()],
    ['HeadObject', { Bucket: BUCKET, Key: 'archived' }],
    ['GetObjectTagging', object()],
    ['GetObjectAcl', object()],
    ['GetObjectLegalHold', object()],
    ['GetObjectRetention', object()],
    ['emu.ObjectLambdaResponses', {}],
  ] as const)
    found.push(await told(send, operation, input));
  return [...found, ...(await observeConfigurations((operation, input) => told(send, operation, input)))];
}

const putAnother = (send: Send) => send('PutObject', { ...object(), ...body('other') });
const tagAnother = (send: Send) =>
  send('PutObjectTagging', { ...object(), Tagging: { TagSet: [{ Key: 'b', Value: 'c' }] } });
const newBucket = (send: Send) => send('CreateBucket', { Bucket: 'another' });

const KEYS = ['folder/one+two', 'folder/three'];

const inputs: Scenario['inputs'] = {
  ...configurationInputs,
  AbortMultipartUpload: ({ upload }) => ({ Bucket: BUCKET, Key: 'parts', UploadId: upload }),
  CompleteMultipartUpload: ({ upload, part }) => ({
    Bucket: BUCKET,
    Key: 'parts',
    UploadId: upload,
    MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part }] },
  }),
  CopyObject: () => ({ Bucket: BUCKET, Key: 'copy', CopySource: `${BUCKET}/${KEY}` }),
  CreateBucket: () => ({ Bucket: 'new-bucket' }),
  CreateMultipartUpload: () => ({ Bucket: BUCKET, Key: 'new' }),
  CreateSession: zonal,
  DeleteBucket: () => ({ Bucket: 'empty' }),
  DeleteObject: object,
  DeleteObjects: () => ({ ...bucket(), Delete: { Objects: [{ Key: KEY }] } }),
  DeleteObjectTagging: object,
  GetObject: object,
  GetObjectAcl: object,
  GetObjectAttributes: () => ({ ...object(), ObjectAttributes: ['ETag', 'ObjectSize'] }),
  GetObjectLegalHold: object,
  GetObjectRetention: object,
  GetObjectTagging: object,
  GetObjectTorrent: object,
  HeadBucket: bucket,
  HeadObject: object,
  ListMultipartUploads: bucket,
  ListObjects: bucket,
  ListObjectsV2: bucket,
  ListObjectVersions: bucket,
  ListParts: ({ upload }) => ({ Bucket: BUCKET, Key: 'parts', UploadId: upload }),
  PutObject: () => ({ Bucket: BUCKET, Key: 'new', ...body('new') }),
  PutObjectAcl: () => ({ ...object(), ACL: 'public-read' }),
  PutObjectLegalHold: () => ({ ...object(), LegalHold: { Status: 'ON' } }),
  PutObjectRetention: () => ({
    ...object(),
    Retention: { Mode: 'GOVERNANCE', RetainUntilDate: new Date('2099-01-01T00:00:00Z') },
  }),
  PutObjectTagging: () => ({ ...object(), Tagging: { TagSet: [{ Key: 'new', Value: 'x' }] } }),
  RenameObject: () => ({ ...zonal(), Key: 'renamed', RenameSource: `/${ZONAL}/${KEY}` }),
  RestoreObject: () => ({ Bucket: BUCKET, Key: 'archived', RestoreRequest: { Days: 1 } }),
  SelectObjectContent: () => ({
    ...object(),
    Expression: 'SELECT s.a FROM S3Object s',
    ExpressionType: 'SQL',
    InputSerialization: { CSV: { FileHeaderInfo: 'USE' } },
    OutputSerialization: { CSV: {} },
  }),
  UpdateObjectEncryption: ({ kms }) => ({ ...object(), ObjectEncryption: { SSEKMS: { KMSKeyArn: kms } } }),
  UploadPart: ({ upload }) => ({ Bucket: BUCKET, Key: 'parts', UploadId: upload, PartNumber: 2, ...body('part') }),
  UploadPartCopy: ({ upload }) => ({
    Bucket: BUCKET,
    Key: 'parts',
    UploadId: upload,
    PartNumber: 2,
    CopySource: `${BUCKET}/${KEY}`,
  }),
  WriteGetObjectResponse: ({ route, token }) => ({ RequestRoute: route, RequestToken: token, ...body('made') }),
};

/** Amazon S3. */
export const s3: Scenario = {
  service: 's3',
  others: ['kms'],
  // A request that waits for its response.
  live: ['WriteGetObjectResponse'],
  deviations: [
    { path: /^versions\.\d+\.member\.storageClass$/, reason: 'versions are of every storage class' },
    { path: /^rules\.\d+\.member\.prefix$/, reason: 'GetBucketLifecycle answers rules of its successor too' },
  ],
  // S3's message for unsupported headers or values.
  declines: (error) => error.name === 'NotImplemented' && 'Header' in error,
  withdrawn: { GetObjectTorrent: 'S3 has given up BitTorrent' },
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const send = callers(emulator);
    return async (operation, input) => {
      if (operation === 'KMS.CreateKey') {
        const { CreateKeyCommand, KMSClient } = await import('@aws-sdk/client-kms');
        return { ...(await new KMSClient(emulator.clientConfig()).send(new CreateKeyCommand(input))) };
      }
      if (operation === 'emu.AwaitObjectLambda') return awaitObjectLambda(emulator);
      if (operation === 'emu.ObjectLambdaResponses') return { ...(await emulator.control.s3.objectLambdaResponses()) };
      const answer = await send(successorOf(operation, input), input);
      const { Body } = answer as { Body?: { transformToString(): Promise<string> } };
      // Streams are compared by contents.
      if (Body && typeof Body.transformToString === 'function')
        return { ...answer, Body: await Body.transformToString() };
      if (operation !== 'SelectObjectContent') return answer;
      let rows = '';
      for await (const event of answer.Payload as AsyncIterable<{ Records?: { Payload: Uint8Array } }>)
        rows += Buffer.from(event.Records?.Payload ?? []).toString();
      return { $metadata: answer.$metadata, rows };
    };
  },
  setUp,
  observe,
  after: configurationAfter,
  also: statesAlso(model as unknown as ServiceModel, inputs, {
    ...configurationAlso,
    CreateBucket: [
      () => ({
        Bucket: 'new--use1-az4--x-s3',
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
        },
      }),
    ],
    ...Object.fromEntries(
      ['PutObject', 'CreateMultipartUpload', 'CopyObject'].map((operation) => [
        operation,
        [() => ({ ...inputs[operation]!({}), ServerSideEncryption: 'aws:kms' })],
      ]),
    ),
  }),
  values: {
    ...Object.fromEntries(
      ['PutObject', 'CopyObject', 'CreateMultipartUpload'].flatMap((operation) => [
        [`${operation}.ServerSideEncryption`, ['aws:kms', 'AES256']],
        [`${operation}.Tagging`, ['a=b']],
        [`${operation}.WebsiteRedirectLocation`, ['/elsewhere']],
      ]),
    ),
    ...Object.fromEntries(
      ['ListMultipartUploads', 'ListObjects', 'ListObjectsV2', 'ListObjectVersions'].map((one) => [
        `${one}.Delimiter`,
        ['/'],
      ]),
    ),
    ...Object.fromEntries(
      ['PutObject', 'CopyObject', 'CreateMultipartUpload'].flatMap((operation) => [
        [`${operation}.Metadata`, [{ long: 'x'.repeat(3000) }]],
        [`${operation}.ContentEncoding`, ['aws-chunked,gzip']],
      ]),
    ),
    'GetObject.Range': ['bytes=0-2', 'bytes=9000-'],
    'HeadObject.Range': ['bytes=0-2'],
    'GetObject.IfModifiedSince': [new Date('2100-01-01T00:00:00Z')],
  },
  inputs,
  before: {
    ...configurationBefore,
    // Keys with prefixes and encoded characters, and a key with two uploads.
    ListMultipartUploads: async (send) => {
      await send('CreateMultipartUpload', { Bucket: BUCKET, Key: 'parts' });
      for (const Key of KEYS) await send('CreateMultipartUpload', { Bucket: BUCKET, Key });
      return {};
    },
    ...Object.fromEntries(
      ['ListObjects', 'ListObjectsV2', 'ListObjectVersions'].map((operation) => [
        operation,
        async (send: Send): Promise<Facts> => {
          for (const Key of KEYS) await send('PutObject', { Bucket: BUCKET, Key, ...body('x') });
          return {};
        },
      ]),
    ),
    UpdateObjectEncryption: async (send) => {
      const { KeyMetadata } = (await send('KMS.CreateKey', {})) as { KeyMetadata: { Arn: string } };
      return { kms: KeyMetadata.Arn };
    },
    WriteGetObjectResponse: async (send) => (await send('emu.AwaitObjectLambda', {})) as Facts,
    GetObjectLegalHold: async (send) => {
      await send('PutObjectLegalHold', { ...object(), LegalHold: { Status: 'OFF' } });
      return {};
    },
    GetObjectRetention: async (send) => {
      const Retention = { Mode: 'GOVERNANCE', RetainUntilDate: new Date('2099-01-01T00:00:00Z') };
      await send('PutObjectRetention', { ...object(), Retention });
      return {};
    },
  },
  reads: {
    ...configurationReads,
    CreateSession: undefined,
    GetObject: putAnother,
    GetObjectAcl: (send) => send('PutObjectAcl', { ...object(), ACL: 'public-read' }),
    GetObjectAttributes: putAnother,
    GetObjectLegalHold: (send) => send('PutObjectLegalHold', { ...object(), LegalHold: { Status: 'ON' } }),
    GetObjectRetention: (send) =>
      send('PutObjectRetention', {
        ...object(),
        Retention: { Mode: 'GOVERNANCE', RetainUntilDate: new Date('2100-01-01T00:00:00Z') },
      }),
    GetObjectTagging: tagAnother,
    HeadBucket: undefined,
    HeadObject: putAnother,
    ListBuckets: newBucket,
    ListDirectoryBuckets: (send) =>
      send('CreateBucket', {
        Bucket: 'other--use1-az4--x-s3',
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
        },
      }),
    ListMultipartUploads: (send) => send('CreateMultipartUpload', { Bucket: BUCKET, Key: 'another' }),
    ListObjects: putAnother,
    ListObjectsV2: putAnother,
    ListObjectVersions: putAnother,
    ListParts: (send, { upload }) =>
      send('UploadPart', { Bucket: BUCKET, Key: 'parts', UploadId: upload, PartNumber: 3, ...body('x') }),
    SelectObjectContent: (send) => send('PutObject', { ...object(), ...body('a,b\n3,4\n') }),
  },
};
