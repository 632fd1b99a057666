import { createHash } from 'node:crypto';
import type { ServiceModel } from '@emu/wire';
import type { Facts, Scenario, Send } from '../scenario.ts';
import { via } from './s3-callers.ts';
import { BUCKET } from './s3-configurations.ts';

type Input = (facts: Facts) => Record<string, unknown>;
type Inputs = Readonly<Record<string, readonly Input[]>>;

/** A bucket that requires MFA codes to delete versions. */
const GUARDED = 'guarded';
const DEVICE = 'arn:aws:iam::123456789012:mfa/root 123456';
const CUSTOMER_KEY = Buffer.alloc(32, 'k');
/** A customer key in headers. */
const ownKey = {
  SSECustomerAlgorithm: 'AES256',
  SSECustomerKey: CUSTOMER_KEY.toString('base64'),
  SSECustomerKeyMD5: createHash('md5').update(CUSTOMER_KEY).digest('base64'),
};
const customerKey = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: CUSTOMER_KEY };
const sourceKey = Object.fromEntries(Object.entries(ownKey).map(([name, value]) => [`CopySource${name}`, value]));
const LATER = new Date('2099-01-01T00:00:00Z');
const retention = (RetainUntilDate: Date) => ({ Mode: 'GOVERNANCE', RetainUntilDate });

/**
 * Creates locked objects, objects encrypted with a customer key, multipart objects with checksums, and a requester pays
 * bucket.
 */
export async function setUpStates(send: Send): Promise<Facts> {
  const put = (Key: string, more: object) =>
    send('PutObject', { Bucket: BUCKET, Key, Body: Buffer.from('x'), ...more });
  const { VersionId: held } = await put('held', { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: LATER });
  await put('secret', { ...customerKey, Body: Buffer.from('a,b\n1,2\n') });
  const secret = { Bucket: BUCKET, Key: 'secret-parts' };
  const begun = await send('CreateMultipartUpload', { ...secret, ...customerKey, ChecksumAlgorithm: 'SHA256' });
  const { UploadId } = begun;
  const part = { ...secret, UploadId, PartNumber: 1, Body: Buffer.from('part'), ChecksumAlgorithm: 'SHA256' };
  const { ETag, ChecksumSHA256 } = await send('UploadPart', { ...part, ...customerKey });
  const divided = { Bucket: BUCKET, Key: 'divided' };
  const upload = await send('CreateMultipartUpload', { ...divided, ChecksumAlgorithm: 'SHA256' });
  const only = { ...divided, UploadId: upload.UploadId, PartNumber: 1, Body: Buffer.from('end') };
  const sent = await send('UploadPart', { ...only, ChecksumAlgorithm: 'SHA256' });
  const Parts = [{ PartNumber: 1, ETag: sent.ETag, ChecksumSHA256: sent.ChecksumSHA256 }];
  await send('CompleteMultipartUpload', { ...divided, UploadId: upload.UploadId, MultipartUpload: { Parts } });
  await send('CreateBucket', { Bucket: GUARDED });
  await send('PutBucketVersioning', {
    Bucket: GUARDED,
    MFA: DEVICE,
    VersioningConfiguration: { Status: 'Enabled', MFADelete: 'Enabled' },
  });
  const { VersionId: guarded } = await send('PutObject', { Bucket: GUARDED, Key: 'one', Body: Buffer.from('x') });
  const { LastModified } = await send('HeadObject', { Bucket: BUCKET, Key: 'known' });
  await send('PutBucketRequestPayment', { Bucket: BUCKET, RequestPaymentConfiguration: { Payer: 'Requester' } });
  return {
    held: held as string,
    guarded: guarded as string,
    modified: (LastModified as Date).toISOString(),
    secretUpload: UploadId as string,
    secretPart: ETag as string,
    secretChecksum: ChecksumSHA256 as string,
  };
}

