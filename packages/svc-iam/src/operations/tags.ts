import { taggedRecord, tagOperations } from '@emu/core/service';
import type { IamOperations, Tag } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { keyOf, requireInstanceProfile, requireRole, requireUser } from '../entities/lookup.ts';
import type { PagedInput, PagedLike } from '../paging.ts';
import { requireLocalPolicy, requirePolicy } from '../policies/managed.ts';
import { pageOfTags, tagging } from '../tags.ts';
import { requireMfaDevice } from './mfa-devices.ts';
import { requireOidcProvider } from './openid-connect-providers.ts';
import { requireSamlProvider } from './saml-providers.ts';
import { requireServerCertificate } from './server-certificates.ts';

const tagged = tagOperations<IamOperations, IamContext>();

const pageOf = (operation: PagedLike<`List${string}Tags`>) => (tags: Tag[], input: PagedInput) =>
  pageOfTags(operation, tags, input);

/** Tags of users. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagUser.html */
const users = tagged({
  tagging,
  tag: ['TagUser', 'Tags'],
  untag: ['UntagUser', 'TagKeys'],
  list: ['ListUserTags', pageOf('ListUserTags')],
  resource: ({ UserName }, { state }) => taggedRecord(state.users, keyOf(requireUser(state, UserName).name))!,
});

/** Tags of roles, service-linked ones too. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagRole.html */
const roles = tagged({
  tagging,
  tag: ['TagRole', 'Tags'],
  untag: ['UntagRole', 'TagKeys'],
  list: ['ListRoleTags', pageOf('ListRoleTags')],
  resource: ({ RoleName }, { state }) => taggedRecord(state.roles, keyOf(requireRole(state, RoleName).name))!,
});

/** Tags of instance profiles. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagInstanceProfile.html */
const instanceProfiles = tagged({
  tagging,
  tag: ['TagInstanceProfile', 'Tags'],
  untag: ['UntagInstanceProfile', 'TagKeys'],
  list: ['ListInstanceProfileTags', pageOf('ListInstanceProfileTags')],
  resource: ({ InstanceProfileName: name }, { state }) =>
    taggedRecord(state.instanceProfiles, keyOf(requireInstanceProfile(state, name).name))!,
});

/** An AWS managed policy, which no operation changes. */
const NO_TAGS = { tags: undefined, replace: () => undefined };

/** Tags of managed policies; AWS's have none. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagPolicy.html */
const policies = tagged({
  tagging,
  tag: ['TagPolicy', 'Tags'],
  untag: ['UntagPolicy', 'TagKeys'],
  list: ['ListPolicyTags', pageOf('ListPolicyTags')],
  resource({ PolicyArn }, ctx, purpose) {
    const { policies } = ctx.state;
    if (purpose !== 'list') return taggedRecord(policies, keyOf(requireLocalPolicy(ctx, PolicyArn).name))!;
    return requirePolicy(ctx, PolicyArn).then(
      (policy) => taggedRecord(policies, 'tags' in policy ? keyOf(policy.name) : '') ?? NO_TAGS,
    );
  },
});

/** Tags of server certificates. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagServerCertificate.html */
const serverCertificates = tagged({
  tagging,
  tag: ['TagServerCertificate', 'Tags'],
  untag: ['UntagServerCertificate', 'TagKeys'],
  list: ['ListServerCertificateTags', pageOf('ListServerCertificateTags')],
  resource: ({ ServerCertificateName: name }, ctx) =>
    taggedRecord(ctx.state.serverCertificates, keyOf(requireServerCertificate(ctx, name).name))!,
});

/** Tags of OpenID Connect providers. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagOpenIDConnectProvider.html */
const oidcProviders = tagged({
  tagging,
  tag: ['TagOpenIDConnectProvider', 'Tags'],
  untag: ['UntagOpenIDConnectProvider', 'TagKeys'],
  list: ['ListOpenIDConnectProviderTags', pageOf('ListOpenIDConnectProviderTags')],
  resource: ({ OpenIDConnectProviderArn: arn }, ctx) =>
    taggedRecord(ctx.state.oidcProviders, requireOidcProvider(ctx, arn).arn)!,
});

/** Tags of SAML providers. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagSAMLProvider.html */
const samlProviders = tagged({
  tagging,
  tag: ['TagSAMLProvider', 'Tags'],
  untag: ['UntagSAMLProvider', 'TagKeys'],
  list: ['ListSAMLProviderTags', pageOf('ListSAMLProviderTags')],
  resource: ({ SAMLProviderArn: arn }, ctx) =>
    taggedRecord(ctx.state.samlProviders, requireSamlProvider(ctx, arn).arn)!,
});

/** Tags of virtual MFA devices. @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_TagMFADevice.html */
const mfaDevices = tagged({
  tagging,
  tag: ['TagMFADevice', 'Tags'],
  untag: ['UntagMFADevice', 'TagKeys'],
  list: ['ListMFADeviceTags', pageOf('ListMFADeviceTags')],
  resource: ({ SerialNumber: number }, ctx) =>
    taggedRecord(ctx.state.mfaDevices, requireMfaDevice(ctx, number).serialNumber)!,
});

/** The operations of all types. */
export const tags = {
  ...users,
  ...roles,
  ...instanceProfiles,
  ...policies,
  ...serverCertificates,
  ...oidcProviders,
  ...samlProviders,
  ...mfaDevices,
};
