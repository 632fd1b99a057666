import type { ContextDataType, InputOf, OutputOf, UserContextDataType } from '@emu/service-types/cognito-idp';
import type { Auth } from '../auth/auth.ts';
import { initiate } from '../auth/initiate.ts';
import { originOf } from '../auth/origin.ts';
import { checkDevice, grantOfToken, rotate } from '../auth/refresh.ts';
import { respond } from '../auth/respond.ts';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, notAuthorized, unsupportedOperation, unsupportedTokenType } from '../errors.ts';
import { clientIn, type LocatedClient, locateClient, poolOf } from '../lookup.ts';
import { isSecret } from '../pools/secret-hash.ts';
import { issueTokens } from '../tokens/issue.ts';
import { readRefreshToken } from '../tokens/refresh-token.ts';
import { readToken, userOfToken } from '../tokens/verify.ts';

interface Request {
  ClientMetadata?: Record<string, string> | undefined;
  UserContextData?: UserContextDataType | undefined;
  ContextData?: ContextDataType | undefined;
}

function authOf(located: LocatedClient, input: Request, ctx: CognitoIdpContext, admin: boolean): Auth {
  const { state, pool, client } = located;
  const origin = originOf(input, client, ctx.http?.remoteAddress);
  const metadata = input.ClientMetadata;
  return { state, pool, client, admin, endpoint: ctx.endpoint, metadata, origin, eventId: state.ids.uuid() };
}

export function InitiateAuth(
  input: InputOf<'InitiateAuth'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'InitiateAuth'>> {
  const auth = authOf(locateClient(input.ClientId, ctx), input, ctx, false);
  return initiate(auth, input.AuthFlow, input.AuthParameters ?? {}, input.Session);
}

export function AdminInitiateAuth(
  input: InputOf<'AdminInitiateAuth'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminInitiateAuth'>> {
  const pool = poolOf(input, ctx);
  const client = clientIn(pool, input.ClientId, ctx.state);
  const auth = authOf({ state: ctx.state, pool, client }, input, ctx, true);
  return initiate(auth, input.AuthFlow, input.AuthParameters ?? {}, input.Session);
}

export function RespondToAuthChallenge(
  input: InputOf<'RespondToAuthChallenge'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'RespondToAuthChallenge'>> {
  const auth = authOf(locateClient(input.ClientId, ctx), input, ctx, false);
  return respond(auth, input.ChallengeName, input.Session, input.ChallengeResponses ?? {});
}

export function AdminRespondToAuthChallenge(
  input: InputOf<'AdminRespondToAuthChallenge'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'AdminRespondToAuthChallenge'>> {
  const pool = poolOf(input, ctx);
  const client = clientIn(pool, input.ClientId, ctx.state);
  const auth = authOf({ state: ctx.state, pool, client }, input, ctx, true);
  return respond(auth, input.ChallengeName, input.Session, input.ChallengeResponses ?? {});
}

/**
 * Checks a client's secret.
 * @throws AwsError `NotAuthorizedException` if it is missing or wrong
 */
function checkSecret({ client }: LocatedClient, given: string | undefined): void {
  if (client.secrets.length === 0) {
    if (given !== undefined)
      throw notAuthorized(`Client ${client.id} is not configured with secret but secret was received`);
    return;
  }
  if (given === undefined || !isSecret(client, given)) throw notAuthorized('Invalid client secret');
}

export async function GetTokensFromRefreshToken(
  input: InputOf<'GetTokensFromRefreshToken'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'GetTokensFromRefreshToken'>> {
  const located = locateClient(input.ClientId, ctx);
  checkSecret(located, input.ClientSecret);
  const { grant, user } = grantOfToken(located, input.RefreshToken);
  checkDevice(grant, input.DeviceKey);
  const rotated = rotate(located, grant);
  const result = await issueTokens(located, user, rotated, {
    source: 'TokenGeneration_RefreshTokens',
    endpoint: ctx.endpoint,
    metadata: input.ClientMetadata,
    without: rotated === grant ? new Set(['refresh'] as const) : new Set(),
  });
  return { AuthenticationResult: result };
}

export async function RevokeToken(
  input: InputOf<'RevokeToken'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'RevokeToken'>> {
  const located = locateClient(input.ClientId, ctx);
  checkSecret(located, input.ClientSecret);
  if (!located.client.tokenRevocation) throw unsupportedOperation('Token revocation is not enabled for this client.');
  const parts = readRefreshToken(input.Token);
  if (!parts) {
    if (await readToken(input.Token, ctx)) throw unsupportedTokenType('Unsupported token type');
    throw invalidParameter('Invalid token');
  }
  const grant = located.state.grant(parts.grantId);
  // A token that is no longer valid counts as revoked.
  if (grant && grant.clientId !== located.client.id) throw notAuthorized('Token was issued to another client.');
  located.state.revoke(parts.grantId);
  return {};
}

export async function GlobalSignOut(
  input: InputOf<'GlobalSignOut'>,
  ctx: CognitoIdpContext,
): Promise<OutputOf<'GlobalSignOut'>> {
  const { state, user } = await userOfToken(input.AccessToken, ctx);
  state.revokeAll(user);
  return {};
}
