import { type DeepReadonly, defineCollection } from '@emu/core/service';
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

/** A key material. A symmetric key has one for each rotation. */
export interface MaterialRecord {
  /** 64 hexadecimal digits. */
  id: string;
  /**
   * Base64 of a symmetric or HMAC key, or of a private key in PKCS #8. Undefined for imported material that was deleted
   * or expired.
   */
  secret?: string;
  /** Base64 of a key pair's SubjectPublicKeyInfo. */
  public?: string;
  /** Rotation that made it current; undefined for a key's first material. */
  rotation?: { at: number; type: RotationType };
  /** Data of an import. */
  imported?: {
    expirationModel: ExpirationModelType;
    /** Epoch milliseconds. */
    validTo?: number;
    description?: string;
    /** Imported for a later rotation on demand. */
    pending?: true;
  };
}

/** Last successful cryptographic operation with a key. */
export interface LastUse {
  operation: KeyLastUsageTrackingOperation;
  /** Epoch milliseconds. */
  at: number;
  eventId: string;
  /** Missing in states of earlier versions. */
  requestId?: string;
}

/** A KMS key, keyed by id. Times are epoch milliseconds. */
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
  /** Oldest first. The last one that is not pending is current. */
  materials: MaterialRecord[];
  /**
   * Set while the key is pending deletion. `at` is undefined while a primary key waits for the deletion of its
   * replicas.
   */
  deletion?: { at?: number; windowDays: number };
  /** Automatic rotation. */
  rotation?: { periodDays: number; nextAt: number };
  /** Number of rotations on demand. */
  onDemandRotations: number;
  /** Regions of a multi-Region key, equal in all of them. */
  multiRegion?: { primary: string; replicas: string[] };
  customKeyStoreId?: string;
  xksKeyId?: string;
  /** Last use, as last persisted. */
  lastUse?: LastUse;
}

/** A stored key. */
export type Key = DeepReadonly<KeyRecord>;
/** A stored material. */
export type Material = DeepReadonly<MaterialRecord>;

/** An alias, keyed by name. Times are epoch milliseconds. */
export interface AliasRecord {
  name: string;
  keyId: string;
  createdAt: number;
  updatedAt: number;
}

/** A grant, keyed by id. */
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

/** Result of GetParametersForImport, keyed by the id in the import token. */
export interface ImportRecord {
  keyId: string;
  algorithm: string;
  /** PKCS #8 of the wrapping key in base64. */
  privateKey: string;
  /** Epoch milliseconds. */
  validTo: number;
}

/** A custom key store, keyed by id. */
export interface CustomKeyStoreRecord {
  id: string;
  name: string;
  type: 'AWS_CLOUDHSM' | 'EXTERNAL_KEY_STORE';
  connected: boolean;
  /** Reason why the last attempt to connect failed. */
  connectionError?: ConnectionErrorCodeType;
  cloudHsmClusterId?: string;
  trustAnchorCertificate?: string;
  xksProxy?: XksProxyConfigurationType;
  /** Secret access key that signs requests to the proxy. */
  xksSecret?: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export const keyCollection = defineCollection<KeyRecord>('keys', 'region');
export const aliasCollection = defineCollection<AliasRecord>('aliases', 'region');
export const grantCollection = defineCollection<GrantRecord>('grants', 'region');
export const importCollection = defineCollection<ImportRecord>('imports', 'region');
export const customKeyStoreCollection = defineCollection<CustomKeyStoreRecord>('custom-key-stores', 'region');

/** Collections of KMS. */
export const collections = [
  keyCollection,
  aliasCollection,
  grantCollection,
  importCollection,
  customKeyStoreCollection,
];
