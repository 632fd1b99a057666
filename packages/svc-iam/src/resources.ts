import {
  type AnyResourceType,
  type Collection,
  defineResource,
  type Place,
  type StateFinder,
  type TaggedRecords,
  type TaggedResource,
  tagCallsBy,
  taggedRecord,
} from '@emu/core/service';
import type { Tag } from '@emu/service-types/iam';
import { asString } from '@emu/wire';
import { keyOf } from './entities/lookup.ts';
import type { IamState } from './state.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/** Name and path of a resource; names are unique in an account. */
interface PathKey {
  path: string;
  name: string;
}

/** Identifies a resource by the member with its name, and by the path in a creation request. */
const namedBy = (member: string) => (input: Input, place: Place) => {
  const name = asString(input[member]);
  return name === undefined ? undefined : { key: { path: asString(input.Path) ?? '/', name }, place };
};

/** Finds resources by name in a collection with lower-case names as keys. */
function inCollection<T extends PathKey & { tags?: Tag[] }>(collectionOf: (state: IamState) => Collection<T>) {
  const recordOf = (state: IamState, { name }: PathKey) =>
    collectionOf(state).get(keyOf(name)) as (PathKey & { tags?: Tag[] }) | undefined;
  return {
    find(state: IamState, key: PathKey): PathKey | undefined {
      const record = recordOf(state, key);
      return record && { path: record.path, name: record.name };
    },
    *list(state: IamState): Iterable<PathKey> {
      for (const record of collectionOf(state).values()) {
        const { path, name } = record as PathKey;
        yield { path, name };
      }
    },
    tagged: {
      tagging,
      find: (state: IamState, { name }: PathKey): TaggedResource<Tag[]> | undefined =>
        taggedRecord(collectionOf(state), keyOf(name)),
    },
  };
}

/** Members of operations on users, groups and roles alike. */
const ENTITY_ARNS = ['PolicySourceArn', 'Arn'];

/** Users, which the tagging API does not include. */
export const userType = defineResource({
  name: 'user',
  service: 'iam',
  scope: 'account',
  format: 'user{path/}{name}',
  cloudFormation: 'AWS::IAM::User',
  identify: namedBy('UserName'),
  arnMembers: ENTITY_ARNS,
  ...inCollection((state) => state.users),
  untagged: true,
});

/** Groups, which have no tags. */
export const groupType = defineResource({
  name: 'group',
  service: 'iam',
  scope: 'account',
  format: 'group{path/}{name}',
  cloudFormation: 'AWS::IAM::Group',
  identify: namedBy('GroupName'),
  arnMembers: ENTITY_ARNS,
  ...inCollection((state) => state.groups),
  untagged: true,
});

/** Roles, which the tagging API does not include. */
export const roleType = defineResource({
  name: 'role',
  service: 'iam',
  scope: 'account',
  format: 'role{path/}{name}',
  cloudFormation: 'AWS::IAM::Role',
  identify: namedBy('RoleName'),
  arnMembers: ENTITY_ARNS,
  ...inCollection((state) => state.roles),
  untagged: true,
});

export const instanceProfileType = defineResource({
  name: 'instance-profile',
  service: 'iam',
  scope: 'account',
  format: 'instance-profile{path/}{name}',
  cloudFormation: 'AWS::IAM::InstanceProfile',
  identify: namedBy('InstanceProfileName'),
  ...inCollection((state) => state.instanceProfiles),
  tagCalls: tagCallsBy('TagInstanceProfile', 'UntagInstanceProfile', ({ name }: PathKey) => ({
    InstanceProfileName: name,
  })),
});

/**
 * Returns the place of AWS managed policies.
 * @param region of the partition
 */
export const awsManaged = (region: string): Place => ({ accountId: 'aws', region });

const policies = inCollection((state) => state.policies);

/** Managed policies: an account's own, and AWS's, whose account is `aws` and which no state lists. */
export const policyType = defineResource({
  name: 'policy',
  service: 'iam',
  scope: 'account',
  format: 'policy{path/}{name}',
  cloudFormation: 'AWS::IAM::ManagedPolicy',
  identify: (input, place) =>
    asString(input.PolicyArn) === undefined ? namedBy('PolicyName')(input, place) : undefined,
  arnMembers: ['PolicyArn', 'Arn'],
  ...policies,
  tagCalls: tagCallsBy('TagPolicy', 'UntagPolicy', (_key, { arn }) => ({ PolicyArn: arn })),
  // Policies are identified by ARN, so the path must match too.
  find(state: IamState, key) {
    const found = policies.find(state, key);
    return found?.path === key.path && found.name === key.name ? found : undefined;
  },
});

export const serverCertificateType = defineResource({
  name: 'server-certificate',
  service: 'iam',
  scope: 'account',
  format: 'server-certificate{path/}{name}',
  cloudFormation: 'AWS::IAM::ServerCertificate',
  identify: namedBy('ServerCertificateName'),
  ...inCollection((state) => state.serverCertificates),
  tagCalls: tagCallsBy('TagServerCertificate', 'UntagServerCertificate', ({ name }: PathKey) => ({
    ServerCertificateName: name,
  })),
});

