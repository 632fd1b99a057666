import { Readable } from 'node:stream';
import type { CallOptions, DataPlaneRequest, DataPlaneResponse, ServiceHandle } from '@emu/core/service';
import type { PutObjectRequest } from '@emu/service-types/s3';
import { Busboy } from '@fastify/busboy';
import type { Bucket } from '../buckets/bucket.ts';
import { CHECKSUM_ALGORITHMS } from '../content/checksums.ts';
import { accessDenied, invalidArgument, malformedXml, preconditionFailed, s3Error } from '../errors.ts';
import { BROWSER_POST, isForm } from '../recognition/browser-post.ts';
import { authError } from '../signatures/errors.ts';
import type { S3State } from '../state.ts';
import { checkPolicy, type FormFields, isSignedWith, type SizeRange, signatureOf } from './post-policy.ts';

/** Maximum bytes of a form with its boundaries, without the contents of the file. */
const MAX_FORM = 20 * 1024;
/** Fewest bytes of a part besides its boundary, name and value. */
const PART_FRAME = '--\r\nContent-Disposition: form-data; name=""\r\n\r\n\r\n'.length;
/** Placeholder for the file name in a form's key. */
const FILE_NAME = '$'.concat('{filename}');

/** Input of an upload by form. */
interface FormUpload extends PutObjectRequest {
  [BROWSER_POST]: {
    /** Signer of its signature; undefined if unsigned. */
    readonly signatureVersion: string | undefined;
  };
}

interface Form {
  readonly fields: FormFields;
  readonly fileName: string | undefined;
  readonly file: AsyncIterable<Uint8Array>;
}

/** Reads a form up to its file, which the caller then iterates. */
function readForm(request: DataPlaneRequest): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const type = String(request.headers['content-type']);
    const parser = new Busboy({
      headers: { 'content-type': type },
      limits: { fieldSize: MAX_FORM, parts: Math.floor(MAX_FORM / PART_FRAME) },
    });
    const source = Readable.from(request.body);
    const frame = PART_FRAME + boundaryOf(type).length;
    const named: Promise<void>[] = [];
    let size = 0;
    const tooLarge = (): void => {
      // The parser would go through the rest of the form without a pause.
      source.unpipe(parser);
      reject(formTooLarge());
    };
    const add = (name: string | undefined, value: string, cut: boolean): void => {
      size += frame + (name?.length ?? 0) + value.length;
      if (cut || size > MAX_FORM) tooLarge();
      else if (name !== undefined) fields.set(name.toLowerCase(), value);
    };
    parser.on('partsLimit', tooLarge);
    parser.on('field', (name: string | undefined, value: string, _nameCut: boolean, cut: boolean) => {
      if (name?.toLowerCase() !== 'file') add(name, value, cut);
      else resolve({ fields, fileName: undefined, file: Readable.from([Buffer.from(value)]) });
    });
    parser.on('file', (name: string | undefined, file: Readable, fileName: string) => {
      // A part is a field even if it has a file name; its last bytes may arrive after the next part begins.
      if (name?.toLowerCase() === 'file') {
        Promise.all(named).then(() => resolve({ fields, fileName, file }), reject);
        return;
      }
      const field = readField(file).then((text) => add(name, text, false));
      field.catch(reject);
      named.push(field);
    });
    parser.on('finish', () =>
      reject(invalidArgument('POST requires exactly one file upload per request.', 'file', '0')),
    );
    parser.on('error', () => reject(malformedPost()));
    source.on('error', () => reject(malformedPost())).pipe(parser);
  });
}

/** Returns the boundary that a content type declares. */
function boundaryOf(type: string): string {
  const [, quoted, plain = ''] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type) ?? [];
  return quoted ?? plain;
}

