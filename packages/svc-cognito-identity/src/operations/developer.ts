import type { InputOf, OutputOf } from '@emu/service-types/cognito-identity';
import type { CognitoIdentityContext } from '../context.ts';
import { openIdToken, principalTags } from '../credentials/openid.ts';
import {
  conflict,
  developerUserTaken,
  forbidden,
  identityNotFound,
  invalidParameter,
  notAuthorized,
} from '../errors.ts';
import { identityFor, link } from '../logins/link.ts';
import { type VerifiedLogin, verifyLogins } from '../logins/verify.ts';
import { identityOf, poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Identity, Login, Pool } from '../records.ts';

/** Default validity of a developer token in seconds. */
const DEFAULT_DURATION = 900;

/**
 * Returns the developer provider of a pool.
 * @throws AwsError `InvalidParameterException` for a different or missing one
 */
function developerProviderOf(pool: Pool, named?: string): string {
  const { developerProvider } = pool.settings;
  if (developerProvider === undefined || (named !== undefined && named !== developerProvider))
    throw invalidParameter('Please provide a valid developer provider name for this identity pool.');
  return developerProvider;
}

const asDeveloper = (provider: string, subject: string, pool: Pool): VerifiedLogin => ({
  provider,
  subject,
  claims: { sub: subject, aud: pool.id },
  mappingKeys: [provider],
  method: `${provider}:${pool.id}:${subject}`,
  roles: [],
  preferredRole: undefined,
});

/** Returns an identity of a pool. @throws AwsError `ResourceNotFoundException` */
function identityIn(pool: Pool, id: string, ctx: CognitoIdentityContext): Identity {
  const identity = identityOf(id, ctx);
  if (identity.poolId !== pool.id) throw identityNotFound(id);
  return identity;
}

export async function GetOpenIdTokenForDeveloperIdentity(
  input: InputOf<'GetOpenIdTokenForDeveloperIdentity'>,
  ctx: CognitoIdentityContext,
): Promise<OutputOf<'GetOpenIdTokenForDeveloperIdentity'>> {
  const { IdentityPoolId, IdentityId, Logins, PrincipalTags = {}, TokenDuration = DEFAULT_DURATION } = input;
  const pool = poolOf(IdentityPoolId, ctx);
  const located = { state: ctx.state, pool };
  const provider = developerProviderOf(pool);
  const { [provider]: subject, ...others } = Logins;
  if (subject === undefined) throw notAuthorized('Logins must include the developer provider of the identity pool.');
  const developer = asDeveloper(provider, subject, pool);
  const logins = [developer, ...(await verifyLogins(pool, others, ctx))];
  const known = ctx.state.identityOf(pool.id, developer);
  const wanted = IdentityId === undefined ? undefined : identityIn(pool, IdentityId, ctx);
  if (wanted && known && known.id !== wanted.id) throw developerUserTaken();
  if (wanted?.disabled) throw forbidden(wanted.id);
  const identity = wanted ? linkDeveloper(wanted, logins, pool, ctx) : identityFor(located, logins);
  const tags = { ...principalTags(pool, logins), ...PrincipalTags };
  const Token = await openIdToken(located, { identity, logins, own: undefined }, TokenDuration, tags);
  return { IdentityId: identity.id, Token };
}

/** Links a developer user, of which an identity may have several, and other logins. */
function linkDeveloper(identity: Identity, logins: VerifiedLogin[], pool: Pool, ctx: CognitoIdentityContext): Identity {
  const [{ provider, subject }, ...others] = logins as [VerifiedLogin, ...VerifiedLogin[]];
  const linked = link({ state: ctx.state, pool }, identity, others);
  if (linked.logins.some((one) => one.provider === provider && one.subject === subject)) return linked;
  return ctx.state.setLogins(linked, [...linked.logins.map((one) => ({ ...one })), { provider, subject }]);
}

const usersOf = ({ logins }: Identity, provider: string): string[] =>
  logins.filter((one) => one.provider === provider).map(({ subject }) => subject);

export function LookupDeveloperIdentity(
  input: InputOf<'LookupDeveloperIdentity'>,
  ctx: CognitoIdentityContext,
): OutputOf<'LookupDeveloperIdentity'> {
  const { IdentityPoolId, IdentityId, DeveloperUserIdentifier: subject } = input;
  const pool = poolOf(IdentityPoolId, ctx);
  const provider = developerProviderOf(pool);
  if (IdentityId === undefined && subject === undefined)
    throw invalidParameter('Either IdentityId or DeveloperUserIdentifier must be provided.');
  const named = IdentityId === undefined ? undefined : identityIn(pool, IdentityId, ctx);
  const ofUser = subject === undefined ? undefined : userIdentity(pool, { provider, subject }, ctx);
  if (named && ofUser && named.id !== ofUser.id)
    throw conflict('The developer user identifier is linked to another identity.');
  const identity = (named ?? ofUser)!;
  // The response contains only the requested identifier, in a list.
  const users = ofUser && !named ? [subject!] : usersOf(identity, provider);
  return {
    ...paging.page('LookupDeveloperIdentity', input, users, (one) => one).list((one) => one),
    IdentityId: identity.id,
  };
}

function userIdentity(pool: Pool, login: Login, ctx: CognitoIdentityContext): Identity {
  const identity = ctx.state.identityOf(pool.id, login);
  if (!identity) throw identityNotFound(login.subject);
  return identity;
}

export function MergeDeveloperIdentities(
  input: InputOf<'MergeDeveloperIdentities'>,
  ctx: CognitoIdentityContext,
): OutputOf<'MergeDeveloperIdentities'> {
  const pool = poolOf(input.IdentityPoolId, ctx);
  const provider = developerProviderOf(pool, input.DeveloperProviderName);
  const source = userIdentity(pool, { provider, subject: input.SourceUserIdentifier }, ctx);
  const destination = userIdentity(pool, { provider, subject: input.DestinationUserIdentifier }, ctx);
  if (source.id === destination.id) throw invalidParameter('Source and destination are the same identity.');
  // An identity has one user per public provider.
  const clash = source.logins.some(
    (login) => login.provider !== provider && destination.logins.some((one) => one.provider === login.provider),
  );
  if (clash) throw conflict('Both identities have a login of the same public provider.');
  const moved = [...destination.logins, ...source.logins].map((login) => ({ ...login }));
  ctx.state.setLogins(source, []);
  return { IdentityId: ctx.state.setLogins(destination, moved).id };
}

export function UnlinkDeveloperIdentity(
  input: InputOf<'UnlinkDeveloperIdentity'>,
  ctx: CognitoIdentityContext,
): OutputOf<'UnlinkDeveloperIdentity'> {
  const pool = poolOf(input.IdentityPoolId, ctx);
  const provider = developerProviderOf(pool, input.DeveloperProviderName);
  const identity = identityIn(pool, input.IdentityId, ctx);
  const subject = input.DeveloperUserIdentifier;
  const kept = identity.logins.filter((one) => one.provider !== provider || one.subject !== subject);
  if (kept.length === identity.logins.length)
    throw conflict('The developer user identifier is not linked to the identity.');
  ctx.state.setLogins(
    identity,
    kept.map((login) => ({ ...login })),
  );
  return {};
}
