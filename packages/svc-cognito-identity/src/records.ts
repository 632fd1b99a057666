import type { DeepReadonly } from '@emu/core';
import type { CognitoIdentityProvider, RoleMapping } from '@emu/service-types/cognito-identity';

/** Session tags of the users of a provider. */
export interface TagMapping {
  /** Whether the tags are the default ones: `username` of `sub` and `client` of `aud`. */
  useDefaults: boolean;
  /** Names of claims by keys of tags. */
  tags: Record<string, string>;
}

/** What CreateIdentityPool and UpdateIdentityPool set. */
export interface PoolSettings {
  name: string;
  allowUnauthenticated: boolean;
  allowClassicFlow?: boolean;
  /** Ids of applications by names of public providers. */
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

/** A user of a provider that an identity stands for. */
export interface Login {
  provider: string;
  subject: string;
}

/** An identity. */
export interface IdentityRecord {
  id: string;
  poolId: string;
  logins: Login[];
  /** Whether it was merged into another one, or its last login was taken from it. */
  disabled: boolean;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** The key that signs OpenID tokens of a region's identities. */
export interface KeyRecord {
  kid: string;
  /** PKCS #8 in PEM. */
  privateKey: string;
}

export type Pool = DeepReadonly<PoolRecord>;
export type Identity = DeepReadonly<IdentityRecord>;
