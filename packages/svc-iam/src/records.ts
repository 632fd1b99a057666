import { defineCollection } from '@emu/core/service';
import type { FeatureType, PasswordPolicy, RoleUsageType, Tag } from '@emu/service-types/iam';
import { credentialCollections } from './credentials/records.ts';
import { delegationRequestCollection } from './delegation-records.ts';
import { providerCollections } from './identity-providers/records.ts';
import { reportCollections } from './reports/records.ts';

/** What users, groups and roles have in common. Points in time are epoch milliseconds, in whole seconds. */
export interface PrincipalRecord {
  name: string;
  /** `AIDA…`, `AGPA…` or `AROA…`; other records refer to it, so that a new name changes nothing. */
  id: string;
  path: string;
  arn: string;
  createdAt: number;
  /** No object by name: a policy may be called `__proto__`. */
  inlinePolicies: InlinePolicyRecord[];
  /** ARNs of the attached managed policies, in order of attachment. */
  attachedPolicies: string[];
}

/** A policy that is a part of its user, group or role. */
export interface InlinePolicyRecord {
  name: string;
  document: string;
}

/** A user. */
export interface UserRecord extends PrincipalRecord {
  tags: Tag[];
  /** Keys of the groups it is in: their names in lower case. */
  groups: string[];
  /** ARN of the policy that is its permissions boundary. */
  boundary?: string;
  password?: PasswordRecord;
}

/** A user's password for the console. */
export interface PasswordRecord {
  createdAt: number;
  /** When it got its value. */
  changedAt: number;
  resetRequired: boolean;
  /** scrypt of the password, base64, and of the ones before, latest first, for the password policy. */
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
  /** The service of a service-linked role, e.g. `batch.amazonaws.com`. */
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
  /** Number of the next version: those of deleted ones are not given again. */
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
  /** Key of its role: its name in lower case. */
  role?: string;
}

/** The end of a service-linked role, asked for by DeleteServiceLinkedRole. */
export interface DeletionTaskRecord {
  id: string;
  roleName: string;
  status: 'SUCCEEDED' | 'FAILED';
  /** What still needed the role. */
  usage?: RoleUsageType[];
}

/** What there is one of in an account. */
export interface AccountRecord {
  createdAt?: number;
  alias?: string;
  passwordPolicy?: Omit<PasswordPolicy, 'ExpirePasswords'>;
  globalEndpointTokenVersion?: 'v1Token' | 'v2Token';
  /** Issuer of the account's tokens for other systems, which it keeps, and whether STS issues them now. */
  outboundFederation?: { issuer: string; enabled: boolean };
  /** Of a management account: what it does centrally for its organization. */
  organizationsFeatures?: FeatureType[];
}

/** A server certificate. Points in time are epoch milliseconds, in whole seconds. */
export interface ServerCertificateRecord {
  name: string;
  /** `ASCA…`. */
  id: string;
  path: string;
  arn: string;
  /** PEM, as all three. */
  body: string;
  chain?: string;
  /** Never shown; for services that terminate TLS with it. */
  privateKey: string;
  uploadedAt: number;
  /** End of the certificate's validity. */
  expiresAt: number;
  tags: Tag[];
}

/** Users, roles, groups, instance profiles by name in lower case: names are unique whatever their case. */
export const userCollection = defineCollection<UserRecord>('users', 'account');
export const groupCollection = defineCollection<GroupRecord>('groups', 'account');
export const roleCollection = defineCollection<RoleRecord>('roles', 'account');
export const instanceProfileCollection = defineCollection<InstanceProfileRecord>('instance-profiles', 'account');
/** By name in lower case too: their paths do not make names unique. */
export const policyCollection = defineCollection<PolicyRecord>('policies', 'account');
/** By name in lower case. */
export const serverCertificateCollection = defineCollection<ServerCertificateRecord>('server-certificates', 'account');
export const deletionTaskCollection = defineCollection<DeletionTaskRecord>('deletion-tasks', 'account');
/** One record, of the key `account`. */
export const accountCollection = defineCollection<AccountRecord>('account', 'account');

/** Everything IAM keeps. Access keys are in the registry of credentials. */
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
