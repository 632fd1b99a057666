import { type Capability, defineCapability } from '../base/capability.ts';
import type { Principal } from '../identity/principal.ts';
import type { AttachedPolicy } from '../policy/types.ts';

/** A user or role, as policies are evaluated for it. */
export interface Identity {
  /** With its path. */
  readonly arn: string;
  /** `AIDA…` or `AROA…`. */
  readonly uniqueId: string;
  /** Inline and attached policies; of a user those of its groups too. */
  readonly policies: readonly AttachedPolicy[];
  readonly boundary?: AttachedPolicy | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** Who may assume the role, as JSON text; undefined for users. */
  readonly trustPolicy?: string;
  /** Seconds a session of the role may last; undefined for users. */
  readonly maxSessionDuration?: number;
}

/** The user that access keys belong to. */
export type IdentityOwner = Pick<Principal, 'arn' | 'userId'>;

/** An OpenID Connect provider. */
export interface OidcProvider {
  /** The audiences that its tokens may have. */
  readonly clientIds: readonly string[];
}

/** A SAML identity provider, by its metadata. */
export interface SamlIdentityProvider {
  /** Who issues its assertions. */
  readonly entityId: string;
  /** Of the keys that sign its assertions, in PEM. */
  readonly certificates: readonly string[];
}

/**
 * What IAM knows, for whoever evaluates policies. Asked for every request: answers should be at hand, and promises be
 * given only where something has to be loaded first. A policy's document should stay the same string as long as it does
 * not change, because compiled policies are remembered by their text.
 */
export interface IdentityDirectory {
  /**
   * The user or role of an ARN.
   * @param arn `arn:…:iam::<account>:user/<path><name>` or `…:role/<path><name>`; in the ARN of a role's session the path is
   * missing, so that names alone decide
   * @returns undefined where there is none
   */
  identity(arn: string): Identity | undefined | Promise<Identity | undefined>;
  /** A managed policy, of AWS or of an account; undefined where there is none. */
  managedPolicy(arn: string): AttachedPolicy | undefined | Promise<AttachedPolicy | undefined>;
  /**
   * The OpenID Connect provider of an ARN; undefined where there is none. Without this nobody knows of providers, and
   * every one is taken for an existing one.
   */
  oidcProvider?(arn: string): OidcProvider | undefined;
  /** The SAML provider of an ARN, as `oidcProvider`. */
  samlProvider?(arn: string): SamlIdentityProvider | undefined;
  /** The account whose tokens for other systems an issuer signs; undefined where it is none of this emulator. */
  issuerAccount?(issuer: string): string | undefined;
  /**
   * The user whose API key of a service a text is; undefined for any other text, and for keys that are inactive or have
   * expired. Without this nobody knows of API keys.
   * @param service e.g. `logs.amazonaws.com`
   */
  apiKeyOwner?(key: string, service: string): Omit<Principal, 'accessKeyId'> | undefined;
  /**
   * Whether a user's MFA device shows a code now; each code counts once. Without this nobody knows of devices.
   * @param userId `AIDA…`; undefined where the device of any user of the account will do
   */
  verifyMfa?(accountId: string, userId: string | undefined, serialNumber: string, code: string): boolean;
  /** Gives a user AWS's policy `AdministratorAccess`, and creates the user where it is missing. */
  administrator?(accountId: string, userName: string): Promise<IdentityOwner>;
}

/** Users and roles. */
export const identityDirectory: Capability<IdentityDirectory> = defineCapability('identity directory');
