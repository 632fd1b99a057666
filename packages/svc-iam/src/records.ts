import { defineCollection } from '@emu/core/service';
import type { FeatureType, PasswordPolicy, RoleUsageType, Tag } from '@emu/service-types/iam';
import { credentialCollections } from './credentials/records.ts';
import { delegationRequestCollection } from './delegation-records.ts';
import { providerCollections } from './identity-providers/records.ts';
import { reportCollections } from './reports/records.ts';

/** Members common to users, groups and roles. Times are epoch milliseconds, rounded to seconds. */
export interface PrincipalRecord {
  name: string;
  /** `AIDA…`, `AGPA…` or `AROA…`; other records refer to it, so that renaming has no effect on them. */
  id: string;
  path: string;
  arn: string;
  createdAt: number;
  /** A list instead of an object by name, since a policy may be named `__proto__`. */
  inlinePolicies: InlinePolicyRecord[];
  /** ARNs of the attached managed policies in order of attachment. */
  attachedPolicies: string[];
}

/** An inline policy of a user, group or role. */
export interface InlinePolicyRecord {
  name: string;
  document: string;
}

/** A user. */
export interface UserRecord extends PrincipalRecord {
  tags: Tag[];
  /** Keys of its groups: names in lower case. */
  groups: string[];
  /** ARN of its permissions boundary. */
  boundary?: string;
  password?: PasswordRecord;
}

/** A user's console password. */
export interface PasswordRecord {
  createdAt: number;
  /** Time of the last change. */
  changedAt: number;
  resetRequired: boolean;
  /** Base64 scrypt hashes of the password and previous ones, newest first, for the password policy. */
  hashes: { salt: string; hash: string }[];
}

/** A group. */
export type GroupRecord = PrincipalRecord;

/** A role. */
export interface RoleRecord extends PrincipalRecord {
  tags: Tag[];
  description?: string;
  /** Seconds. */
  maxSessionDuration: number;
  trustPolicy: string;
  boundary?: string;
  /** Service of a service-linked role, for example `batch.amazonaws.com`. */
  linkedService?: string;
}

/** A customer managed policy. */
export interface PolicyRecord {
  name: string;
  /** `ANPA…`. */
  id: string;
  path: string;
  arn: string;
  description?: string;
  tags: Tag[];
  createdAt: number;
  updatedAt: number;
  defaultVersionId: string;
  /** Number of the next version: numbers of deleted versions are not reused. */
  nextVersion: number;
  /** Oldest first. */
  versions: PolicyVersionRecord[];
}

/** A version of a managed policy. */
export interface PolicyVersionRecord {
  /** `v1`. */
  id: string;
  document: string;
  createdAt: number;
}

/** An instance profile. */
export interface InstanceProfileRecord {
  name: string;
  /** `AIPA…`. */
  id: string;
  path: string;
  arn: string;
  createdAt: number;
  tags: Tag[];
  /** Key of its role: the name in lower case. */
  role?: string;
}

/** Deletion of a service-linked role by DeleteServiceLinkedRole. */
export interface DeletionTaskRecord {
  id: string;
  roleName: string;
  status: 'SUCCEEDED' | 'FAILED';
  /** Remaining uses of the role. */
  usage?: RoleUsageType[];
}

/** Account-wide settings. */
export interface AccountRecord {
  createdAt?: number;
  alias?: string;
  passwordPolicy?: Omit<PasswordPolicy, 'ExpirePasswords'>;
  globalEndpointTokenVersion?: 'v1Token' | 'v2Token';
  /** Permanent issuer of the account's tokens for other systems, and whether STS issues them. */
  outboundFederation?: { issuer: string; enabled: boolean };
  /** Centralized features of a management account. */
  organizationsFeatures?: FeatureType[];
}

/** A server certificate. Times are epoch milliseconds, rounded to seconds. */
export interface ServerCertificateRecord {
  name: string;
  /** `ASCA…`. */
  id: string;
  path: string;
  arn: string;
  /** Certificate in PEM; chain and key likewise. */
  body: string;
  chain?: string;
  /** Never returned; used by services that terminate TLS. */
  privateKey: string;
  uploadedAt: number;
  /** End of the certificate's validity. */
  expiresAt: number;
  tags: Tag[];
}

/** Users, roles, groups and instance profiles by lower-case name: names are case-insensitively unique. */
export const userCollection = defineCollection<UserRecord>('users', 'account');
export const groupCollection = defineCollection<GroupRecord>('groups', 'account');
export const roleCollection = defineCollection<RoleRecord>('roles', 'account');
export const instanceProfileCollection = defineCollection<InstanceProfileRecord>('instance-profiles', 'account');
/** Policies by lower-case name: names are unique across paths. */
export const policyCollection = defineCollection<PolicyRecord>('policies', 'account');
/** Server certificates by lower-case name. */
export const serverCertificateCollection = defineCollection<ServerCertificateRecord>('server-certificates', 'account');
export const deletionTaskCollection = defineCollection<DeletionTaskRecord>('deletion-tasks', 'account');
/** A single record with the key `account`. */
export const accountCollection = defineCollection<AccountRecord>('account', 'account');

/** All collections of IAM. Access keys are in the credential registry. */
export const collections = [
  userCollection,
  groupCollection,
  roleCollection,
  instanceProfileCollection,
  policyCollection,
  deletionTaskCollection,
  accountCollection,
  ...credentialCollections,
  serverCertificateCollection,
  ...providerCollections,
  ...reportCollections,
  delegationRequestCollection,
];
