import { type Clock, formatArn, type HttpDetails, servicePrincipalName, tagCondition, tagMap } from '@emu/core/service';
import type { Tag } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { BROWSER_POST } from '../recognition/browser-post.ts';
import { parseTagging } from '../tags.ts';
import type { AccessPointUse } from './access-points.ts';

/** Input members that conditions use. */
export interface ConditionInput {
  VersionId?: string;
  CopySource?: string;
  ACL?: string;
  GrantFullControl?: string;
  GrantRead?: string;
  GrantReadACP?: string;
  GrantWrite?: string;
  GrantWriteACP?: string;
  Tagging?: unknown;
  Prefix?: string;
  Delimiter?: string;
  MaxKeys?: number;
  ServerSideEncryption?: string;
  SSEKMSKeyId?: string;
  SSECustomerAlgorithm?: string;
  StorageClass?: string;
  MetadataDirective?: string;
  WebsiteRedirectLocation?: string;
  IfMatch?: string;
  IfNoneMatch?: string;
  ObjectLockMode?: string;
  ObjectLockLegalHoldStatus?: string;
  ObjectLockRetainUntilDate?: Date;
  ObjectOwnership?: string;
  BucketNamespace?: string;
  Retention?: { Mode?: string; RetainUntilDate?: Date };
  LegalHold?: { Status?: string };
  OwnershipControls?: { Rules: { ObjectOwnership: string }[] };
  CreateBucketConfiguration?: { LocationConstraint?: string; Location?: { Name?: string } };
  SessionMode?: string;
  InventoryConfiguration?: { OptionalFields?: string[] };
  [BROWSER_POST]?: { readonly signatureVersion: string | undefined };
}

/** Request properties that conditions use. */
export interface ConditionFacts {
  readonly input: ConditionInput;
  readonly ctx: S3Context;
  readonly use: AccessPointUse | undefined;
  readonly bucket: Bucket | undefined;
  readonly version: ObjectVersion | undefined;
}

type Value = string | readonly string[] | undefined;

const DAY = 86_400_000;
/** Tolerated clock difference to a client on the same machine. */
const SKEW = 15 * 60_000;
/** Operations that create an object, in one step or as the last one. */
const CREATIONS: ReadonlySet<string> = new Set(['PutObject', 'CopyObject', 'CompleteMultipartUpload', 'RenameObject']);

const parameter = (http: HttpDetails | undefined, name: string): string | undefined => {
  for (const [key, value] of new URLSearchParams(http?.query ?? ''))
    if (key.toLowerCase() === name.toLowerCase()) return value;
  return undefined;
};

const header = (http: HttpDetails | undefined, name: string): string | undefined => {
  const value = http?.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const isPresigned = (http: HttpDetails | undefined): boolean =>
  parameter(http, 'X-Amz-Signature') !== undefined || parameter(http, 'Signature') !== undefined;

/** Returns the authentication type of a request. */
function authType({ input, ctx: { http } }: ConditionFacts): Value {
  if (input[BROWSER_POST]) return 'POST';
  if (header(http, 'authorization') !== undefined) return 'REST-HEADER';
  return isPresigned(http) ? 'REST-QUERY-STRING' : undefined;
}

function signatureVersion({ input, ctx: { http } }: ConditionFacts): Value {
  if (input[BROWSER_POST]) return input[BROWSER_POST].signatureVersion;
  const authorization = header(http, 'authorization');
  if (authorization !== undefined) return authorization.split(' ', 1)[0];
  if (parameter(http, 'Signature') !== undefined) return 'AWS';
  return parameter(http, 'X-Amz-Algorithm');
}

/** Milliseconds since a pre-signed request was signed, by its client's real or emulated clock. */
function signatureAge({ ctx: { http, clock } }: ConditionFacts): Value {
  const date = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameter(http, 'X-Amz-Date') ?? '');
  if (!date || header(http, 'authorization') !== undefined) return undefined;
  const [, year, month, day, hour, minute, second] = date.map(Number) as [number, ...number[]];
  return ageOf(Date.UTC(year!, month! - 1, day, hour, minute, second), clock);
}

function ageOf(signedAt: number, clock: Clock): string {
  const since = signedAt > Date.now() + SKEW ? signedAt : Math.max(signedAt, clock.emulatedAt(signedAt));
  return String(Math.max(0, clock.now() - since));
}

const retainUntil = ({ input }: ConditionFacts): Date | undefined =>
  input.ObjectLockRetainUntilDate ?? input.Retention?.RetainUntilDate;

/** Returns the whole days until an object may be deleted. */
function remainingDays(facts: ConditionFacts): Value {
  const until = retainUntil(facts);
  return until && String(Math.floor((until.getTime() - facts.ctx.clock.now()) / DAY));
}

const originOf = ({ use }: ConditionFacts): Value =>
  use && (use.point.kind === 'access-point' ? use.point.networkOrigin : 'Internet');

/** The service that assumes roles for S3 Access Grants. */
const GRANTS = servicePrincipalName('access-grants.s3');

/** Returns the S3 Access Grants instance that issued the credentials of a request. */
function accessGrantsInstance({ ctx: { credentials, principal, region }, bucket }: ConditionFacts): Value {
  const { accessKeyId } = principal;
  if (accessKeyId === undefined || credentials.get(accessKeyId)?.session?.service !== GRANTS) return undefined;
  const place = { accountId: principal.accountId, region: bucket?.region ?? region };
  return formatArn({ service: 's3', ...place, resource: 'access-grants/default' });
}

