import { Fields, sendToEndpoint } from '@emu/apigateway-common';
import { type DeepReadonly, parseArn } from '@emu/core/service';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { AuthorizerRecord } from '../../records.ts';
import type { Call } from '../call.ts';
import { authorizerFault, unauthorized } from '../fault.ts';
import { jsonOf } from '../mapping.ts';
import { identityOf } from './function.ts';

/** Timeout for fetching keys, in milliseconds. */
const TIMEOUT = 3000;

/**
 * Returns the keys of a user pool in emu.
 * @throws GatewayFault if they are unavailable
 */
async function keysOf(call: Call, region: string, pool: string): Promise<JSONWebKeySet> {
  const { service } = call.state.scope;
  const { names } = service;
  const url = new URL(`${await service.selfUrl()}/${pool}/.well-known/jwks.json`);
  const headers = Fields.headers([['host', `cognito-idp.${region}.amazonaws.com`]]);
  try {
    const answer = await sendToEndpoint({ names, url, method: 'GET', headers, body: undefined, timeout: TIMEOUT });
    const keys = answer.status === 200 ? (jsonOf(answer.body) as JSONWebKeySet | undefined) : undefined;
    if (Array.isArray(keys?.keys)) return keys;
  } catch (error) {
    throw authorizerFault(`The keys of the user pool ${pool} cannot be had: ${String(error)}`);
  }
  throw authorizerFault(`The keys of the user pool ${pool} cannot be had`);
}

async function claimsOf(call: Call, authorizer: DeepReadonly<AuthorizerRecord>, token: string): Promise<JWTPayload> {
  for (const arn of authorizer.providerARNs ?? []) {
    const { region, resource } = parseArn(arn) ?? {};
    const pool = resource?.split('/')[1];
    if (region === undefined || pool === undefined || !token.includes('.')) continue;
    const issuer = `https://cognito-idp.${region}.amazonaws.com/${pool}`;
    const payload = jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url')) as JWTPayload | undefined;
    if (payload?.iss === undefined || !payload.iss.endsWith(`/${pool}`)) continue;
    const keys = await keysOf(call, region, pool);
    try {
      const options = { issuer: [issuer, payload.iss], currentDate: new Date(call.state.clock.now()) };
      return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw unauthorized('The incoming token has expired');
      // The token belongs to another pool.
    }
  }
  throw unauthorized();
}

/**
 * Accepts tokens of a user pool only: an identity token, or an access token with one of the method's scopes.
 * @throws GatewayFault `UNAUTHORIZED`; `AUTHORIZER_CONFIGURATION_ERROR` if the user pool's keys are unavailable
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-integrate-with-cognito.html
 */
export async function authorizeByUserPool(call: Call, authorizer: DeepReadonly<AuthorizerRecord>): Promise<void> {
  const { token } = identityOf(call, authorizer);
  const claims = await claimsOf(call, authorizer, token.replace(/^Bearer\s+/i, ''));
  const wanted = call.method.authorizationScopes ?? [];
  const scopes = String(claims.scope ?? '').split(' ');
  if (wanted.length > 0 ? !wanted.some((scope) => scopes.includes(scope)) : claims.token_use === 'access')
    throw unauthorized();
  const shown = Object.entries(claims).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  call.context.authorizer = { claims: Object.fromEntries(shown) as Record<string, string> };
}
