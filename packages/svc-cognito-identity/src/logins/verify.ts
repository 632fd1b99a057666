import { identityDirectory, providerTokens, servicePrincipalName, userPoolTokens } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { CognitoIdentityContext } from '../context.ts';
import { badToken, loginsDiffer, notAuthorized, providerUnreachable } from '../errors.ts';
import type { Login, Pool } from '../records.ts';
import { oidcProviderType } from '../resources.ts';
import { ISSUER } from '../signing/keys.ts';
import { verifyByKeys } from '../signing/verify.ts';
import { type Claims, checkExpiry, readClaims, requireText, textsOf } from './token.ts';

/** A login with a verified token. */
export interface VerifiedLogin extends Login {
  readonly claims: Claims;
  /** Name of the provider in role mappings and tag mappings. */
  readonly mappingKeys: readonly string[];
  /** Values of `amr` besides the provider. */
  readonly method: string;
  /** Roles offered by the provider, the preferred one first. */
  readonly roles: readonly string[];
  readonly preferredRole: string | undefined;
}

/** Login key of an identity's own OpenID token. */
export const OWN_PROVIDER = servicePrincipalName('cognito-identity');

/** Issuers of public providers with readable tokens. Other tokens are opaque. */
const PUBLIC_ISSUERS: Readonly<Record<string, string>> = {
  'accounts.google.com': 'https://accounts.google.com',
  'appleid.apple.com': 'https://appleid.apple.com',
};

const unsupported = () => notAuthorized('Token is not from a supported provider of this identity pool.');

/**
 * Verifies the logins of a request.
 * @returns those of providers, without the identity's own token
 */
export async function verifyLogins(
  pool: Pool,
  logins: Readonly<Record<string, string>>,
  ctx: CognitoIdentityContext,
): Promise<VerifiedLogin[]> {
  const verified: VerifiedLogin[] = [];
  for (const [provider, token] of Object.entries(logins))
    if (provider !== OWN_PROVIDER) verified.push(await verifyLogin(pool, provider, token, ctx));
  return verified;
}

function verifyLogin(pool: Pool, provider: string, token: string, ctx: CognitoIdentityContext): Promise<VerifiedLogin> {
  const { userPools = [], samlArns = [], oidcArns = [], supportedLogins = {} } = pool.settings;
  if (userPools.some(({ ProviderName }) => ProviderName === provider)) return ofUserPool(pool, provider, token, ctx);
  if (samlArns.includes(provider)) return ofSaml(provider, token, ctx);
  const oidcArn = oidcArns.find((arn) => oidcProviderType.parse(arn)?.key.url === provider);
  if (oidcArn !== undefined) return ofOidc(provider, oidcArn, token, ctx);
  if (Object.hasOwn(supportedLogins, provider)) return ofPublic(provider, supportedLogins[provider]!, token, ctx);
  throw unsupported();
}

async function ofUserPool(
  pool: Pool,
  provider: string,
  token: string,
  ctx: CognitoIdentityContext,
): Promise<VerifiedLogin> {
  readClaims(token);
  const found = await (await ctx.capability(userPoolTokens))?.read(token);
  if (!found) throw badToken("Couldn't verify signed token.");
  const { claims } = found;
  const subject = requireText(claims, 'sub');
  const audience = requireText(claims, 'aud');
  if (claims.token_use !== 'id') throw badToken('Not a valid OpenId Connect identity token.');
  if (!provider.endsWith(`/${found.poolId}`)) throw badToken("Issuer doesn't match providerName");
  checkExpiry(claims, ctx.clock.now());
  const client = pool.settings.userPools?.find(
    ({ ProviderName, ClientId }) => ProviderName === provider && ClientId === audience,
  );
  if (!client) throw badToken('Incorrect token audience.');
  if (client.ServerSideTokenCheck && !found.active) throw badToken('Token has been revoked.');
  return {
    provider,
    subject,
    claims,
    mappingKeys: [`${provider}:${audience}`, provider],
    method: `${provider}:CognitoSignIn:${subject}`,
    roles: textsOf(claims['cognito:roles']),
    preferredRole: textsOf(claims['cognito:preferred_role'])[0],
  };
}

