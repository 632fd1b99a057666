import type { IdentityOwner } from '@emu/core/service';
import {
  type AttachedPolicy,
  type DeepReadonly,
  type Identity,
  type IdentityDirectory,
  type ServiceHandle,
  whenReady,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { usersById } from './credentials/registrants.ts';
import { apiKeyAccount } from './credentials/service-specific.ts';
import { periodOf } from './credentials/totp.ts';
import { findRole, findUser } from './entities/lookup.ts';
import { describeSamlMetadata } from './identity-providers/saml-metadata.ts';
import { type AnyPolicy, documentOf, findPolicy, isAwsPolicy } from './policies/managed.ts';
import type { PrincipalRecord } from './records.ts';
import { awsManaged, oidcProviderType, policyType, roleType, samlProviderType, userType } from './resources.ts';
import type { IamState, Role, User } from './state.ts';
import { tagging } from './tags.ts';

type Found = AttachedPolicy | undefined;
type Source = 'user' | 'group' | 'role';

/** Returns the directory of users, roles and managed policies for policy evaluation. */
export function openDirectory(handle: ServiceHandle<IamState>): IdentityDirectory {
  return {
    identity(arn) {
      const user = userType.parse(arn);
      const address = user ?? roleType.parse(arn);
      const state = address && handle.existingState(address.place.accountId, '');
      if (!state) return undefined;
      const { name } = address.key;
      return user ? userIdentity(state, findUser(state, name)) : roleIdentity(state, findRole(state, name));
    },
    managedPolicy(arn) {
      const address = policyType.parse(arn);
      return address && attachedPolicy(handle.existingState(address.place.accountId, ''), arn);
    },
    oidcProvider(arn) {
      const address = oidcProviderType.parse(arn);
      return address && handle.existingState(address.place.accountId, '')?.oidcProviders.get(arn);
    },
    samlProvider(arn) {
      const address = samlProviderType.parse(arn);
      const provider = address && handle.existingState(address.place.accountId, '')?.samlProviders.get(arn);
      return provider && describeSamlMetadata(provider.metadata);
    },
    issuerAccount(issuer) {
      for (const { accountId, state } of handle.states())
        if (state.account.outboundFederation?.issuer === issuer) return accountId;
      return undefined;
    },
    apiKeyOwner(key, service) {
      const accountId = apiKeyAccount(key, service);
      const state = accountId === undefined ? undefined : handle.existingState(accountId, '');
      if (accountId === undefined || !state) return undefined;
      const now = handle.clock.now();
      for (const credential of state.serviceCredentials.values()) {
        const { active, expiresAt = Number.POSITIVE_INFINITY } = credential;
        if (credential.service !== service || credential.secret !== key || !active || expiresAt <= now) continue;
        const user = usersById(state).get(credential.userId);
        return user && { type: 'user', accountId, arn: user.arn, userId: user.id };
      }
      return undefined;
    },
    verifyMfa(accountId, userId, serialNumber, code) {
      const mfaDevices = handle.existingState(accountId, '')?.mfaDevices;
      const device = mfaDevices?.get(serialNumber);
      if (!mfaDevices || !device?.assigned) return false;
      if (userId !== undefined && device.assigned.userId !== userId) return false;
      const { drift, usedPeriod = -1 } = device.assigned;
      const period = periodOf(device.seed, code, drift, usedPeriod, handle.clock.now());
      if (period === undefined) return false;
      mfaDevices.update(serialNumber, (draft) => {
        draft.assigned!.usedPeriod = period;
      });
      return true;
    },
    administrator: (accountId, userName) => administrator(handle, accountId, userName),
  };
}

/** Returns the user with a name and AWS's policy `AdministratorAccess`, creating it if missing. */
async function administrator(
  handle: ServiceHandle<IamState>,
  accountId: string,
  UserName: string,
): Promise<IdentityOwner> {
  const options = { accountId };
  const { User: user } = await handle.call('iam', 'CreateUser', { UserName }, options).catch((error: unknown) => {
    if (error instanceof AwsError && error.code === 'EntityAlreadyExistsException')
      return handle.call('iam', 'GetUser', { UserName }, options);
    throw error;
  });
  const PolicyArn = policyType.arn({ path: '/', name: 'AdministratorAccess' }, awsManaged(handle.settings.region));
  await handle.call('iam', 'AttachUserPolicy', { UserName, PolicyArn }, options);
  return { arn: user!.Arn, userId: user!.UserId };
}

function userIdentity(state: IamState, user: User | undefined): Identity | undefined | Promise<Identity> {
  if (!user) return undefined;
  const policies = policiesOf(state, user, 'user');
  for (const key of user.groups) {
    const group = state.groups.get(key);
    if (group) policies.push(...policiesOf(state, group, 'group'));
  }
  return identityOf(state, user, policies);
}

function roleIdentity(state: IamState, role: Role | undefined): Identity | undefined | Promise<Identity> {
  if (!role) return undefined;
  const { trustPolicy, maxSessionDuration } = role;
  return identityOf(state, role, policiesOf(state, role, 'role'), { trustPolicy, maxSessionDuration });
}

/** Builds an identity, synchronously unless AWS's policies must be loaded. */
function identityOf(
  state: IamState,
  entity: User | Role,
  policies: (Found | Promise<Found>)[],
  more: Pick<Identity, 'trustPolicy' | 'maxSessionDuration'> = {},
): Identity | Promise<Identity> {
  const boundary = entity.boundary === undefined ? undefined : attachedPolicy(state, entity.boundary);
  const assemble = (known: readonly Found[], limit: Found): Identity => ({
    arn: entity.arn,
    uniqueId: entity.id,
    policies: known.filter((policy) => policy !== undefined),
    // A deleted boundary allows nothing.
    ...(entity.boundary !== undefined && { boundary: limit ?? { id: entity.boundary, document: '{}' } }),
    tags: tagging.record(entity.tags)!,
    ...more,
  });
  const pending = [boundary, ...policies].some((one) => one instanceof Promise);
  if (!pending) return assemble(policies as Found[], boundary as Found);
  return Promise.all([boundary, ...policies]).then(([limit, ...known]) => assemble(known, limit));
}

/** Returns the inline and attached policies of one user, group or role. */
function policiesOf(
  state: IamState,
  { inlinePolicies, attachedPolicies }: DeepReadonly<PrincipalRecord>,
  type: Source,
): (Found | Promise<Found>)[] {
  const inline = inlinePolicies.map(({ name, document }): AttachedPolicy => ({ id: name, type, document }));
  return [...inline, ...attachedPolicies.map((arn) => attachedPolicy(state, arn))];
}

function attachedPolicy(state: IamState | undefined, arn: string): Found | Promise<Found> {
  return whenReady(findPolicy(state, arn), (policy) => toAttached(policy, arn));
}

const toAttached = (policy: AnyPolicy | undefined, arn: string): Found =>
  policy && {
    id: policy.name,
    arn,
    type: isAwsPolicy(arn) ? 'aws-managed' : 'user-managed',
    document: documentOf(policy),
  };