/** @throws AwsError `MaxPostPreDataLengthExceeded` */
async function readField(part: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of part) {
    size += chunk.length;
    if (size > MAX_FORM) throw formTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const formTooLarge = (): Error =>
  s3Error('MaxPostPreDataLengthExceeded', 'Your POST request fields preceeding the upload file was too large.', {
    status: 400,
    members: { MaxPostPreDataLengthBytes: String(MAX_FORM) },
  });

const malformedPost = (): Error =>
  s3Error('MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.', {
    status: 400,
  });

/** Yields the file; fails if its size violates the policy. */
async function* sized(file: AsyncIterable<Uint8Array>, range: SizeRange | undefined): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of file) {
    size += chunk.length;
    // The rest is counted and dropped, because the error contains the total size.
    if (!range || size <= range.max) yield chunk;
  }
  if (range && size > range.max)
    throw s3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      status: 400,
      members: { ProposedSize: String(size), MaxSizeAllowed: String(range.max) },
    });
  if (range && size < range.min)
    throw s3Error('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', {
      status: 400,
      members: { ProposedSize: String(size), MinSizeAllowed: String(range.min) },
    });
}

/** PutObject members by form field. */
const MEMBERS: readonly (readonly [field: string, member: string])[] = [
  ['acl', 'ACL'],
  ['cache-control', 'CacheControl'],
  ['content-type', 'ContentType'],
  ['content-disposition', 'ContentDisposition'],
  ['content-encoding', 'ContentEncoding'],
  ['content-language', 'ContentLanguage'],
  ['expires', 'Expires'],
  ['x-amz-storage-class', 'StorageClass'],
  ['x-amz-website-redirect-location', 'WebsiteRedirectLocation'],
  ['x-amz-server-side-encryption', 'ServerSideEncryption'],
  ['x-amz-server-side-encryption-aws-kms-key-id', 'SSEKMSKeyId'],
  ['x-amz-server-side-encryption-context', 'SSEKMSEncryptionContext'],
  ['x-amz-object-lock-mode', 'ObjectLockMode'],
  ['x-amz-object-lock-legal-hold', 'ObjectLockLegalHoldStatus'],
  ['x-amz-server-side-encryption-customer-algorithm', 'SSECustomerAlgorithm'],
  ['x-amz-server-side-encryption-customer-key', 'SSECustomerKey'],
  ['x-amz-server-side-encryption-customer-key-md5', 'SSECustomerKeyMD5'],
  ...CHECKSUM_ALGORITHMS.map((name) => [`x-amz-checksum-${name.toLowerCase()}`, `Checksum${name}`] as const),
];

function inputOf(fields: FormFields, bucket: Bucket, key: string): PutObjectRequest {
  const metadata: Record<string, string> = {};
  for (const [name, value] of fields)
    if (name.startsWith('x-amz-meta-')) metadata[name.slice('x-amz-meta-'.length)] = value;
  const input: PutObjectRequest & Record<string, unknown> = { Bucket: bucket.name, Key: key, Metadata: metadata };
  for (const [field, member] of MEMBERS) if (fields.has(field)) input[member] = fields.get(field);
  const bucketKey = fields.get('x-amz-server-side-encryption-bucket-key-enabled');
  if (bucketKey !== undefined) input.BucketKeyEnabled = bucketKey.toLowerCase() === 'true';
  const until = fields.get('x-amz-object-lock-retain-until-date');
  if (until !== undefined) input.ObjectLockRetainUntilDate = dateOf(until);
  const tagging = fields.get('tagging');
  if (tagging !== undefined) input.Tagging = taggingOf(tagging);
  return input;
}

/** @throws AwsError `InvalidArgument` for an invalid date */
function dateOf(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw invalidArgument(
      'The retain until date must be provided in ISO 8601 format',
      'x-amz-object-lock-retain-until-date',
      text,
    );
  return date;
}

/**
 * Converts a form's tag document for PutObject.
 * @throws AwsError `MalformedXML`
 */
function taggingOf(xml: string): string {
  if (!/<Tagging[\s>/]/.test(xml)) throw malformedXml();
  const fromXml = (text: string): string =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&');
  return [...xml.matchAll(/<Tag>\s*<Key>([^<]*)<\/Key>\s*<Value>([^<]*)<\/Value>\s*<\/Tag>/g)]
    .map(([, key, value]) => `${encodeURIComponent(fromXml(key!))}=${encodeURIComponent(fromXml(value!))}`)
    .join('&');
}

/**
 * Handles a browser form that uploads a file.
 * @throws AwsError errors of policy, signature or PutObject
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
 */