/** Verifies a token by its issuer's keys. If these are unavailable the token is trusted, as in STS. */
async function checkSignature(token: string, issuer: string, ctx: CognitoIdentityContext): Promise<void> {
  const check = await (await ctx.capability(providerTokens))?.check(token, issuer);
  if (check === 'invalid') throw badToken("Couldn't verify signed token.");
  if (check !== 'valid') ctx.wouldRefuse(badToken("Couldn't verify signed token."));
}

const issuerIs = (claims: Claims, provider: string): boolean =>
  requireText(claims, 'iss').replace(/^https:\/\//, '') === provider;

async function ofOidc(
  provider: string,
  arn: string,
  token: string,
  ctx: CognitoIdentityContext,
): Promise<VerifiedLogin> {
  const claims = readClaims(token);
  if (!issuerIs(claims, provider)) throw badToken("Issuer doesn't match providerName");
  const subject = requireText(claims, 'sub');
  const audiences = textsOf(claims.azp ?? claims.aud);
  checkExpiry(claims, ctx.clock.now());
  const directory = await ctx.capability(identityDirectory);
  if (directory?.oidcProvider) {
    const known = directory.oidcProvider(arn);
    if (!known) throw unsupported();
    if (!audiences.some((one) => known.clientIds.includes(one))) throw badToken('Incorrect token audience.');
  }
  await checkSignature(token, `https://${provider}`, ctx);
  const mappingKeys = [arn, provider];
  return { provider, subject, claims, mappingKeys, method: `${arn}:OIDC:${subject}`, ...rolesIn(claims) };
}

const rolesIn = (claims: Claims): Pick<VerifiedLogin, 'roles' | 'preferredRole'> => ({
  roles: textsOf(claims['cognito:roles']),
  preferredRole: textsOf(claims['cognito:preferred_role'])[0],
});

async function ofPublic(
  provider: string,
  ids: string,
  token: string,
  ctx: CognitoIdentityContext,
): Promise<VerifiedLogin> {
  const issuer = PUBLIC_ISSUERS[provider];
  if (issuer === undefined) throw providerUnreachable(provider);
  const claims = readClaims(token);
  if (!issuerIs(claims, provider)) throw badToken("Issuer doesn't match providerName");
  const subject = requireText(claims, 'sub');
  const audience = textsOf(claims.aud).find((one) => ids.split(';').includes(one));
  if (audience === undefined) throw badToken('Incorrect token audience.');
  checkExpiry(claims, ctx.clock.now());
  await checkSignature(token, issuer, ctx);
  const method = `${provider}:${audience}:${subject}`;
  return { provider, subject, claims, mappingKeys: [provider], method, ...rolesIn(claims) };
}

async function ofSaml(provider: string, response: string, ctx: CognitoIdentityContext): Promise<VerifiedLogin> {
  const offer = await ctx.capability(providerTokens);
  if (!offer) throw badToken("Couldn't verify signed token.");
  try {
    const found = await offer.saml(response, provider, (refusal) => ctx.wouldRefuse(refusal));
    const { subject, audience, roles } = found;
    return {
      provider,
      subject,
      claims: { sub: subject, aud: audience },
      mappingKeys: [provider],
      method: `${provider}:SAML:${subject}`,
      roles,
      preferredRole: roles.length === 1 ? roles[0] : undefined,
    };
  } catch (error) {
    throw error instanceof AwsError ? badToken(error.message) : error;
  }
}

/**
 * Verifies an identity's own OpenID token.
 * @returns its claims; the subject is the identity
 */
export function verifyOwnToken(token: string, identityId: string, ctx: CognitoIdentityContext): Claims {
  const claims = readClaims(token);
  if (requireText(claims, 'iss') !== ISSUER) throw badToken("Issuer doesn't match providerName");
  checkExpiry(claims, ctx.clock.now());
  if (!verifyByKeys(token, ctx.handle)) throw badToken("Couldn't verify signed token.");
  if (claims.sub !== identityId) throw loginsDiffer();
  return claims;
}
