import { whenReady } from '@emu/core/service';
import { type AclInput, checkAclAllowed, readAcl } from '../access-control/acl.ts';
import type { Bucket } from '../buckets/bucket.ts';
import { type EncryptionInput, encryptionOf } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import { directoryStorageClass } from '../directory-buckets/restrictions.ts';
import { s3Error } from '../errors.ts';
import { BROWSER_POST } from '../recognition/browser-post.ts';
import type { ObjectEncryption, ObjectSettings } from '../records.ts';
import { parseTagging } from '../tags.ts';
import { lockOf, type ObjectLockInput } from './lock.ts';
import { type MetadataInput, systemMetadataOf, userMetadataOf } from './metadata.ts';
import { checkStorageClass } from './storage-class.ts';

/** Members of a write request besides the content. */
export type ObjectSettingsInput = MetadataInput &
  EncryptionInput &
  ObjectLockInput &
  Omit<AclInput, 'AccessControlPolicy'> & {
    StorageClass?: string | undefined;
    WebsiteRedirectLocation?: string | undefined;
    Tagging?: string | undefined;
  };

/**
 * Returns the settings of a new object, from its request or the bucket's defaults. Returns a promise only if other
 * services are involved.
 * @throws AwsError for anything not allowed; nothing has been written then
 */
export function objectSettings(
  ctx: S3Context,
  bucket: Bucket,
  input: ObjectSettingsInput,
): ObjectSettings | Promise<ObjectSettings> {
  const storageClass = bucket.record.directory ? directoryStorageClass(input) : checkStorageClass(input.StorageClass);
  const tags = parseTagging(input.Tagging);
  checkRedirect(input.WebsiteRedirectLocation);
  const metadata = userMetadataOf(input, BROWSER_POST in input ? undefined : (ctx.http?.headers ?? {}));
  const acl = readAcl(input, ctx.accountId, bucket.accountId);
  if (acl) return allowedSettings(ctx, bucket, input, { storageClass, tags, metadata, acl });
  return settingsOf(ctx, bucket, input, { storageClass, tags, metadata, acl });
}

/**
 * Validates the location to which a website redirects requests for an object.
 * @throws AwsError `InvalidRedirectLocation`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/how-to-page-redirect.html
 */
function checkRedirect(location: string | undefined): void {
  if (location && !/^(?:https?:\/)?\//.test(location))
    throw s3Error(
      'InvalidRedirectLocation',
      "The website redirect location must have a prefix of 'http://' or 'https://' or '/'.",
      { status: 400 },
    );
}

type CheckedSettings = Pick<ObjectSettings, 'storageClass' | 'tags' | 'metadata' | 'acl'>;

async function allowedSettings(
  ctx: S3Context,
  bucket: Bucket,
  input: ObjectSettingsInput,
  checked: CheckedSettings,
): Promise<ObjectSettings> {
  await checkAclAllowed(ctx, bucket, input, checked.acl!);
  return settingsOf(ctx, bucket, input, checked);
}

function settingsOf(
  ctx: S3Context,
  bucket: Bucket,
  input: ObjectSettingsInput,
  { storageClass, tags, metadata, acl }: CheckedSettings,
): ObjectSettings | Promise<ObjectSettings> {
  const lock = lockOf(bucket, input, ctx.clock);
  const enforced = bucket.record.configurations.ownership === 'BucketOwnerEnforced';
  const complete = (encryption: ObjectEncryption): ObjectSettings => ({
    system: systemMetadataOf(input),
    metadata,
    storageClass,
    encryption,
    websiteRedirectLocation: input.WebsiteRedirectLocation,
    tags,
    retention: lock?.retention,
    legalHold: lock?.legalHold,
    acl: enforced ? undefined : acl,
    owner: enforced || ctx.accountId === bucket.accountId ? undefined : ctx.accountId,
  });
  const encryption = encryptionOf(ctx, bucket, input);
  return whenReady(encryption, complete);
}
