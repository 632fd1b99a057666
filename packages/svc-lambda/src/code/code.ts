import { createHash } from 'node:crypto';
import { readAtMost } from '@emu/core/service';
import { AwsError, piecesOf } from '@emu/wire';
import type { LambdaContext } from '../context.ts';
import { accessDenied, invalidParameterValue, lambdaError, plainError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { STORAGE } from '../quotas.ts';
import type { CodeRecord } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { HOT_RELOAD } from './hot-reload.ts';
import { measureZip } from './zip.ts';

/** Location of the package in a request. */
export interface PackageSource {
  ZipFile?: Uint8Array | undefined;
  S3Bucket?: string | undefined;
  S3Key?: string | undefined;
  S3ObjectVersion?: string | undefined;
  SourceKMSKeyArn?: string | undefined;
}

/** Bytes per unit of the storage quota. */
export const GIGABYTE = 2 ** 30;

const tooLarge = (message: string) => plainError('RequestEntityTooLargeException', message, { status: 413 });

/**
 * Reads, validates and stores a .zip file. The caller releases the body after storing its record, or on failure.
 * @throws AwsError `InvalidParameterValueException` for an invalid archive or one too large when unzipped,
 * `RequestEntityTooLargeException`, `CodeStorageExceededException`, and S3's errors
 */
export async function storePackage(source: PackageSource, ctx: LambdaContext): Promise<CodeRecord & { body: string }> {
  if (source.S3Bucket === HOT_RELOAD) throw invalidParameterValue('Only functions can have their code in a directory.');
  const code = await storeZip(await fetchPackage(source, ctx), ctx.state);
  return { ...code, ...(source.SourceKMSKeyArn && { sourceKmsKeyArn: source.SourceKMSKeyArn }) };
}

/**
 * Validates and stores a .zip file. The caller releases the body after storing its record, or on failure.
 * @throws AwsError `InvalidParameterValueException` for an invalid archive or one too large when unzipped,
 * `CodeStorageExceededException`
 */
export async function storeZip(bytes: Buffer, state: LambdaState): Promise<CodeRecord & { body: string }> {
  const unzippedSize = await checkPackage(bytes);
  const most = state.service.quotaLimit(STORAGE, state.accountId, state.region) * GIGABYTE;
  if (Number.isFinite(most) && usedCodeStorage(state) + bytes.length > most)
    throw lambdaError('CodeStorageExceededException', 'Code storage limit exceeded.');
  const { id } = await state.bodies.write(bytes);
  return {
    body: id,
    sha256: createHash('sha256').update(bytes).digest('base64'),
    size: bytes.length,
    unzippedSize,
  };
}

/**
 * Returns the total size of a package's files in bytes.
 * @throws AwsError `InvalidParameterValueException`
 */
async function checkPackage(bytes: Buffer): Promise<number> {
  let measured: Awaited<ReturnType<typeof measureZip>>;
  try {
    measured = await measureZip(bytes, LIMITS.unzippedSize);
  } catch (error) {
    const message = 'Could not unzip uploaded file. Please check your file, then try to upload again.';
    throw plainError('InvalidParameterValueException', message, { members: { Type: 'User' }, cause: error });
  }
  if (measured.size === undefined) throw unzippedTooLarge();
  if (!measured.files) throw invalidParameterValue('Uploaded file must be a non-empty zip');
  return measured.size;
}

export const unzippedTooLarge = () =>
  invalidParameterValue(`Unzipped size must be smaller than ${LIMITS.unzippedSize} bytes`);

/** Returns the total size of all packages of the account and region, as in GetAccountSettings. */
export function usedCodeStorage({ versions, layerVersions }: LambdaState): number {
  let total = 0;
  for (const { code } of versions.values()) total += code.size;
  for (const { code } of layerVersions.values()) total += code.size;
  return total;
}

async function fetchPackage(source: PackageSource, ctx: LambdaContext): Promise<Buffer> {
  const { ZipFile, S3Bucket, S3Key } = source;
  if (ZipFile) {
    if (S3Bucket !== undefined || S3Key !== undefined)
      throw invalidParameterValue('Please do not provide other FunctionCode parameters when providing a ZipFile.');
    if (Math.ceil(ZipFile.length / 3) * 4 > LIMITS.requestSize)
      throw tooLarge(`Request must be smaller than ${LIMITS.requestSize} bytes for the ${ctx.operation} operation`);
    if (ZipFile.length > LIMITS.zippedSize)
      throw tooLarge(`Zipped size must be smaller than ${LIMITS.zippedSize} bytes`);
    return Buffer.from(ZipFile.buffer, ZipFile.byteOffset, ZipFile.byteLength);
  }
  if (S3Bucket === undefined || S3Key === undefined)
    throw invalidParameterValue('Please provide a source for function code.');
  return readObject({ Bucket: S3Bucket, Key: S3Key, VersionId: source.S3ObjectVersion }, ctx);
}

/** Reads a package from S3 as the caller, up to the maximum package size. */
async function readObject(
  input: { Bucket: string; Key: string; VersionId: string | undefined },
  ctx: LambdaContext,
): Promise<Buffer> {
  try {
    const { Body } = await ctx.call('s3', 'GetObject', input, { authorize: {} });
    const bytes = await readAtMost(piecesOf(Body), LIMITS.unzippedSize);
    if (!bytes) throw unzippedTooLarge();
    return bytes;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'AccessDenied')
      throw accessDenied(
        `Your access has been denied by S3, please make sure your request credentials have permission to GetObject for ${input.Bucket}/${input.Key}. S3 Error Code: AccessDenied. S3 Error Message: Access Denied`,
      );
    if (!(error instanceof AwsError) || !/^(?:NoSuch|PermanentRedirect|InvalidObjectState)/.test(error.code))
      throw error;
    throw invalidParameterValue(
      `Error occurred while GetObject. S3 Error Code: ${error.code}. S3 Error Message: ${error.message}`,
    );
  }
}

/**
 * Returns the image of a function. Its digest is taken from the URI or, because no registry is queried, derived from
 * the URI.
 * @throws AwsError `InvalidParameterValueException`
 */
export function imageCode(uri: string): CodeRecord {
  const match = /^([a-z0-9.-]+(?::\d+)?\/)?([a-z0-9._/-]+)(?::([\w][\w.-]{0,127}))?(?:@sha256:([0-9a-f]{64}))?$/i.exec(
    uri,
  );
  if (!match) throw invalidParameterValue(`Source image ${uri} is not valid. Provide a valid source image.`);
  const [, host = '', repository, , digest] = match;
  const sha256 = digest ?? createHash('sha256').update(uri).digest('hex');
  return { sha256, size: 0, unzippedSize: 0, imageUri: uri, resolvedImageUri: `${host}${repository}@sha256:${sha256}` };
}
