import type { OperationContext } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sts';
import { accessDenied, invalid, stsError } from '../errors.ts';
import { nameQualifier, parseSamlProviderArn, readSamlResponse } from '../saml/saml.ts';
import { parseRoleArn, type RoleReference, sessionOf } from '../sessions/roles.ts';
import { sessionPolicies } from '../sessions/session-policies.ts';
import { issueCredentials } from '../sessions/sessions.ts';
import { sessionTags } from '../tags.ts';
import { providerOf, readWebIdentityToken, webIdentityClaims } from '../web-identity/web-identity.ts';

const DEFAULT_DURATION = 3600;
/** Providers whose opaque access tokens only they can verify. */
const OAUTH_PROVIDERS = ['www.amazon.com', 'graph.facebook.com'];

/** Returns the role to assume. Rejects roles of another partition as IAM does. */
function requireRole(roleArn: string, ctx: OperationContext): RoleReference {
  const role = parseRoleArn(roleArn);
  if (role?.partition !== ctx.partition) throw accessDenied(`Not authorized to perform sts:${ctx.operation}`);
  return role;
}

/**
 * Returns temporary credentials of a role for the holder of an OpenID Connect ID token.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export async function AssumeRoleWithWebIdentity(
  input: InputOf<'AssumeRoleWithWebIdentity'>,
  ctx: OperationContext,
): Promise<OutputOf<'AssumeRoleWithWebIdentity'>> {
  const role = requireRole(input.RoleArn, ctx);
  checkProviderId(input.ProviderId);
  const identity = readWebIdentityToken(input.WebIdentityToken, ctx.clock.now());
  const { tags, transitiveTagKeys } = sessionTags(identity.tags, identity.transitiveTagKeys);
  const { packedSize, ...policies } = await sessionPolicies({ ...input, Tags: identity.tags }, ctx.partition);
  const duration = input.DurationSeconds ?? DEFAULT_DURATION;
  const session = await sessionOf(role, input.RoleSessionName, duration, ctx);
  const { sourceIdentity } = identity;
  return {
    Credentials: issueCredentials(ctx, session, duration, {
      roleArn: role.arn,
      name: input.RoleSessionName,
      ...policies,
      tags,
      transitiveTagKeys,
      ...(sourceIdentity !== undefined && { sourceIdentity }),
      provider: providerOf(identity.issuer, role.arn, ctx.region),
      claims: webIdentityClaims(identity),
    }),
    SubjectFromWebIdentityToken: identity.subject,
    AssumedRoleUser: { AssumedRoleId: session.userId, Arn: session.arn },
    PackedPolicySize: packedSize,
    Provider: identity.issuer,
    Audience: identity.audience,
    SourceIdentity: sourceIdentity,
  };
}

/** Rejects an OAuth 2.0 access token, because emu does not call its provider to verify it. */
function checkProviderId(providerId: string | undefined): void {
  if (providerId === undefined) return;
  if (!OAUTH_PROVIDERS.includes(providerId)) throw invalid(`${providerId} is not a supported identity provider`);
  throw stsError('IDPCommunicationErrorException', `Could not communicate with the identity provider ${providerId}`);
}

/**
 * Returns temporary credentials of a role for the subject of a SAML 2.0 response.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithSAML.html
 */
export async function AssumeRoleWithSAML(
  input: InputOf<'AssumeRoleWithSAML'>,
  ctx: OperationContext,
): Promise<OutputOf<'AssumeRoleWithSAML'>> {
  const role = requireRole(input.RoleArn, ctx);
  const provider = parseSamlProviderArn(input.PrincipalArn);
  const response = readSamlResponse(input.SAMLAssertion, ctx.clock.now());
  const grants = response.roles.some((grant) => grant.includes(input.RoleArn) && grant.includes(input.PrincipalArn));
  if (!grants || provider?.partition !== ctx.partition || provider.accountId !== role.accountId)
    throw accessDenied('Not authorized to perform sts:AssumeRoleWithSAML');
  const { tags, transitiveTagKeys } = sessionTags(response.tags, response.transitiveTagKeys);
  const { packedSize, ...policies } = await sessionPolicies({ ...input, Tags: response.tags }, ctx.partition);
  const { sourceIdentity } = response;
  const duration = Math.min(
    input.DurationSeconds ?? response.sessionDuration ?? DEFAULT_DURATION,
    response.remainingSeconds,
  );
  const session = await sessionOf(role, response.sessionName, duration, ctx);
  return {
    Credentials: issueCredentials(ctx, session, duration, {
      roleArn: role.arn,
      name: response.sessionName,
      ...policies,
      tags,
      transitiveTagKeys,
      ...(sourceIdentity !== undefined && { sourceIdentity }),
      provider: input.PrincipalArn,
      claims: { 'saml:aud': response.recipient, 'saml:iss': response.issuer, 'saml:sub': response.subject },
    }),
    AssumedRoleUser: { AssumedRoleId: session.userId, Arn: session.arn },
    PackedPolicySize: packedSize,
    Subject: response.subject,
    SubjectType: response.subjectType,
    Issuer: response.issuer,
    Audience: response.recipient,
    NameQualifier: nameQualifier(response.issuer, provider),
    SourceIdentity: sourceIdentity,
  };
}
