import { definePlugin, identityDirectory, provide } from '@emu/core/service';
import type { IamOperations } from '@emu/service-types/iam';
import type { ServiceModel } from '@emu/wire';
import model from '../model/iam.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { modelError } from './errors.ts';
import { openDirectory } from './identity-directory.ts';
import * as accessAdvisor from './operations/access-advisor.ts';
import * as accessKeys from './operations/access-keys.ts';
import * as account from './operations/account.ts';
import * as attachments from './operations/attachments.ts';
import * as authorizationDetails from './operations/authorization-details.ts';
import * as credentialReports from './operations/credential-reports.ts';
import * as delegationRequests from './operations/delegation-requests.ts';
import * as groups from './operations/groups.ts';
import * as inlinePolicies from './operations/inline-policies.ts';
import * as instanceProfiles from './operations/instance-profiles.ts';
import * as mfaDevices from './operations/mfa-devices.ts';
import * as openidConnectProviders from './operations/openid-connect-providers.ts';
import * as organizationsFeatures from './operations/organizations-features.ts';
import * as outboundFederation from './operations/outbound-federation.ts';
import * as passwordPolicy from './operations/password-policy.ts';
import * as passwords from './operations/passwords.ts';
import * as policies from './operations/policies.ts';
import * as policyVersions from './operations/policy-versions.ts';
import * as roles from './operations/roles.ts';
import * as samlProviders from './operations/saml-providers.ts';
import * as serverCertificates from './operations/server-certificates.ts';
import * as serviceLinkedRoles from './operations/service-linked-roles.ts';
import * as serviceSpecificCredentials from './operations/service-specific-credentials.ts';
import * as signingCertificates from './operations/signing-certificates.ts';
import * as simulation from './operations/simulation.ts';
import * as sshPublicKeys from './operations/ssh-public-keys.ts';
import { tags } from './operations/tags.ts';
import * as users from './operations/users.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resourceTypes } from './resources.ts';
import { createState, type IamState } from './state.ts';

/** AWS Identity and Access Management. */
export const plugin = definePlugin<IamOperations, IamState>({
  name: 'iam',
  model: model as unknown as ServiceModel,
  stateScope: 'account',
  collections,
  createState,
  validationError: modelError,
  provides: [provide(identityDirectory, openDirectory)],
  authorization,
  paging,
  resources: resourceTypes,
  operations: [
    accessAdvisor,
    accessKeys,
    account,
    attachments,
    authorizationDetails,
    credentialReports,
    delegationRequests,
    groups,
    inlinePolicies,
    instanceProfiles,
    mfaDevices,
    openidConnectProviders,
    organizationsFeatures,
    outboundFederation,
    passwordPolicy,
    passwords,
    policies,
    policyVersions,
    roles,
    samlProviders,
    serverCertificates,
    serviceLinkedRoles,
    serviceSpecificCredentials,
    signingCertificates,
    simulation,
    sshPublicKeys,
    tags,
    users,
  ],
});
