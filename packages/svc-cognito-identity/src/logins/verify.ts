import { identityDirectory, providerTokens, servicePrincipalName, userPoolTokens } from '@emu/core';
import { AwsError } from '@emu/wire';
import type { CognitoIdentityContext } from '../context.ts';
import { ISSUER } from '../credentials/keys.ts';
import { verifyByKeys } from '../credentials/verify.ts';
import { badToken, loginsDiffer, notAuthorized, providerUnreachable } from '../errors.ts';
import type { Login, Pool } from '../records.ts';
import { oidcProviderType } from '../resources.ts';
import { type Claims, checkExpiry, readClaims, requireText, textsOf } from './token.ts';

/** A login whose token was found to be right. */
export interface VerifiedLogin extends Login {
  readonly claims: Claims;
  /** By what role mappings and mappings of tags name the provider. */
  readonly mappingKeys: readonly string[];
  /** What `amr` says of it besides the provider. */
  readonly method: string;
  /** Roles that the provider offers, and which of them first. */
  readonly roles: readonly string[];
  readonly preferredRole: string | undefined;
}

/** The login by which an identity's own OpenID token is shown. */
export const OWN_PROVIDER = servicePrincipalName('cognito-identity');

/** Issuers of public providers whose tokens can be read; only the others can read theirs. */
const PUBLIC_ISSUERS: Readonly<Record<string, string>> = {
  'accounts.google.com': 'https://accounts.google.com',
  'appleid.apple.com': 'https://appleid.apple.com',
};

const unsupported = () => notAuthorized('Token is not from a supported provider of this identity pool.');

/**
 * Checks the logins of a request.
 * @returns those of providers, without the identity's own token
 * @throws AwsError `NotAuthorizedException`, `ExternalServiceException`
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

/** Checks a token by its issuer's keys; where they cannot be had it is taken at its word, as STS does. */
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
 * Checks an identity's own OpenID token.
 * @returns what it says, of which the subject is the identity
 * @throws AwsError `NotAuthorizedException`
 */
export function verifyOwnToken(token: string, identityId: string, ctx: CognitoIdentityContext): Claims {
  const claims = readClaims(token);
  if (requireText(claims, 'iss') !== ISSUER) throw badToken("Issuer doesn't match providerName");
  checkExpiry(claims, ctx.clock.now());
  if (!verifyByKeys(token, ctx.handle)) throw badToken("Couldn't verify signed token.");
  if (claims.sub !== identityId) throw loginsDiffer();
  return claims;
}
