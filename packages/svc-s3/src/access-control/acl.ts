import { servicePrincipalName } from '@emu/core/service';
import type { AccessControlPolicy, Grant } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import type { S3Context } from '../context.ts';
import { accessDenied, invalidArgument, invalidRequest, s3Error } from '../errors.ts';
import type { AccessControl } from '../records.ts';
import { canonicalUserId } from './owners.ts';
import { publicAccess } from './public-access.ts';

/** Members of a request that grant access. */
export interface AclInput {
  ACL?: string | undefined;
  AccessControlPolicy?: AccessControlPolicy | undefined;
  GrantFullControl?: string | undefined;
  GrantRead?: string | undefined;
  GrantReadACP?: string | undefined;
  GrantWrite?: string | undefined;
  GrantWriteACP?: string | undefined;
}

type OneGrant = AccessControl['grants'][number];
type Permission = OneGrant['permission'];

const GROUPS = 'http://acs.amazonaws.com/groups/';
const ALL_USERS = `${GROUPS}global/AllUsers`;
const AUTHENTICATED_USERS = `${GROUPS}global/AuthenticatedUsers`;
const LOG_DELIVERY = `${GROUPS}s3/LogDelivery`;
const KNOWN_GROUPS = [ALL_USERS, AUTHENTICATED_USERS, LOG_DELIVERY];

const HEADERS = [
  ['GrantFullControl', 'x-amz-grant-full-control', 'FULL_CONTROL'],
  ['GrantRead', 'x-amz-grant-read', 'READ'],
  ['GrantReadACP', 'x-amz-grant-read-acp', 'READ_ACP'],
  ['GrantWrite', 'x-amz-grant-write', 'WRITE'],
  ['GrantWriteACP', 'x-amz-grant-write-acp', 'WRITE_ACP'],
] as const satisfies readonly (readonly [keyof AclInput, string, Permission])[];

/** Canned ACLs: their grants besides the owner's full control. */
const CANNED: Readonly<Record<string, readonly (readonly [string, Permission])[]>> = {
  private: [],
  'public-read': [[ALL_USERS, 'READ']],
  'public-read-write': [
    [ALL_USERS, 'READ'],
    [ALL_USERS, 'WRITE'],
  ],
  'authenticated-read': [[AUTHENTICATED_USERS, 'READ']],
  'log-delivery-write': [
    [LOG_DELIVERY, 'WRITE'],
    [LOG_DELIVERY, 'READ_ACP'],
  ],
  'aws-exec-read': [],
  'bucket-owner-read': [],
  'bucket-owner-full-control': [],
};

const userGrant = (accountId: string, permission: Permission): OneGrant => ({
  grantee: { type: 'CanonicalUser', id: canonicalUserId(accountId) },
  permission,
});

/** Returns the default ACL: the owner has full control. */
export const ownerOnly = (accountId: string): AccessControl => ({ grants: [userGrant(accountId, 'FULL_CONTROL')] });

/** Whether a request sets an ACL. */
function namesAccess(input: AclInput): boolean {
  if (input.ACL !== undefined) return true;
  for (const [member] of HEADERS) if (input[member] !== undefined) return true;
  return false;
}

/**
 * Reads the ACL of a request: canned, as grants in headers, or as a document.
 * @param ownerId account that owns the resource; its grant comes first
 * @param bucketOwner account of the bucket, for canned ACLs that refer to it
 * @returns undefined if the request sets none
 * @throws AwsError `InvalidArgument`, `InvalidRequest`, `MalformedACLError`, `UnexpectedContent`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export function readAcl(input: AclInput, ownerId: string, bucketOwner: string): AccessControl | undefined {
  if (input.AccessControlPolicy === undefined && !namesAccess(input)) return undefined;
  const fromHeaders = HEADERS.filter(([member]) => input[member] !== undefined);
  if (input.ACL !== undefined && fromHeaders.length > 0)
    throw invalidRequest('Specifying both Canned ACLs and Header Grants is not allowed');
  if (input.AccessControlPolicy !== undefined) {
    if (input.ACL !== undefined || fromHeaders.length > 0)
      throw s3Error('UnexpectedContent', 'This request does not support content', { status: 400 });
    return readDocument(input.AccessControlPolicy);
  }
  if (input.ACL !== undefined) return canned(input.ACL, ownerId, bucketOwner);
  return {
    grants: fromHeaders.flatMap(([member, header, permission]) =>
      readGrantees(input[member]!, header).map((grantee) => ({ grantee, permission })),
    ),
  };
}

function canned(acl: string, ownerId: string, bucketOwner: string): AccessControl {
  const grants = Object.hasOwn(CANNED, acl) ? CANNED[acl] : undefined;
  if (!grants) throw invalidArgument('', 'x-amz-acl', acl);
  const extra: OneGrant[] = grants.map(([id, permission]) => ({ grantee: { type: 'Group', id }, permission }));
  if (bucketOwner !== ownerId && acl === 'bucket-owner-read') extra.push(userGrant(bucketOwner, 'READ'));
  if (bucketOwner !== ownerId && acl === 'bucket-owner-full-control')
    extra.push(userGrant(bucketOwner, 'FULL_CONTROL'));
  return { grants: [...ownerOnly(ownerId).grants, ...extra] };
}

/** Parses `id="…", uri="…"`. */
function readGrantees(header: string, name: string): OneGrant['grantee'][] {
  return header.split(',').map((part) => {
    const match = /^\s*(\w+)="?([^"]*)"?\s*$/.exec(part);
    const [, kind, value = ''] = match ?? [];
    if (kind === 'id') return user(value, 'id');
    if (kind === 'uri') return group(value, 'uri');
    if (kind === 'emailAddress') throw noEmail();
    throw invalidArgument('Argument format not recognized', name, part.trim());
  });
}