/** Members that other inputs omit: satisfied conditions, codes and keys. */
const conditions: Inputs = {
  CompleteMultipartUpload: [
    ({ secretUpload, secretPart, secretChecksum }) =>
      via('own digests', {
        Bucket: BUCKET,
        Key: 'secret-parts',
        UploadId: secretUpload,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag: secretPart, ChecksumSHA256: secretChecksum }] },
        ...ownKey,
      }),
  ],
  CopyObject: [
    ({ etag }) => ({ Bucket: BUCKET, Key: 'copy', CopySource: `${BUCKET}/known`, CopySourceIfNoneMatch: etag }),
    ({ modified }) => ({
      Bucket: BUCKET,
      Key: 'copy',
      CopySource: `${BUCKET}/known`,
      CopySourceIfModifiedSince: new Date(modified!),
    }),
    () => ({
      Bucket: BUCKET,
      Key: 'copy',
      CopySource: `${BUCKET}/known`,
      MetadataDirective: 'REPLACE',
      TaggingDirective: 'REPLACE',
    }),
    () => via('own digests', { Bucket: BUCKET, Key: 'copy', CopySource: `${BUCKET}/secret`, ...sourceKey }),
  ],
  DeleteObject: [
    ({ held }) => ({ Bucket: BUCKET, Key: 'held', VersionId: held, BypassGovernanceRetention: true }),
    ({ guarded }) => ({ Bucket: GUARDED, Key: 'one', VersionId: guarded, MFA: DEVICE }),
  ],
  DeleteObjects: [
    ({ held }) => ({
      Bucket: BUCKET,
      Delete: { Objects: [{ Key: 'held', VersionId: held }] },
      BypassGovernanceRetention: true,
    }),
    ({ guarded }) => ({ Bucket: GUARDED, Delete: { Objects: [{ Key: 'one', VersionId: guarded }] }, MFA: DEVICE }),
  ],
  ...Object.fromEntries(
    ['GetObject', 'HeadObject'].map((operation): [string, Input[]] => [
      operation,
      [
        ({ etag }) => ({ Bucket: BUCKET, Key: 'known', IfNoneMatch: etag }),
        ({ modified }) => ({ Bucket: BUCKET, Key: 'known', IfModifiedSince: new Date(modified!) }),
        () => via('own digests', { Bucket: BUCKET, Key: 'secret', ...ownKey }),
        // Unsigned requests cannot override response headers.
        () => via('nobody', { Bucket: BUCKET, Key: 'open' }),
      ],
    ]),
  ),
  GetObjectAttributes: [
    () => via('own digests', { Bucket: BUCKET, Key: 'secret', ObjectAttributes: ['ETag'], ...ownKey }),
    () => ({ Bucket: BUCKET, Key: 'divided', ObjectAttributes: ['ObjectParts'] }),
  ],
  ListMultipartUploads: [({ upload }) => ({ Bucket: BUCKET, KeyMarker: 'parts', UploadIdMarker: upload })],
  ListParts: [
    ({ secretUpload }) =>
      via('own digests', { Bucket: BUCKET, Key: 'secret-parts', UploadId: secretUpload, ...ownKey }),
  ],
  PutBucketVersioning: [
    () => ({ Bucket: 'empty', MFA: DEVICE, VersioningConfiguration: { Status: 'Enabled', MFADelete: 'Enabled' } }),
  ],
  PutObjectRetention: [
    () => ({
      Bucket: BUCKET,
      Key: 'held',
      Retention: retention(new Date('2090-01-01T00:00:00Z')),
      BypassGovernanceRetention: true,
    }),
  ],
  SelectObjectContent: [
    () =>
      via('own digests', {
        Bucket: BUCKET,
        Key: 'secret',
        Expression: 'SELECT s.a FROM S3Object s',
        ExpressionType: 'SQL',
        InputSerialization: { CSV: { FileHeaderInfo: 'USE' } },
        OutputSerialization: { CSV: {} },
        ...ownKey,
      }),
  ],
  UploadPartCopy: [
    ({ upload, etag }) => ({
      Bucket: BUCKET,
      Key: 'parts',
      UploadId: upload,
      PartNumber: 2,
      CopySource: `${BUCKET}/known`,
      CopySourceIfNoneMatch: etag,
    }),
    ({ upload, modified }) => ({
      Bucket: BUCKET,
      Key: 'parts',
      UploadId: upload,
      PartNumber: 2,
      CopySource: `${BUCKET}/known`,
      CopySourceIfModifiedSince: new Date(modified!),
    }),
    ({ upload }) =>
      via('own digests', {
        Bucket: BUCKET,
        Key: 'parts',
        UploadId: upload,
        PartNumber: 2,
        CopySource: `${BUCKET}/secret`,
        ...sourceKey,
      }),
  ],
};

/** Operations on documents with a checksum from the SDK; object bodies are streams. */
const STREAMING = new Set(['PutObject', 'UploadPart']);

/**
 * Further valid inputs of S3 operations: requests with a wrong document checksum, requests by another account for
 * requester pays, and states that the first inputs do not cover.
 */
export function statesAlso(model: ServiceModel, inputs: Scenario['inputs'], others: Inputs): Inputs {
  const also: Record<string, readonly Input[]> = {};
  for (const [operation, { checksum, input }] of Object.entries(model.operations)) {
    const base = inputs[operation];
    if (!base || !input) continue;
    const { members = {} } = model.shapes[input.shape]!;
    const more = [...(others[operation] ?? []), ...(conditions[operation] ?? [])];
    if (checksum?.requestAlgorithmMember && !STREAMING.has(operation))
      more.push((facts) => via('damaged', base(facts)));
    if (members.RequestPayer) more.push((facts) => via('stranger', base(facts)));
    if (more.length) also[operation] = more;
  }
  return also;
}