/** S3's condition keys in lower case, without the service prefix. */
const KEYS: Readonly<Record<string, (facts: ConditionFacts) => Value>> = {
  accessgrantsinstancearn: accessGrantsInstance,
  accesspointnetworkorigin: originOf,
  authtype: authType,
  dataaccesspointaccount: ({ use }) => use?.point.accountId,
  dataaccesspointarn: ({ use }) => use?.point.arn,
  delimiter: ({ input }) => input.Delimiter,
  'if-match': ({ input }) => input.IfMatch,
  'if-none-match': ({ input }) => input.IfNoneMatch,
  inventoryaccessibleoptionalfields: ({ input }) => input.InventoryConfiguration?.OptionalFields,
  // Only AWS Fault Injection Service pauses replications.
  isreplicationpauserequest: ({ ctx }) => (ctx.operation === 'PutBucketReplication' ? 'false' : undefined),
  locationconstraint: ({ input }) => input.CreateBucketConfiguration?.LocationConstraint,
  locationname: ({ input }) => input.CreateBucketConfiguration?.Location?.Name,
  'max-keys': ({ input }) => input.MaxKeys?.toString(),
  'object-lock-legal-hold': ({ input }) => input.ObjectLockLegalHoldStatus ?? input.LegalHold?.Status,
  'object-lock-mode': ({ input }) => input.ObjectLockMode ?? input.Retention?.Mode,
  'object-lock-remaining-retention-days': remainingDays,
  'object-lock-retain-until-date': (facts) => retainUntil(facts)?.toISOString(),
  objectcreationoperation: ({ ctx }) => String(CREATIONS.has(ctx.operation)),
  prefix: ({ input }) => input.Prefix,
  requestobjecttagkeys: (facts) => requestedTags(facts).map(({ Key }) => Key),
  resourceaccount: ({ bucket }) => bucket?.accountId,
  sessionmode: ({ input }) => input.SessionMode,
  signatureage: signatureAge,
  signatureversion: signatureVersion,
  tlsversion: ({ ctx }) => ctx.http?.tlsVersion,
  versionid: ({ input }) => input.VersionId,
  'x-amz-acl': ({ input }) => input.ACL,
  'x-amz-bucket-namespace': ({ input }) => input.BucketNamespace,
  'x-amz-content-sha256': ({ ctx }) => header(ctx.http, 'x-amz-content-sha256'),
  'x-amz-copy-source': ({ input }) => input.CopySource,
  'x-amz-grant-full-control': ({ input }) => input.GrantFullControl,
  'x-amz-grant-read': ({ input }) => input.GrantRead,
  'x-amz-grant-read-acp': ({ input }) => input.GrantReadACP,
  'x-amz-grant-write': ({ input }) => input.GrantWrite,
  'x-amz-grant-write-acp': ({ input }) => input.GrantWriteACP,
  'x-amz-metadata-directive': ({ input }) => input.MetadataDirective,
  'x-amz-object-ownership': ({ input }) => input.ObjectOwnership ?? input.OwnershipControls?.Rules[0]?.ObjectOwnership,
  'x-amz-server-side-encryption': ({ input }) => input.ServerSideEncryption,
  'x-amz-server-side-encryption-aws-kms-key-id': ({ input }) => input.SSEKMSKeyId,
  'x-amz-server-side-encryption-customer-algorithm': ({ input }) => input.SSECustomerAlgorithm,
  'x-amz-storage-class': ({ input }) => input.StorageClass,
  'x-amz-website-redirect-location': ({ input }) => input.WebsiteRedirectLocation,
};

/** Returns the tags for an object in a request. */
function requestedTags({ input: { Tagging: tagging } }: ConditionFacts): readonly Tag[] {
  if (typeof tagging === 'string') return parseTagging(tagging) ?? [];
  return (tagging as { TagSet?: Tag[] } | undefined)?.TagSet ?? [];
}

const tagIn = (tags: readonly { readonly Key: string; readonly Value: string }[] | undefined, key: string): Value =>
  tags?.find(({ Key }) => Key.toLowerCase() === key)?.Value;

const recordOf = (tags: readonly { readonly Key: string; readonly Value: string }[] | undefined) =>
  tags && (tagMap(tags) ?? {});

/**
 * Returns the value of a condition key.
 * @param key in lower case
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html#amazons3-policy-keys
 */
export function conditionOf(key: string, facts: ConditionFacts): Value {
  const name = /^s3(?:express|-object-lambda|):(.+)$/.exec(key)?.[1];
  // Bucket tags are condition keys only after the owner enables them.
  const tags = facts.bucket?.record.configurations.abac?.Status === 'Enabled' ? facts.bucket.record.tags : undefined;
  if (name === undefined) return tagCondition(key, { resource: recordOf(tags) ?? {} });
  if (Object.hasOwn(KEYS, name)) return KEYS[name]!(facts);
  const [kind, tag = ''] = name.split(/\/(.*)/s, 2);
  if (kind === 'accesspointtag')
    return facts.use?.point.kind === 'access-point' ? tagIn(facts.use.point.tags, tag) : undefined;
  if (kind === 'existingobjecttag') return tagIn(facts.version?.tags, tag);
  if (kind === 'requestobjecttag') return tagIn(requestedTags(facts), tag);
  return kind === 'buckettag' ? tagIn(tags, tag) : undefined;
}
