import { defineCollection, outboxCollection, tokenCollection } from '@emu/core/service';
import type { ParameterTier, ParameterType } from '@emu/service-types/ssm';
import { accessRequestCollection } from './access/records.ts';
import { associationCollections } from './associations/records.ts';
import { automationCollection, previewCollection } from './automation/records.ts';
import { commandCollection } from './commands/records.ts';
import { complianceCollections } from './compliance/store.ts';
import { documentCollection } from './documents/records.ts';
import { inventoryCollections } from './inventory/store.ts';
import { activationCollection, instanceCollection } from './nodes/records.ts';
import { opsCollections } from './ops/records.ts';
import { patchCollections } from './patches/records.ts';
import { sessionCollection } from './sessions/records.ts';
import { syncCollections } from './sync/store.ts';
import { windowCollections } from './windows/records.ts';

/** First requests of client tokens; results are the ids of created resources. */
export const clientTokenCollection = tokenCollection<string>('clientTokens', 'region', 'made');

/** A value encrypted with KMS. */
export interface SealedText {
  /** Base64 of KMS's ciphertext: of the value or, for an advanced parameter, of its data key. */
  blob: string;
  /**
   * Base64 of the value encrypted with the data key: 12 bytes of initialization vector, the ciphertext, 16 bytes of
   * tag.
   */
  envelope?: string;
}

/** A policy of a parameter. */
export interface ParameterPolicy {
  type: 'Expiration' | 'ExpirationNotification' | 'NoChangeNotification';
  /** JSON text of the policy. */
  text: string;
  /** Due time in epoch milliseconds. */
  dueAt: number;
  done: boolean;
}

/** A version of a parameter with all attributes. */
export interface VersionRecord {
  version: number;
  type: ParameterType;
  dataType: string;
  tier: Exclude<ParameterTier, 'Intelligent-Tiering'>;
  value?: string;
  sealed?: SealedText;
  /** Key of a SecureString as given in the request. */
  keyId?: string;
  description?: string;
  allowedPattern?: string;
  policies: ParameterPolicy[];
  labels: string[];
  /** Epoch milliseconds. */
  modifiedAt: number;
  /** ARN of the author. */
  modifiedBy: string;
}

/** A parameter. */
export interface ParameterRecord {
  name: string;
  /** Name as written, if it is a single level with a slash before it; `name` lacks the slash. */
  written?: string;
  /** Oldest first; the last is current. */
  versions: VersionRecord[];
  tags: Record<string, string>;
}

/** A service setting changed by an account. */
export interface SettingRecord {
  value: string;
  /** Epoch milliseconds. */
  modifiedAt: number;
  modifiedBy: string;
}

export const parameterCollection = defineCollection<ParameterRecord>('parameters', 'region', {
  content: ['value', 'sealed', 'description'],
});
export const settingCollection = defineCollection<SettingRecord>('settings', 'region');

export const collections = [
  parameterCollection,
  settingCollection,
  documentCollection,
  clientTokenCollection,
  ...patchCollections,
  ...inventoryCollections,
  ...complianceCollections,
  ...opsCollections,
  ...syncCollections,
  ...windowCollections,
  ...associationCollections,
  automationCollection,
  previewCollection,
  activationCollection,
  instanceCollection,
  commandCollection,
  sessionCollection,
  accessRequestCollection,
  outboxCollection,
] as const;