export async function servePost(
  request: DataPlaneRequest,
  bucket: Bucket,
  handle: ServiceHandle<S3State>,
): Promise<DataPlaneResponse> {
  if (!isForm(request.headers['content-type']))
    throw preconditionFailed('Bucket POST must be of the enclosure-type multipart/form-data');
  const { fields, fileName, file } = await readForm(request);
  const given = fields.get('key');
  if (given === undefined)
    throw invalidArgument(
      "Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the fields.",
      'key',
      '',
    );
  const key = fileName === undefined ? given : given.replaceAll(FILE_NAME, fileName.split(/[/\\]/).at(-1)!);
  const caller = callerOf(fields, handle, bucket);
  const policy = fields.get('policy');
  const range = policy === undefined ? undefined : checkPolicy(policy, fields, bucket.name, handle.clock.now());
  const signatureVersion = fields.get('x-amz-algorithm') ?? (fields.has('signature') ? 'AWS' : undefined);
  const input: FormUpload = {
    ...inputOf(fields, bucket, key),
    Body: sized(file, range),
    [BROWSER_POST]: { signatureVersion },
  };
  const options = { ...caller, region: bucket.region, cause: request.requestId };
  const output = await handle.call('s3', 'PutObject', input, options);
  return reply(request, fields, bucket, key, output.ETag!);
}

/**
 * Returns the caller of a form.
 * @throws AwsError `AccessDenied`, `InvalidArgument`, `SignatureDoesNotMatch`, `InvalidAccessKeyId`, `InvalidToken`,
 * `ExpiredToken`
 */
function callerOf(fields: FormFields, handle: ServiceHandle<S3State>, bucket: Bucket): CallOptions {
  const policy = fields.get('policy');
  const verify = handle.settings.values.EMULATOR_VERIFY_SIGV4;
  if (policy === undefined) {
    if (verify) throw accessDenied();
    return { accountId: bucket.accountId };
  }
  const signature = signatureOf(fields);
  const { accessKeyId } = signature;
  const credential = handle.credentials.get(accessKeyId);
  if (!verify) {
    if (credential) return { accountId: credential.principal.accountId, principal: credential.principal };
    return { accountId: /^\d{12}$/.test(accessKeyId) ? accessKeyId : handle.settings.accountId };
  }
  if (!credential?.active) throw authError({ kind: 'unknown-key', accessKeyId });
  if (!isSignedWith(signature, policy, credential.secretAccessKey))
    throw authError({
      kind: 'mismatch',
      accessKeyId,
      stringToSign: policy,
      signature: signature.signature,
      canonicalRequest: undefined,
    });
  if (credential.sessionToken !== fields.get('x-amz-security-token')) throw authError({ kind: 'bad-token' });
  if (credential.expiresAt !== undefined && credential.expiresAt <= handle.clock.now())
    throw authError({ kind: 'expired-token' });
  return { accountId: credential.principal.accountId, principal: credential.principal };
}

const toXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function reply(
  request: DataPlaneRequest,
  fields: FormFields,
  bucket: Bucket,
  key: string,
  etag: string,
): DataPlaneResponse {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const location =
    request.host?.prefix === bucket.name ? `${request.endpoint}/${path}` : `${request.endpoint}/${bucket.name}/${path}`;
  const headers = { etag, location };
  const redirect = fields.get('success_action_redirect') ?? fields.get('redirect');
  if (redirect !== undefined && URL.canParse(redirect)) {
    const url = new URL(redirect);
    url.searchParams.set('bucket', bucket.name);
    url.searchParams.set('key', key);
    url.searchParams.set('etag', etag);
    return { status: 303, headers: { ...headers, location: url.href }, body: '' };
  }
  const status = fields.get('success_action_status');
  if (status === '200') return { status: 200, headers, body: '' };
  if (status !== '201') return { status: 204, headers, body: '' };
  const members = { Location: location, Bucket: bucket.name, Key: key, ETag: etag };
  const xml = Object.entries(members).map(([name, value]) => `<${name}>${toXml(value)}</${name}>`);
  return {
    status: 201,
    headers: { ...headers, 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse>${xml.join('')}</PostResponse>`,
  };
}
