import { type DeepReadonly, defineCollection } from '@emu/core';
import type {
  ConnectionErrorCodeType,
  ExpirationModelType,
  GrantOperation,
  KeyLastUsageTrackingOperation,
  KeyManagerType,
  KeySpec,
  KeyUsageType,
  OriginType,
  RotationType,
  Tag,
  XksProxyConfigurationType,
} from '@emu/service-types/kms';

/** One key material of a key; a symmetric key has one for each rotation. */
export interface MaterialRecord {
  /** 64 hexadecimal digits. */
  id: string;
  /** Base64: the bytes of a symmetric or HMAC key, PKCS #8 of a private key. Undefined for imported material that was deleted or expired. */
  secret?: string;
  /** Base64 of the SubjectPublicKeyInfo of a key pair. */
  public?: string;
  /** How it came to be current; undefined for a key's first material. */
  rotation?: { at: number; type: RotationType };
  /** Facts of an import. */
  imported?: {
    expirationModel: ExpirationModelType;
    /** Epoch milliseconds. */
    validTo?: number;
    description?: string;
    /** Imported for a later rotation on demand. */
    pending?: true;
  };
}

/** The last successful cryptographic operation with a key. */
export interface LastUse {
  operation: KeyLastUsageTrackingOperation;
  /** Epoch milliseconds. */
  at: number;
  eventId: string;
}

/** A KMS key, kept by its id. Times are epoch milliseconds. */
export interface KeyRecord {
  id: string;
  description: string;
  usage: KeyUsageType;
  spec: KeySpec;
  origin: OriginType;
  manager: KeyManagerType;
  createdAt: number;
  enabled: boolean;
  policy: string;
  tags: Tag[];
  /** Oldest first; the last that is not pending is the current one. */
  materials: MaterialRecord[];
  /** Set while the key waits for its deletion; `at` is undefined while a primary key waits for its replicas to go. */
  deletion?: { at?: number; windowDays: number };
  /** Automatic rotation. */
  rotation?: { periodDays: number; nextAt: number };
  /** Rotations on demand so far. */
  onDemandRotations: number;
  /** Regions of a multi-Region key, the same in all of them. */
  multiRegion?: { primary: string; replicas: string[] };
  customKeyStoreId?: string;
  xksKeyId?: string;
  /** The last use, as it was written last. */
  lastUse?: LastUse;
}

/** A key as collections return it. */
export type Key = DeepReadonly<KeyRecord>;
/** A material as collections return it. */
export type Material = DeepReadonly<MaterialRecord>;

/** An alias, kept by its name. Times are epoch milliseconds. */
export interface AliasRecord {
  name: string;
  keyId: string;
  createdAt: number;
  updatedAt: number;
}

/** A grant, kept by its id. */
export interface GrantRecord {
  id: string;
  keyId: string;
  name?: string;
  granteePrincipal: string;
  retiringPrincipal?: string;
  issuingAccount: string;
  operations: GrantOperation[];
  encryptionContextSubset?: Record<string, string>;
  encryptionContextEquals?: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** What GetParametersForImport handed out, kept by the id in the import token. */
export interface ImportRecord {
  keyId: string;
  algorithm: string;
  /** Base64 of the wrapping key's PKCS #8. */
  privateKey: string;
  /** Epoch milliseconds. */
  validTo: number;
}

/** A custom key store, kept by its id. */
export interface CustomKeyStoreRecord {
  id: string;
  name: string;
  type: 'AWS_CLOUDHSM' | 'EXTERNAL_KEY_STORE';
  connected: boolean;
  /** Why the last attempt to connect it failed. */
  connectionError?: ConnectionErrorCodeType;
  cloudHsmClusterId?: string;
  trustAnchorCertificate?: string;
  xksProxy?: XksProxyConfigurationType;
  /** The secret access key that requests to the proxy are signed with. */
  xksSecret?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export const keyCollection = defineCollection<KeyRecord>('keys', 'region');
export const aliasCollection = defineCollection<AliasRecord>('aliases', 'region');
export const grantCollection = defineCollection<GrantRecord>('grants', 'region');
export const importCollection = defineCollection<ImportRecord>('imports', 'region');
export const customKeyStoreCollection = defineCollection<CustomKeyStoreRecord>('custom-key-stores', 'region');

/** Everything KMS keeps. */
export const collections = [
  keyCollection,
  aliasCollection,
  grantCollection,
  importCollection,
  customKeyStoreCollection,
];
