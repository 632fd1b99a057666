import { type AclInput, checkAclAllowed, readAcl } from './acl.ts';
import type { Bucket } from './bucket.ts';
import { directoryStorageClass } from './directory.ts';
import { type EncryptionInput, encryptionOf } from './encryption.ts';
import type { S3Context } from './lookup.ts';
import { type MetadataInput, systemMetadataOf, userMetadataOf } from './metadata.ts';
import { lockOf, type ObjectLockInput } from './object-lock.ts';
import { BROWSER_POST } from './post-form.ts';
import type { ObjectSettings } from './records.ts';
import { checkStorageClass } from './storage-class.ts';
import { parseTagging } from './tags.ts';

/** The members of a request that writes an object, besides its bytes. */
export type ObjectSettingsInput = MetadataInput &
  EncryptionInput &
  ObjectLockInput &
  Omit<AclInput, 'AccessControlPolicy'> & {
    StorageClass?: string | undefined;
    WebsiteRedirectLocation?: string | undefined;
    Tagging?: string | undefined;
  };

/**
 * What an object is given when it is written: as its request says, or as its bucket does by default.
 * @throws AwsError for anything that is not allowed; nothing has been written then
 */
export async function objectSettings(
  ctx: S3Context,
  bucket: Bucket,
  input: ObjectSettingsInput,
): Promise<ObjectSettings> {
  const storageClass = bucket.record.directory ? directoryStorageClass(input) : checkStorageClass(input.StorageClass);
  const tags = parseTagging(input.Tagging);
  const metadata = userMetadataOf(input, BROWSER_POST in input ? undefined : (ctx.http?.headers ?? {}));
  const acl = readAcl(input, ctx.accountId, bucket.accountId);
  if (acl) await checkAclAllowed(ctx, bucket, input, acl);
  const lock = lockOf(bucket, input, ctx.clock.now());
  const encryption = encryptionOf(ctx, bucket, input);
  const settings: ObjectSettings = {
    system: systemMetadataOf(input),
    metadata,
    storageClass,
    encryption: encryption instanceof Promise ? await encryption : encryption,
    websiteRedirectLocation: input.WebsiteRedirectLocation,
    tags,
    retention: lock?.retention,
    legalHold: lock?.legalHold,
  };
  if (bucket.record.configurations.ownership === 'BucketOwnerEnforced') return settings;
  if (acl) settings.acl = acl;
  return ctx.accountId === bucket.accountId ? settings : { ...settings, owner: ctx.accountId };
}
