import { identityDirectory, type OperationContext } from '@emu/core/service';
import type { AssumeRoleWithSAMLRequest } from '@emu/service-types/sts';
import type { AwsError } from '@emu/wire';
import { stsError } from '../errors.ts';
import { documentOf, parseSamlProviderArn, readSamlResponse } from './saml.ts';

const rejected = (message: string): AwsError => stsError('InvalidIdentityTokenException', message);

/**
 * Verifies a SAML response by the metadata of IAM's provider. Without IAM the response is trusted.
 * `OperationContext.wouldRefuse` checks that the provider exists.
 * @throws AwsError `InvalidIdentityToken`, `ExpiredTokenException`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_saml.html
 */
export async function verifySaml(
  input: Pick<AssumeRoleWithSAMLRequest, 'SAMLAssertion' | 'PrincipalArn'>,
  ctx: Pick<OperationContext, 'capability' | 'clock' | 'wouldRefuse'>,
): Promise<void> {
  const directory = await ctx.capability(identityDirectory);
  if (!directory?.samlProvider) return;
  const { issuer } = readSamlResponse(input.SAMLAssertion, ctx.clock.now());
  if (!parseSamlProviderArn(input.PrincipalArn)) return;
  const provider = directory.samlProvider(input.PrincipalArn);
  if (!provider) {
    ctx.wouldRefuse(rejected("Specified provider doesn't exist"));
    return;
  }
  if (issuer !== provider.entityId) throw rejected('Issuer not present in specified provider');
  // Loaded on demand, because most processes verify no response.
  const { isSigned } = await import('./signature.ts');
  if (!isSigned(documentOf(input.SAMLAssertion), provider.certificates)) throw rejected('Response signature invalid');
}
