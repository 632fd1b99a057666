import { isObject } from '@emu/wire';
import { postConfirmation } from '../auth/respond.ts';
import { invalidLambdaResponse, invalidParameter, notAuthorized } from '../errors.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Pool, ProviderRecord, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { attributesFor, functionOf, trigger } from '../triggers/invoke.ts';
import { identityKey } from '../users/attribute-index.ts';
import { checkRequired, validAttributes } from '../users/attributes.ts';
import { createUser } from '../users/create.ts';
import type { FederatedProfile } from './profile.ts';

type Provider = Readonly<ProviderRecord>;

/**
 * Returns the user for a provider's profile: a linked user, the provider's existing user, or a new one. Mapped
 * attributes are updated at each sign-in, as in AWS.
 * @throws AwsError of triggers, and for attributes that the pool rejects
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-identity-federation.html
 */
export async function federatedUser(
  located: LocatedClient,
  provider: Provider,
  given: FederatedProfile,
): Promise<User> {
  const { state, pool } = located;
  const profile = await inbound(located, provider, given);
  const existing = linkedUser(pool, provider, profile, state);
  if (existing && !existing.enabled) throw notAuthorized('User is disabled.');
  const attributes = mapped(pool, provider, profile, existing);
  if (existing && !isOwnProfile(existing, provider)) return existing;
  if (!existing) return newUser(located, provider, profile, attributes);
  await invokePreAuthentication(located, existing);
  return state.updateUser(existing, (draft) => {
    Object.assign(draft.attributes, attributes);
  });
}

/** Whether a user was created by sign-ins at a provider. */
const isOwnProfile = ({ identities, status }: User, { name }: Provider): boolean =>
  status === 'EXTERNAL_PROVIDER' && identities?.some(({ providerName }) => providerName === name) === true;

function linkedUser(pool: Pool, { name }: Provider, profile: FederatedProfile, state: CognitoState): User | undefined {
  const index = state.index(pool.id);
  const byId = index.first('identity', identityKey(name, profile.userId));
  if (byId !== undefined) return state.userByKey(byId);
  // Users may be linked by another provider attribute than the subject.
  for (const [claim, value] of Object.entries(profile.claims)) {
    const key = index.first('identity', identityKey(name, value));
    const user = key === undefined ? undefined : state.userByKey(key);
    const isBy = user?.identities?.some(
      (identity) => identity.providerName === name && identity.userId === value && identity.attributeName === claim,
    );
    if (isBy) return user;
  }
  return undefined;
}

/** Returns the pool attributes from the provider's mapping. */
function mapped(pool: Pool, { mapping = {} }: Provider, { claims }: FederatedProfile, user: User | undefined) {
  const attributes: Record<string, string> = {};
  for (const [name, claim] of Object.entries(mapping)) {
    const value = claims[claim];
    if (name !== 'username' && value !== undefined && value !== user?.attributes[name]) attributes[name] = value;
  }
  return validAttributes(pool, attributes, { client: undefined, user });
}

async function newUser(
  located: LocatedClient,
  provider: Provider,
  { userId }: FederatedProfile,
  attributes: Record<string, string>,
): Promise<User> {
  const { state, pool, client } = located;
  const username = `${provider.name}_${userId}`;
  checkRequired(pool, attributes);
  const answered = await trigger(state, pool, 'PreSignUp', {
    source: 'PreSignUp_ExternalProvider',
    userName: username,
    clientId: client.id,
    request: { userAttributes: attributes, validationData: {} },
    response: { autoConfirmUser: false, autoVerifyEmail: false, autoVerifyPhone: false },
  });
  if (answered?.autoVerifyEmail === true && attributes.email) attributes.email_verified = 'true';
  if (answered?.autoVerifyPhone === true && attributes.phone_number) attributes.phone_number_verified = 'true';
  if (state.user(pool, username)) throw invalidParameter('User already exists');
  const identity = {
    userId,
    providerName: provider.name,
    providerType: provider.type,
    primary: true,
    dateCreated: state.clock.now(),
  };
  const made = createUser(pool, state, {
    username,
    sub: state.ids.uuid(),
    attributes,
    status: 'EXTERNAL_PROVIDER',
    identities: [identity],
  });
  const group = groupOf(pool, provider, state);
  const user = state.updateUser(made, (draft) => {
    draft.groups = [group];
  });
  await postConfirmation({ ...located, metadata: undefined }, user, 'PostConfirmation_ConfirmSignUp');
  return user;
}

/** Returns the group of a provider's users, which Cognito creates automatically. */
function groupOf(pool: Pool, { name: provider }: Provider, { groups, clock }: CognitoState): string {
  const name = `${pool.id}_${provider}`;
  const now = clock.now();
  if (!groups.has(`${pool.id}/${name}`)) {
    const description = `Autogenerated group for users who sign in using ${provider}`;
    groups.put(`${pool.id}/${name}`, { poolId: pool.id, name, description, createdAt: now, updatedAt: now });
  }
  return name;
}

async function invokePreAuthentication({ state, pool, client }: LocatedClient, user: User): Promise<void> {
  await trigger(state, pool, 'PreAuthentication', {
    source: 'PreAuthentication_Authentication',
    userName: user.username,
    clientId: client.id,
    request: { userAttributes: attributesFor(user), validationData: {}, userNotFound: false },
    response: {},
  });
}

/**
 * Invokes the pool's inbound federation trigger, which may change the profile; an empty response leaves it unchanged.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-inbound-federation.html
 */
async function inbound(
  { state, pool, client }: LocatedClient,
  provider: Provider,
  profile: FederatedProfile,
): Promise<FederatedProfile> {
  if (functionOf(pool, 'InboundFederation') === undefined) return profile;
  const answered = await trigger(state, pool, 'InboundFederation', {
    source: 'InboundFederation_ExternalProvider',
    userName: `${provider.name}_${profile.userId}`,
    clientId: client.id,
    request: { providerName: provider.name, providerType: provider.type, attributes: profile.sources },
    response: { userAttributesToMap: {} },
  });
  const given = answered?.userAttributesToMap;
  if (!isObject(given)) throw invalidLambdaResponse('Unrecognizable lambda output');
  const claims = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  return Object.keys(claims).length === 0 ? profile : { ...profile, claims };
}
