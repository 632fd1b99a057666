import { createHash } from 'node:crypto';
import type { OperationContext } from '@emu/core/service';
import type { AttachmentsSource } from '@emu/service-types/ssm';
import { AwsError, piecesOf } from '@emu/wire';
import { invalidContent } from './errors.ts';
import type { AttachmentRecord } from './records.ts';
import { type DocumentSource, findDocument, versionOf } from './resolve.ts';

/** Maximum number of attachments of a version. */
const MAX = 20;
/** Maximum bytes of an attachment. */
const MAX_BYTES = 1024 ** 3;

/** Fetched attachments: files, or the reason of a failure. */
export interface FetchedAttachments {
  readonly attachments: AttachmentRecord[];
  readonly failure?: string;
}

type Context = Pick<OperationContext, 'call' | 'bodies'>;

/**
 * Returns the bucket and key of a source URL.
 * @throws AwsError `InvalidDocumentContent`
 */
function addressOf(url: string): { bucket: string; key: string } {
  const [, bucket, key = ''] =
    /^s3:\/\/([^/]+)\/?(.*)$/s.exec(url) ??
    /^https:\/\/s3[.-][^/]*\/([^/]+)\/(.*)$/s.exec(url) ??
    /^https:\/\/([^/]+)\.s3[.-][^/]*\/(.*)$/s.exec(url) ??
    [];
  if (bucket === undefined) throw invalidContent(`The attachment source ${url} is not a location in Amazon S3.`);
  return { bucket, key };
}

const fileName = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

async function fetch(bucket: string, key: string, name: string, ctx: Context): Promise<AttachmentRecord> {
  const { Body } = await ctx.call('s3', 'GetObject', { Bucket: bucket, Key: key }, { authorize: {} });
  const hash = createHash('sha256');
  let size = 0;
  const { id } = await ctx.bodies.write(piecesOf(Body), (chunk) => {
    size += chunk.length;
    if (size > MAX_BYTES) throw invalidContent(`The attachment ${name} is larger than ${MAX_BYTES} bytes.`);
    hash.update(chunk);
  });
  return { name, size, hash: hash.digest('hex'), body: id };
}

/** Lists the objects below a prefix. */
async function keysBelow(bucket: string, prefix: string, ctx: Context): Promise<string[]> {
  const { Contents } = await ctx.call(
    's3',
    'ListObjectsV2',
    { Bucket: bucket, ...(prefix && { Prefix: prefix }), MaxKeys: MAX + 1 },
    { authorize: {} },
  );
  return (Contents ?? []).map(({ Key }) => Key!).filter((key) => !key.endsWith('/'));
}

/** Returns the attachment of another document that `document/version/name` names. */
function referenced(value: string, source: DocumentSource): AttachmentRecord {
  const [document = '', version = '', name = ''] = value.split('/').slice(-3);
  const prefix = value.slice(0, Math.max(0, value.length - `/${version}/${name}`.length));
  const found = versionOf(findDocument(source, prefix || document), { DocumentVersion: version });
  const attachment = found.attachments.find((one) => one.name === name);
  if (!attachment) throw invalidContent(`The attachment ${value} does not exist.`);
  return { ...attachment };
}

/**
 * Fetches the files of a version with the caller's identity. The caller of this function must release each body after
 * the record is stored.
 * @throws AwsError `InvalidDocumentContent` for invalid sources; errors of S3 are returned as `failure`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_AttachmentsSource.html
 */
export async function fetchAttachments(
  sources: readonly AttachmentsSource[],
  source: DocumentSource,
  ctx: Context,
): Promise<FetchedAttachments> {
  const attachments: AttachmentRecord[] = [];
  try {
    for (const { Key, Values, Name } of sources) {
      const [value = ''] = Values ?? [];
      if (Key === 'AttachmentReference') {
        const record = referenced(value, source);
        ctx.bodies.retain(record.body);
        attachments.push(record);
        continue;
      }
      const { bucket, key } = addressOf(value);
      if (Key === 'SourceUrl') {
        const keys = await keysBelow(bucket, key, ctx);
        if (keys.length > MAX) throw invalidContent(`A document can have at most ${MAX} attachments.`);
        for (const one of keys) attachments.push(await fetch(bucket, one, fileName(one), ctx));
      } else attachments.push(await fetch(bucket, key, Name ?? fileName(key), ctx));
    }
    return { attachments };
  } catch (error) {
    for (const { body } of attachments) ctx.bodies.release(body);
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500 || error.code.startsWith('InvalidDocument'))
      throw error;
    const failure =
      error.code === 'NoSuchBucket'
        ? "The specified S3 bucket doesn't exist. Verify that the URL of the S3 bucket is correct."
        : `The attachment could not be read from Amazon S3: ${error.message}`;
    return { attachments: [], failure };
  }
}
