import type { DeepReadonly } from '@emu/core/service';
import type { CognitoIdentityProvider, RoleMapping } from '@emu/service-types/cognito-identity';

/** Session tags for the users of a provider. */
export interface TagMapping {
  /** Whether the default tags apply: `username` from `sub` and `client` from `aud`. */
  useDefaults: boolean;
  /** Claim names by tag key. */
  tags: Record<string, string>;
}

/** Settings of CreateIdentityPool and UpdateIdentityPool. */
export interface PoolSettings {
  name: string;
  allowUnauthenticated: boolean;
  allowClassicFlow?: boolean;
  /** Application ids by public provider name. */
  supportedLogins?: Record<string, string>;
  developerProvider?: string;
  oidcArns?: string[];
  userPools?: CognitoIdentityProvider[];
  samlArns?: string[];
}

/** An identity pool. */
export interface PoolRecord {
  id: string;
  settings: PoolSettings;
  tags: Record<string, string>;
  /** ARNs by `authenticated` and `unauthenticated`. */
  roles: Record<string, string>;
  roleMappings: Record<string, RoleMapping>;
  tagMappings: Record<string, TagMapping>;
}

/** A user of a provider, linked to an identity. */
export interface Login {
  provider: string;
  subject: string;
}

/** An identity. */
export interface IdentityRecord {
  id: string;
  poolId: string;
  logins: Login[];
  /** Whether it was merged into another one or lost its last login. */
  disabled: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** Key that signs OpenID tokens of a region's identities. */
export interface KeyRecord {
  kid: string;
  /** PKCS #8 in PEM. */
  privateKey: string;
}

export type Pool = DeepReadonly<PoolRecord>;
export type Identity = DeepReadonly<IdentityRecord>;
