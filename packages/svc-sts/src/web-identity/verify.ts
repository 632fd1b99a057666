import { identityDirectory, identityPoolKeys, type ServiceHandle, userPoolTokens } from '@emu/core/service';
import type { AssumeRoleWithWebIdentityRequest } from '@emu/service-types/sts';
import type { AwsError } from '@emu/wire';
import type { JSONWebKeySet } from 'jose';
import type { StsContext } from '../context.ts';
import { stsError } from '../errors.ts';
import type { StsState } from '../state.ts';
import type { SignatureCheck } from '../tokens/token-signature.ts';
import { isBuiltIn, providerOf, readWebIdentityToken } from './web-identity.ts';

const rejected = (message: string): AwsError => stsError('InvalidIdentityTokenException', message);

// Two spaces, as in AWS: https://github.com/awslabs/aws-sdk-rust/issues/827
const NO_KEY =
  "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements";

/**
 * Verifies a token by IAM's provider and the issuer's keys. Without IAM the token is trusted.
 * `OperationContext.wouldRefuse` checks that the provider exists and that the issuer's keys are available.
 * @throws AwsError `InvalidIdentityToken`, `ExpiredTokenException`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_oidc.html
 */
export async function verifyWebIdentity(input: AssumeRoleWithWebIdentityRequest, ctx: StsContext): Promise<void> {
  const directory = await ctx.capability(identityDirectory);
  // STS cannot read access tokens.
  if (!directory?.oidcProvider || input.ProviderId !== undefined) return;
  const { WebIdentityToken: token } = input;
  const identity = readWebIdentityToken(token, ctx.clock.now());
  const issuer = /^https:/.test(identity.issuer) ? identity.issuer : `https://${identity.issuer}`;
  if (!isBuiltIn(issuer)) {
    const provider = directory.oidcProvider(providerOf(issuer, input.RoleArn, ctx.region));
    if (!provider) {
      ctx.wouldRefuse(rejected(`No OpenIDConnect provider found in your account for ${issuer}`));
      return;
    }
    if (!provider.clientIds.includes(identity.audience)) throw rejected('Incorrect token audience');
  }
  const check = await signatureOf(token, issuer, ctx.handle);
  if (check === 'no key') ctx.wouldRefuse(rejected(NO_KEY));
  // Message from the documentation of the error.
  if (check === 'invalid')
    throw rejected(
      'The web identity token that was passed could not be validated by AWS. Get a new identity token from the identity provider and then retry the request.',
    );
}

/** Issuer of the OpenID tokens of identity pools. */
const IDENTITY_POOLS = 'https://cognito-identity.amazonaws.com';

/**
 * Verifies the signature of a token: with the emulator's keys for issuers of accounts, identity pools and user pools,
 * otherwise with the issuer's published keys.
 * @param issuer with scheme
 */
export async function signatureOf(
  token: string,
  issuer: string,
  handle: ServiceHandle<StsState>,
): Promise<SignatureCheck> {
  const directory = await handle.capability(identityDirectory);
  const account = directory?.issuerAccount?.(issuer);
  if (account !== undefined) {
    const { checkSignature, publicKeySet } = await import('../tokens/token-signature.ts');
    return checkSignature(token, publicKeySet(handle.state(account, '').signingKeys.values()));
  }
  const pools = issuer === IDENTITY_POOLS ? await handle.capability(identityPoolKeys) : undefined;
  if (pools) {
    const { checkSignature } = await import('../tokens/token-signature.ts');
    return checkSignature(token, pools.keySet() as unknown as JSONWebKeySet);
  }
  const userPools = await handle.capability(userPoolTokens);
  if (userPools?.isIssuer(issuer)) return (await userPools.read(token)) ? 'valid' : 'invalid';
  return handle
    .state(handle.settings.accountId, '')
    .issuerKeys.check(token, issuer, Date.now(), (error) =>
      handle.log.info('the keys of an issuer of identity tokens cannot be fetched', { issuer, error: String(error) }),
    );
}
