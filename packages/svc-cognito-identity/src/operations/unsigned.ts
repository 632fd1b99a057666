import type { InputOf, OutputOf } from '@emu/service-types/cognito-identity';
import { AwsError } from '@emu/wire';
import type { CognitoIdentityContext } from '../context.ts';
import { GUEST_MANAGED_POLICY, GUEST_POLICY } from '../credentials/guest-policy.ts';
import { openIdToken, principalTags } from '../credentials/openid.ts';
import { chooseRole } from '../credentials/roles.ts';
import { badRoles, invalidParameter, loginsDiffer, notAuthorized, poolNotFound } from '../errors.ts';
import { authenticate, guestsRefused, identityFor } from '../logins/link.ts';
import { OWN_PROVIDER, verifyLogins } from '../logins/verify.ts';
import { locateIdentity, locatePool } from '../lookup.ts';
import { policyType } from '../resources.ts';

/** Validity of an OpenID token in seconds. */
const TOKEN_DURATION = 600;
/** Session name in the enhanced flow. */
const SESSION_NAME = 'CognitoIdentityCredentials';

export async function GetId(
  { IdentityPoolId, AccountId, Logins = {} }: InputOf<'GetId'>,
  ctx: CognitoIdentityContext,
): Promise<OutputOf<'GetId'>> {
  const located = locatePool(IdentityPoolId, ctx);
  if (AccountId !== undefined && AccountId !== located.state.accountId) throw poolNotFound(IdentityPoolId);
  if (Object.hasOwn(Logins, OWN_PROVIDER))
    throw notAuthorized('Token is not from a supported provider of this identity pool.');
  const logins = await verifyLogins(located.pool, Logins, ctx);
  if (logins.length) return { IdentityId: identityFor(located, logins).id };
  if (!located.pool.settings.allowUnauthenticated) throw guestsRefused();
  return { IdentityId: located.state.createIdentity(IdentityPoolId, []).id };
}

export async function GetOpenIdToken(
  { IdentityId, Logins = {} }: InputOf<'GetOpenIdToken'>,
  ctx: CognitoIdentityContext,
): Promise<OutputOf<'GetOpenIdToken'>> {
  const located = locateIdentity(IdentityId, ctx);
  if (!located.pool.settings.allowClassicFlow)
    throw invalidParameter('Basic (classic) flow is not enabled, please use enhanced flow.');
  const authenticated = await authenticate(located, Logins, ctx);
  const Token = await openIdToken(located, authenticated, TOKEN_DURATION, {});
  authenticated.accept();
  return { IdentityId, Token };
}

export async function GetCredentialsForIdentity(
  { IdentityId, Logins = {}, CustomRoleArn }: InputOf<'GetCredentialsForIdentity'>,
  ctx: CognitoIdentityContext,
): Promise<OutputOf<'GetCredentialsForIdentity'>> {
  const located = locateIdentity(IdentityId, ctx);
  const authenticated = await authenticate(located, Logins, ctx);
  const { logins, own } = authenticated;
  const isGuest = !logins.length && !own;
  const RoleArn = chooseRole(located.pool, logins, isGuest, CustomRoleArn);
  const tags = principalTags(located.pool, logins);
  const WebIdentityToken = await openIdToken(located, authenticated, TOKEN_DURATION, tags);
  const { Credentials } = await assume(ctx, {
    RoleArn,
    RoleSessionName: SESSION_NAME,
    WebIdentityToken,
    ...(isGuest && { Policy: GUEST_POLICY, PolicyArns: [{ arn: managedPolicy(ctx) }] }),
  });
  authenticated.accept();
  return {
    IdentityId,
    Credentials: Credentials && {
      AccessKeyId: Credentials.AccessKeyId,
      SecretKey: Credentials.SecretAccessKey,
      SessionToken: Credentials.SessionToken,
      Expiration: Credentials.Expiration,
    },
  };
}

type Assumption = {
  RoleArn: string;
  RoleSessionName: string;
  WebIdentityToken: string;
  Policy?: string;
  PolicyArns?: { arn: string }[];
};

/** ARN of the AWS managed policy of guests. */
const managedPolicy = ({ region }: CognitoIdentityContext): string =>
  policyType.arn({ name: GUEST_MANAGED_POLICY }, { accountId: 'aws', region });

/** Assumes a role. A role that does not trust the pool is an error in the pool's configuration. */
async function assume(ctx: CognitoIdentityContext, request: Assumption) {
  try {
    return await ctx.call('sts', 'AssumeRoleWithWebIdentity', request, { authorize: {} });
  } catch (error) {
    if (error instanceof AwsError && (error.code === 'AccessDenied' || error.code === 'ValidationError'))
      throw badRoles();
    throw error;
  }
}

export async function UnlinkIdentity(
  { IdentityId, Logins, LoginsToRemove }: InputOf<'UnlinkIdentity'>,
  ctx: CognitoIdentityContext,
): Promise<OutputOf<'UnlinkIdentity'>> {
  const located = locateIdentity(IdentityId, ctx);
  const { state, identity, pool } = located;
  const shown = await verifyLogins(pool, Logins, ctx);
  const isTheirs = ({ provider, subject }: { provider: string; subject: string }): boolean =>
    identity.logins.some((one) => one.provider === provider && one.subject === subject);
  const removed = shown.filter(({ provider }) => LoginsToRemove.includes(provider));
  if (!shown.some(isTheirs) || removed.length < new Set(LoginsToRemove).size || !removed.every(isTheirs))
    throw loginsDiffer();
  state.setLogins(
    identity,
    identity.logins.filter(({ provider }) => !LoginsToRemove.includes(provider)).map((login) => ({ ...login })),
  );
  return {};
}
