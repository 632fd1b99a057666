import type { Credential, OperationContext } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sts';
import { AwsError, violationText } from '@emu/wire';
import type { StsContext } from '../context.ts';
import { invalid, stsError } from '../errors.ts';
import { credentialsOf, requireSigned } from '../sessions/callers.ts';
import { sessionTags } from '../tags.ts';
import { type JwtAlgorithm, signToken } from '../tokens/identity-token.ts';
import { signingKeyOf } from '../tokens/signing-keys.ts';

const DEFAULT_DURATION = 300;
/** Claim that contains the claims of STS. */
const CLAIMS = 'https://sts.amazonaws.com/';

/**
 * Returns a signed token that identifies the caller to services outside of AWS. The account's administrator enables the
 * feature in IAM, which also sets the issuer.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetWebIdentityToken.html
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_providers_outbound_token_claims.html
 */
export async function GetWebIdentityToken(
  input: InputOf<'GetWebIdentityToken'>,
  ctx: StsContext,
): Promise<OutputOf<'GetWebIdentityToken'>> {
  requireSigned(ctx);
  const algorithm = requireAlgorithm(input.SigningAlgorithm);
  const { tags } = sessionTags(input.Tags ?? [], []);
  const issuer = await issuerOf(ctx);
  const issuedAt = Math.floor(ctx.clock.now() / 1000);
  const expiresAt = issuedAt + (input.DurationSeconds ?? DEFAULT_DURATION);
  const credential = credentialsOf(ctx);
  if (credential?.expiresAt !== undefined && expiresAt * 1000 > credential.expiresAt)
    throw stsError(
      'SessionDurationEscalationException',
      'The requested token duration would extend the session beyond its original expiration time.',
    );
  const [first, ...others] = input.Audience;
  const subject = credential?.session?.roleArn ?? ctx.principal.arn;
  const token = signToken(await signingKeyOf(ctx.state, algorithm, ctx.ids), {
    iss: issuer,
    aud: others.length ? input.Audience : first,
    sub: subject,
    iat: issuedAt,
    exp: expiresAt,
    jti: ctx.ids.uuid(),
    [CLAIMS]: {
      aws_account: ctx.accountId,
      source_region: ctx.region,
      principal_id: subject,
      ...sessionClaims(credential),
      ...(Object.keys(tags).length && { request_tags: tags }),
    },
  });
  return { WebIdentityToken: token, Expiration: new Date(expiresAt * 1000) };
}

/**
 * Rejects every token of a delegation request. IAM sends such a token after approval, and emu has no delegation
 * requests.
 * @see https://docs.aws.amazon.com/STS/latest/APIReference/API_GetDelegatedAccessToken.html
 */
export function GetDelegatedAccessToken(
  _input: InputOf<'GetDelegatedAccessToken'>,
  ctx: OperationContext,
): OutputOf<'GetDelegatedAccessToken'> {
  requireSigned(ctx);
  throw invalid('The trade-in token is invalid');
}

function requireAlgorithm(value: string): JwtAlgorithm {
  if (value === 'RS256' || value === 'ES384') return value;
  throw invalid(violationText('signingAlgorithm', 'Member must satisfy enum value set: [RS256, ES384]', value));
}

/** Returns the issuer of the account's tokens. @throws AwsError if the feature is not enabled in IAM */
async function issuerOf(ctx: OperationContext): Promise<string> {
  const disabled = stsError(
    'OutboundWebIdentityFederationDisabledException',
    'The outbound web identity federation feature is not enabled for this account.',
  );
  try {
    const info = await ctx.call('iam', 'GetOutboundWebIdentityFederationInfo', {});
    if (info.JwtVendingEnabled && info.IssuerIdentifier !== undefined) return info.IssuerIdentifier;
  } catch (error) {
    // Without IAM the feature cannot be enabled.
    if (!(error instanceof AwsError && ['FeatureDisabledException', 'NotImplemented'].includes(error.code)))
      throw error;
  }
  throw disabled;
}

function sessionClaims(credential: Credential | undefined): Record<string, unknown> {
  if (!credential?.session) return {};
  const { tags } = credential.session;
  return {
    ...(tags && Object.keys(tags).length && { principal_tags: tags }),
    ...(credential.expiresAt !== undefined && {
      original_session_exp: new Date(credential.expiresAt).toISOString().replace('.000Z', 'Z'),
    }),
  };
}
