import type { ProviderTokens, ServiceHandle } from '@emu/core/service';
import { readSamlResponse } from './saml/saml.ts';
import { verifySaml } from './saml/verify.ts';
import type { StsState } from './state.ts';
import { signatureOf } from './web-identity/verify.ts';

/** Verifies tokens of identity providers for other services, with the same keys and rules as the operations of STS. */
export function openProviderTokens(handle: ServiceHandle<StsState>): ProviderTokens {
  return {
    check: (token, issuer) => signatureOf(token, issuer, handle),
    async saml(response, providerArn, wouldRefuse) {
      await verifySaml(
        { SAMLAssertion: response, PrincipalArn: providerArn },
        { capability: (wanted) => handle.capability(wanted), clock: handle.clock, wouldRefuse },
      );
      const { subject, recipient, roles } = readSamlResponse(response, handle.clock.now());
      const offered = roles.filter((pair) => pair.includes(providerArn)).flat();
      return { subject, audience: recipient, roles: offered.filter((arn) => arn !== providerArn) };
    },
  };
}
