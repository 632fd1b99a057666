import type { AwsError } from '@emu/wire';
import { type Capability, defineCapability } from '../base/capability.ts';

/** A token of a user pool with a valid signature. */
export interface UserPoolToken {
  readonly poolId: string;
  readonly region: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether the sign-in is still valid: its user is enabled and it is not revoked. */
  readonly active: boolean;
}

/** Verification of tokens of user pools. */
export interface UserPoolTokens {
  /** Reads a token, expired or not. @returns undefined for a token that no pool of this emulator signed */
  read(token: string): Promise<UserPoolToken | undefined>;
  /** Whether an issuer is a pool of this emulator. */
  isIssuer(issuer: string): boolean;
}

/** Tokens of user pools. */
export const userPoolTokens: Capability<UserPoolTokens> = defineCapability('user pool tokens');

/** The subject of a verified SAML response. */
export interface SamlSubject {
  readonly subject: string;
  /** Recipient of the response. */
  readonly audience: string;
  /** ARNs of its roles. */
  readonly roles: readonly string[];
}

/** STS's verification of identity providers' tokens. */
export interface ProviderTokens {
  /**
   * Checks the signature of an OpenID Connect token with the published keys of its issuer.
   * @param issuer URL with its scheme
   */
  check(token: string, issuer: string): Promise<'valid' | 'invalid' | 'no key'>;
  /**
   * Checks a SAML response against IAM's provider.
   * @param wouldRefuse called for an unknown provider, as `OperationContext.wouldRefuse`
   * @throws AwsError of STS
   */
  saml(response: string, providerArn: string, wouldRefuse: (refusal: AwsError) => void): Promise<SamlSubject>;
}

/** Tokens of OpenID Connect and SAML providers. */
export const providerTokens: Capability<ProviderTokens> = defineCapability('provider tokens');

/** Identity pools' signing keys of OpenID tokens. */
export interface IdentityPoolKeys {
  /** Returns every public key (RFC 7517). */
  keySet(): { readonly keys: readonly Readonly<Record<string, string>>[] };
}

/** Keys of identity pools. */
export const identityPoolKeys: Capability<IdentityPoolKeys> = defineCapability('identity pool keys');
