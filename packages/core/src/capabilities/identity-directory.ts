import { type Capability, defineCapability } from '../base/capability.ts';
import type { Principal } from '../identity/principal.ts';
import type { AttachedPolicy } from '../policy/types.ts';

/** A user or role, for evaluating its policies. */
export interface Identity {
  /** ARN with the path. */
  readonly arn: string;
  /** `AIDA…` or `AROA…`. */
  readonly uniqueId: string;
  /** Inline and attached policies; for a user including those of its groups. */
  readonly policies: readonly AttachedPolicy[];
  readonly boundary?: AttachedPolicy | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** The role's trust policy, as JSON text; undefined for users. */
  readonly trustPolicy?: string;
  /** Maximum session duration of the role in seconds; undefined for users. */
  readonly maxSessionDuration?: number;
}

/** The owner of access keys. */
export type IdentityOwner = Pick<Principal, 'arn' | 'userId'>;

/** An OpenID Connect provider. */
export interface OidcProvider {
  /** The allowed audiences of its tokens. */
  readonly clientIds: readonly string[];
}

/** A SAML identity provider, from its metadata. */
export interface SamlIdentityProvider {
  /** Issuer of its assertions. */
  readonly entityId: string;
  /** Certificates of the signing keys of its assertions, in PEM. */
  readonly certificates: readonly string[];
}

/**
 * IAM's data for evaluating policies. Called for every request: results should be immediate, and promises only for data
 * that must be loaded first. An unchanged policy document should be the same string each time, because compiled
 * policies are cached by their text.
 */
export interface IdentityDirectory {
  /**
   * Returns the user or role of an ARN.
   * @param arn `arn:…:iam::<account>:user/<path><name>` or `…:role/<path><name>`; the ARN of a role's session lacks the
   * path, so that only the name is compared
   * @returns undefined for an unknown one
   */
  identity(arn: string): Identity | undefined | Promise<Identity | undefined>;
  /** Returns a managed policy, of AWS or of an account; undefined for an unknown one. */
  managedPolicy(arn: string): AttachedPolicy | undefined | Promise<AttachedPolicy | undefined>;
  /**
   * Returns the OpenID Connect provider of an ARN; undefined for an unknown one. Without this function every provider
   * is assumed to exist.
   */
  oidcProvider?(arn: string): OidcProvider | undefined;
  /** Returns the SAML provider of an ARN, like `oidcProvider`. */
  samlProvider?(arn: string): SamlIdentityProvider | undefined;
  /**
   * Returns the account whose tokens for other systems an issuer signs; undefined for an issuer outside of this
   * emulator.
   */
  issuerAccount?(issuer: string): string | undefined;
  /**
   * Returns the user of a service-specific API key; undefined for any other text, and for inactive or expired keys.
   * Without this function no API key is known.
   * @param service e.g. `logs.amazonaws.com`
   */
  apiKeyOwner?(key: string, service: string): Omit<Principal, 'accessKeyId'> | undefined;
  /**
   * Whether a user's MFA device shows a code now; each code is valid once. Without this function no device is known.
   * @param userId `AIDA…`; undefined to accept the device of any user of the account
   */
  verifyMfa?(accountId: string, userId: string | undefined, serialNumber: string, code: string): boolean;
  /** Attaches AWS's policy `AdministratorAccess` to a user, which is created if missing. */
  administrator?(accountId: string, userName: string): Promise<IdentityOwner>;
}

/** Users and roles. */
export const identityDirectory: Capability<IdentityDirectory> = defineCapability('identity directory');
