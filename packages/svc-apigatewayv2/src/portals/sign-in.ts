import { Fields, sendToEndpoint } from '@emu/apigateway-common';
import { type DataPlaneRequest, type DataPlaneResponse, parseArn } from '@emu/core/service';
import type { CognitoConfig } from '@emu/service-types/apigatewayv2';
import { AwsError } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest } from '../errors.ts';
import { verifiedToken } from '../http/authorizers/jwt.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { PortalSignIn } from './portal-site.ts';

/** Location of a portal request. */
interface PortalPlace {
  readonly state: Apigatewayv2State;
  /** Path prefix of the portal. */
  readonly base: string;
  readonly path: string;
}

const TOKEN = 'apigw-portal-token';
const CHECK = 'apigw-portal-state';
const TIMEOUT = 10_000;

/**
 * Returns the user pool for a portal's publication; its client must exist and have no secret.
 * @throws AwsError `BadRequestException`
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-portals.html
 */
export async function signInOf(
  { AppClientId: clientId, UserPoolArn }: CognitoConfig,
  ctx: Apigatewayv2Context,
): Promise<PortalSignIn> {
  const { region = ctx.region, resource = '' } = parseArn(UserPoolArn) ?? {};
  const poolId = resource.replace(/^userpool\//, '');
  try {
    const input = { UserPoolId: poolId, ClientId: clientId };
    const { UserPoolClient } = await ctx.call('cognito-idp', 'DescribeUserPoolClient', input, { region });
    if (UserPoolClient?.ClientSecret !== undefined)
      throw badRequest('The app client of the user pool must not have a client secret');
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'ResourceNotFoundException') throw error;
    throw badRequest(`The user pool or its app client does not exist: ${error.message}`);
  }
  return { poolId, region, clientId };
}

function cookieOf({ headers }: DataPlaneRequest, name: string): string | undefined {
  for (const pair of String(headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=');
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

/** Whether a visitor has an identity token of the pool for the portal's client. */
async function isSignedIn(request: DataPlaneRequest, state: Apigatewayv2State, pool: PortalSignIn): Promise<boolean> {
  const token = cookieOf(request, TOKEN);
  if (!token) return false;
  const issuer = `https://cognito-idp.${pool.region}.amazonaws.com/${pool.poolId}`;
  try {
    const { aud, token_use: use } = await verifiedToken(token, issuer, state.runtime.keySets, state.clock);
    return aud === pool.clientId && use === 'id';
  } catch {
    // Visitors with an expired or invalid token must sign in.
    return false;
  }
}

function redirect(location: string, cookies: readonly string[]): DataPlaneResponse {
  return { status: 302, headers: { location, 'set-cookie': [...cookies], 'cache-control': 'no-store' }, body: '' };
}

/**
 * Restricts a portal to signed-in users of its user pool: other visitors are redirected to the pool's pages, which
 * return a code (RFC 6749, section 4.1). The app client must allow the portal's URL, with trailing slash, as callback.
 * @returns undefined if the page may be shown
 */
export async function askToSignIn(
  request: DataPlaneRequest,
  { state, base, path }: PortalPlace,
  pool: PortalSignIn,
): Promise<DataPlaneResponse | undefined> {
  if (await isSignedIn(request, state, pool)) return undefined;
  const attributes = `Path=${base}/; HttpOnly; SameSite=Lax${request.secure ? '; Secure' : ''}`;
  const callback = `${request.endpoint}${base}/`;
  // On its own host the portal uses all paths; the pool is then at emu's own URL.
  const origin = request.ownedHost === undefined ? request.endpoint : await state.service.selfUrl();
  const pages = `${origin}/${pool.poolId}`;
  const query = new URLSearchParams(request.query);
  const [code, given] = [query.get('code'), query.get('state')];
  if (path === '/' && code !== null && given !== null && given === cookieOf(request, CHECK)) {
    const token = await exchange(state, pool, { code, callback });
    if (token === undefined)
      return { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Signing in failed.' };
    const back = Buffer.from(given.split('.')[1] ?? '', 'base64url').toString();
    return redirect(`${base}${back.startsWith('/') && !back.startsWith('//') ? back : '/'}`, [
      `${TOKEN}=${token}; ${attributes}`,
      `${CHECK}=; Max-Age=0; ${attributes}`,
    ]);
  }
  const check = `${state.ids.hex(32)}.${Buffer.from(path).toString('base64url')}`;
  const asked = new URLSearchParams({
    client_id: pool.clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: callback,
    state: check,
  });
  return redirect(`${pages}/oauth2/authorize?${asked}`, [`${CHECK}=${check}; ${attributes}`]);
}

/** Exchanges a code for the identity token; undefined if the pool rejects it. */
async function exchange(
  { service }: Apigatewayv2State,
  { poolId, clientId }: PortalSignIn,
  { code, callback }: { code: string; callback: string },
): Promise<string | undefined> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: callback,
  });
  const answer = await sendToEndpoint({
    names: service.names,
    url: new URL(`${await service.selfUrl()}/${poolId}/oauth2/token`),
    method: 'POST',
    headers: Fields.headers([['content-type', 'application/x-www-form-urlencoded']]),
    body: Buffer.from(form.toString()),
    timeout: TIMEOUT,
  });
  if (answer.status !== 200) return undefined;
  const { id_token: token } = JSON.parse(answer.body.toString()) as { id_token?: string };
  return token;
}