export const oidcProviderType = defineResource({
  name: 'oidc-provider',
  service: 'iam',
  scope: 'account',
  format: 'oidc-provider/{url+}',
  cloudFormation: 'AWS::IAM::OIDCProvider',
  identify(input, place) {
    const url = asString(input.Url)?.replace(/^https:\/\//, '');
    return url ? { key: { url }, place } : undefined;
  },
  arnMembers: ['OpenIDConnectProviderArn'],
  find: (state: IamState, { url }) => (oidcProvider(state, url) ? { url } : undefined),
  list: (state) => [...state.oidcProviders.values()].map(({ url }) => ({ url })),
  tagged: { tagging, find: (state, { url }) => taggedProvider(state.oidcProviders, oidcProvider(state, url)) },
  tagCalls: tagCallsBy('TagOpenIDConnectProvider', 'UntagOpenIDConnectProvider', (_key, { arn }) => ({
    OpenIDConnectProviderArn: arn,
  })),
});

/** The tags of a provider, which is kept by ARN. */
const taggedProvider = (records: TaggedRecords<Tag[]>, provider: { arn: string } | undefined) =>
  taggedRecord(records, provider?.arn ?? '');

const oidcProvider = (state: IamState, url: string) =>
  [...state.oidcProviders.values()].find((provider) => provider.url === url);

export const samlProviderType = defineResource({
  name: 'saml-provider',
  service: 'iam',
  scope: 'account',
  format: 'saml-provider/{name}',
  cloudFormation: 'AWS::IAM::SAMLProvider',
  identify(input, place) {
    const name = asString(input.Name);
    return name === undefined ? undefined : { key: { name }, place };
  },
  arnMembers: ['SAMLProviderArn'],
  find: (state: IamState, { name }) => (samlProvider(state, name) ? { name } : undefined),
  list: (state) => [...state.samlProviders.values()].map(({ name }) => ({ name })),
  tagged: { tagging, find: (state, { name }) => taggedProvider(state.samlProviders, samlProvider(state, name)) },
  tagCalls: tagCallsBy('TagSAMLProvider', 'UntagSAMLProvider', (_key, { arn }) => ({ SAMLProviderArn: arn })),
});

const samlProvider = (state: IamState, name: string) =>
  [...state.samlProviders.values()].find((provider) => provider.name === name);

/** Virtual MFA devices, whose serial numbers are ARNs: names are unique within a path only. */
export const mfaDeviceType = defineResource({
  name: 'mfa',
  service: 'iam',
  scope: 'account',
  format: 'mfa{path/}{name}',
  cloudFormation: 'AWS::IAM::VirtualMFADevice',
  identify: namedBy('VirtualMFADeviceName'),
  arnMembers: ['SerialNumber'],
  find: (state: IamState, { path, name }) => (mfaDevice(state, { path, name }) ? { path, name } : undefined),
  list: (state) => [...state.mfaDevices.keys()].map((serialNumber) => mfaDeviceKey(serialNumber)),
  tagged: {
    tagging,
    find: (state, key) => taggedRecord(state.mfaDevices, mfaDevice(state, key)?.serialNumber ?? ''),
  },
  tagCalls: tagCallsBy('TagMFADevice', 'UntagMFADevice', (_key, { arn }) => ({ SerialNumber: arn })),
});

const mfaDeviceKey = (serialNumber: string): PathKey => mfaDeviceType.parse(serialNumber)!.key;

function mfaDevice(state: IamState, { path, name }: PathKey) {
  for (const device of state.mfaDevices.values()) {
    const key = mfaDeviceKey(device.serialNumber);
    if (key.path === path && key.name === name) return device;
  }
  return undefined;
}

/** Requests for temporary access. The requesting account stores them; target accounts use ARNs of their own. */
export const delegationRequestType = defineResource({
  name: 'delegation-request',
  service: 'iam',
  scope: 'account',
  format: 'delegation-request/{id}',
  identify(input, place) {
    const id = asString(input.DelegationRequestId);
    return id === undefined ? undefined : { key: { id }, place };
  },
  arnMembers: ['EntityArn'],
  locate(states: StateFinder<IamState>, { key: { id }, place }) {
    for (const { state } of states.states()) if (state.delegationRequests.has(id)) return { place, state };
    return undefined;
  },
  records: (state: IamState) => state.delegationRequests,
});

/** Reports on access of an organization's entities, for permissions. */
export const accessReportType = defineResource({
  name: 'access-report',
  service: 'iam',
  scope: 'account',
  format: 'access-report/{path+}',
});

/** Sessions of roles, which simulations name as callers. Their ARNs have no path. */
export const assumedRoleType = defineResource({
  name: 'assumed-role',
  service: 'sts',
  scope: 'account',
  format: 'assumed-role/{role}/{session}',
});

/**
 * IAM's resource types. If an input names several resources, the first in this order is the operation's resource.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
 */
export const resourceTypes: readonly AnyResourceType[] = [
  instanceProfileType,
  groupType,
  userType,
  roleType,
  policyType,
  serverCertificateType,
  oidcProviderType,
  samlProviderType,
  mfaDeviceType,
  delegationRequestType,
];
