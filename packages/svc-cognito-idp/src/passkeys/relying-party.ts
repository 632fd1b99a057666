import { dnsSuffixOf } from '@emu/core/service';
import { passkeyOriginNotAllowed, passkeysNotConfigured, passkeysNotEnabled } from '../errors.ts';
import type { Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Whether a pool allows sign-ins with passkeys. */
export const hasPasskeys = ({ settings }: Pool): boolean =>
  settings.Policies?.SignInPolicy?.AllowedFirstAuthFactors?.includes('WEB_AUTHN') === true;

/**
 * Returns the relying party id of a pool: as configured, otherwise its custom domain, otherwise its prefix domain.
 * @throws AwsError `WebAuthnNotEnabledException`, `WebAuthnConfigurationMissingException`
 * @see https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_WebAuthnConfigurationType.html
 */
export function relyingPartyOf(pool: Pool, state: CognitoState): string {
  if (!hasPasskeys(pool)) throw passkeysNotEnabled();
  const { RelyingPartyId: configured } = pool.webAuthn ?? {};
  if (configured !== undefined) return configured;
  const domains = [...state.domains.values()].filter(({ poolId }) => poolId === pool.id);
  const custom = domains.find(({ certificateArn }) => certificateArn !== undefined);
  const domain = custom ?? domains[0];
  if (!domain) throw passkeysNotConfigured();
  const suffix = dnsSuffixOf(state.region).replace('amazonaws', 'amazoncognito');
  return custom ? domain.domain : `${domain.domain}.auth.${state.region}.${suffix}`;
}

/**
 * Checks the origin of a passkey: the relying party's domain or a subdomain, with HTTPS or on localhost.
 * @throws AwsError `WebAuthnOriginNotAllowedException`
 */
export function checkOrigin(origin: string, relyingPartyId: string): void {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isOwn = url?.hostname === relyingPartyId || url?.hostname.endsWith(`.${relyingPartyId}`) === true;
  const isSecure = url?.protocol === 'https:' || url?.hostname === 'localhost' || url?.hostname.endsWith('.localhost');
  if (!isOwn || !isSecure) throw passkeyOriginNotAllowed();
}

/** Whether a pool requires user verification for passkeys. */
export const verifiesUsers = ({ webAuthn }: Pool): boolean =>
  webAuthn?.UserVerification === 'required' || isMultiFactor(webAuthn);

/** Whether a passkey satisfies a required second factor. */
export const isMultiFactor = (webAuthn: Pool['webAuthn']): boolean =>
  webAuthn?.FactorConfiguration === 'MULTI_FACTOR_WITH_USER_VERIFICATION';
