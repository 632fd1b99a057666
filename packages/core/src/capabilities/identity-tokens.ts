import type { AwsError } from '@emu/wire';
import { type Capability, defineCapability } from '../base/capability.ts';

/** A token of a user pool whose signature is the pool's. */
export interface UserPoolToken {
  readonly poolId: string;
  readonly region: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Whether the sign-in still stands: its user is enabled and nothing has revoked it. */
  readonly active: boolean;
}

/** What user pools say of their tokens. */
export interface UserPoolTokens {
  /** Reads a token, expired or not. @returns undefined for what no pool of this emulator signed */
  read(token: string): Promise<UserPoolToken | undefined>;
}

/** Tokens of user pools. */
export const userPoolTokens: Capability<UserPoolTokens> = defineCapability('user pool tokens');

/** What a verified SAML response says of its subject. */
export interface SamlSubject {
  readonly subject: string;
  /** Who the response was meant for. */
  readonly audience: string;
  /** ARNs of the roles that it offers. */
  readonly roles: readonly string[];
}

/** Checks of the tokens of identity providers, as STS makes them. */
export interface ProviderTokens {
  /**
   * Checks the signature of an OpenID Connect token by the keys that its issuer publishes.
   * @param issuer with its scheme
   */
  check(token: string, issuer: string): Promise<'valid' | 'invalid' | 'no key'>;
  /**
   * Checks a SAML response against IAM's provider.
   * @param wouldRefuse told where there is no such provider, as `OperationContext.wouldRefuse`
   * @throws AwsError of STS
   */
  saml(response: string, providerArn: string, wouldRefuse: (refusal: AwsError) => void): Promise<SamlSubject>;
}

/** Tokens of OpenID Connect and SAML providers. */
export const providerTokens: Capability<ProviderTokens> = defineCapability('provider tokens');

/** The keys that identity pools sign their OpenID tokens with. */
export interface IdentityPoolKeys {
  /** Every public key (RFC 7517). */
  keySet(): { readonly keys: readonly Readonly<Record<string, string>>[] };
}

/** Keys of identity pools. */
export const identityPoolKeys: Capability<IdentityPoolKeys> = defineCapability('identity pool keys');