function user(id: string, argument: string): OneGrant['grantee'] {
  if (!/^[0-9a-f]{64}$/.test(id)) throw invalidArgument('Invalid id', argument, id);
  return { type: 'CanonicalUser', id };
}

function group(uri: string, argument: string): OneGrant['grantee'] {
  if (!KNOWN_GROUPS.includes(uri)) throw invalidArgument('Invalid group uri', argument, uri);
  return { type: 'Group', id: uri };
}

/**
 * Creates the error for a grantee by e-mail address, which S3 no longer supports.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Grantee.html
 */
export const noEmail = (): Error =>
  s3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', { status: 405 });

const malformedAcl = (): Error =>
  s3Error(
    'MalformedACLError',
    'The XML you provided was not well-formed or did not validate against our published schema',
    { status: 400 },
  );

const PERMISSIONS: readonly string[] = HEADERS.map(([, , permission]) => permission);

function readDocument({ Grants: grants, Owner: owner }: AccessControlPolicy): AccessControl {
  if (!owner?.ID || grants === undefined) throw malformedAcl();
  if (!/^[0-9a-f]{64}$/.test(owner.ID)) throw invalidArgument('Invalid id', 'CanonicalUser/ID', owner.ID);
  return { grants: grants.map(readGrant) };
}

function readGrant({ Grantee: grantee, Permission: permission }: Grant): OneGrant {
  if (!grantee || permission === undefined || !PERMISSIONS.includes(permission)) throw malformedAcl();
  const { Type: type, ID: id, URI: uri, EmailAddress: email } = grantee;
  if (type === 'CanonicalUser' && id !== undefined) return { grantee: user(id, 'CanonicalUser/ID'), permission };
  if (type === 'Group' && uri !== undefined) return { grantee: group(uri, 'Group/URI'), permission };
  if (type === 'AmazonCustomerByEmail' && email !== undefined) throw noEmail();
  throw malformedAcl();
}

/** Returns the grants as in responses. */
export function grantsOf(acl: { readonly grants: readonly OneGrant[] }): Grant[] {
  return acl.grants.map(({ grantee: { type, id }, permission }) => ({
    Grantee: {
      Type: type,
      ...(type === 'CanonicalUser' ? { ID: id } : type === 'Group' ? { URI: id } : { EmailAddress: id }),
    },
    Permission: permission,
  }));
}

/** Whether an ACL grants access to everybody or to all AWS users. */
const isPublic = ({ grants }: AccessControl): boolean =>
  grants.some(({ grantee }) => grantee.id === ALL_USERS || grantee.id === AUTHENTICATED_USERS);

/**
 * Checks whether a bucket permits a request to set an ACL.
 * @throws AwsError `AccessControlListNotSupported` with ownership enforced, `AccessDenied` if public ACLs are blocked
 */
export async function checkAclAllowed(
  ctx: S3Context,
  bucket: Bucket,
  input: AclInput,
  acl: AccessControl | undefined,
): Promise<void> {
  if (!acl) return;
  const { ownership = 'ObjectWriter' } = bucket.record.configurations;
  const harmless = input.ACL === 'bucket-owner-full-control' || input.ACL === 'private';
  if (ownership === 'BucketOwnerEnforced' && !harmless && !grantsOnlyOwner(acl))
    throw s3Error('AccessControlListNotSupported', 'The bucket does not allow ACLs', { status: 400 });
  if (isPublic(acl) && (await publicAccess(ctx, bucket, input)).BlockPublicAcls) throw accessDenied();
}

/** Whether an ACL only grants the owner full control, which has no effect. */
const grantsOnlyOwner = ({ grants }: AccessControl): boolean =>
  grants.length === 1 && grants[0]!.permission === 'FULL_CONTROL' && grants[0]!.grantee.type === 'CanonicalUser';

/** S3's log delivery, a group in ACLs. */
export const LOGGING_SERVICE = 'logging.s3';

/**
 * Whether an ACL grants a permission to a caller.
 * @param ignorePublic whether to ignore public grants
 */
export function aclGrants(
  { grants }: { readonly grants: readonly OneGrant[] },
  wanted: Permission,
  principal: { readonly type: string; readonly accountId: string; readonly arn: string },
  ignorePublic: boolean,
): boolean {
  return grants.some(({ grantee, permission }) => {
    if (permission !== wanted && permission !== 'FULL_CONTROL') return false;
    if (grantee.id === ALL_USERS) return !ignorePublic;
    if (principal.type === 'service')
      return grantee.id === LOG_DELIVERY && principal.arn === servicePrincipalName(LOGGING_SERVICE);
    if (principal.type === 'anonymous') return false;
    if (grantee.id === AUTHENTICATED_USERS) return !ignorePublic;
    return grantee.type === 'CanonicalUser' && grantee.id === canonicalUserId(principal.accountId);
  });
}
