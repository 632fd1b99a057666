import type { InputOf, OutputOf, ProviderUserIdentifierType } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, limitExceeded, userNotFound } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import type { Pool, User } from '../records.ts';
import { identityKey } from '../users/attribute-index.ts';
import { findUser } from '../users/find.ts';

/** Provider name of the pool's own users. */
const OWN = 'Cognito';
/** Maximum number of linked identities of a user. */
const MAX_IDENTITIES = 5;

/** Attribute name that stands for a provider's subject. */
const SUBJECT = 'Cognito_Subject';

const isOwn = ({ ProviderName }: ProviderUserIdentifierType): boolean =>
  ProviderName?.toLowerCase() === OWN.toLowerCase();

/** Returns the user linked to an identity of another provider; undefined if there is none. */
function linkedUser(
  pool: Pool,
  { ProviderName, ProviderAttributeValue }: ProviderUserIdentifierType,
  { state }: CognitoIdpContext,
): User | undefined {
  const key = state.index(pool.id).first('identity', identityKey(ProviderName ?? '', ProviderAttributeValue ?? ''));
  return key === undefined ? undefined : state.userByKey(key);
}

/**
 * Returns the native user that a request names.
 * @throws AwsError `UserNotFoundException`
 */
function nativeUser(
  pool: Pool,
  { ProviderAttributeValue: name = '' }: ProviderUserIdentifierType,
  { state }: CognitoIdpContext,
): User {
  const user = findUser(pool, name, state);
  if (!user) throw userNotFound();
  return user;
}

export function AdminLinkProviderForUser(
  input: InputOf<'AdminLinkProviderForUser'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminLinkProviderForUser'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const { DestinationUser: destination, SourceUser: source } = input;
  if (isOwn(source)) throw invalidParameter('SourceUser must be a user of an external identity provider.');
  const provider = state.providers.get(`${pool.id}/${source.ProviderName ?? ''}`);
  if (!provider)
    throw invalidParameter(`The provider ${source.ProviderName ?? ''} does not exist for User Pool ${pool.id}.`);
  if (!source.ProviderAttributeName || !source.ProviderAttributeValue)
    throw invalidParameter('ProviderAttributeName and ProviderAttributeValue of SourceUser are required.');
  if (!isOwn(destination)) throw invalidParameter('DestinationUser must be a user of the user pool.');
  const user = nativeUser(pool, destination, ctx);
  if (linkedUser(pool, source, ctx))
    throw invalidParameter('Merging is not currently supported, provide a SourceUser that has not been linked');
  if ((user.identities?.length ?? 0) >= MAX_IDENTITIES)
    throw limitExceeded(`A user cannot have more than ${MAX_IDENTITIES} linked identities.`);
  state.updateUser(user, (draft) => {
    const identity = {
      userId: source.ProviderAttributeValue!,
      providerName: provider.name,
      providerType: provider.type,
      primary: false,
      dateCreated: state.clock.now(),
      ...(source.ProviderAttributeName !== SUBJECT && { attributeName: source.ProviderAttributeName! }),
    };
    draft.identities = [...(draft.identities ?? []), identity];
  });
  return {};
}

export function AdminDisableProviderForUser(
  input: InputOf<'AdminDisableProviderForUser'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminDisableProviderForUser'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const { User: named } = input;
  if (isOwn(named)) {
    // Without a password, the user can only sign in with other providers.
    state.updateUser(nativeUser(pool, named, ctx), (draft) => {
      delete draft.password;
      delete draft.temporaryUntil;
    });
    return {};
  }
  const user = linkedUser(pool, named, ctx);
  if (!user) throw userNotFound();
  state.updateUser(user, (draft) => {
    draft.identities = draft.identities?.filter(
      ({ providerName, userId }) => providerName !== named.ProviderName || userId !== named.ProviderAttributeValue,
    );
  });
  return {};
}
