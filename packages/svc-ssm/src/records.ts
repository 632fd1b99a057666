import { defineCollection, outboxCollection, tokenCollection } from '@emu/core';
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

/** First requests of client tokens; their results are the ids of what was made. */
export const clientTokenCollection = tokenCollection<string>('clientTokens', 'region', 'made');

/** A value that KMS's key protects. */
export interface SealedText {
  /** The value or, of an advanced parameter, its data key, encrypted by KMS, in base64. */
  blob: string;
  /** The value encrypted by the data key, in base64: 12 bytes of initialization vector, the text, 16 bytes of tag. */
  envelope?: string;
}

/** A policy of a parameter. */
export interface ParameterPolicy {
  type: 'Expiration' | 'ExpirationNotification' | 'NoChangeNotification';
  /** JSON text of the policy. */
  text: string;
  /** When it is due, epoch milliseconds. */
  dueAt: number;
  done: boolean;
}

/** A version of a parameter, with all that is said of it. */
export interface VersionRecord {
  version: number;
  type: ParameterType;
  dataType: string;
  tier: Exclude<ParameterTier, 'Intelligent-Tiering'>;
  value?: string;
  sealed?: SealedText;
  /** Key of a SecureString as the request names it. */
  keyId?: string;
  description?: string;
  allowedPattern?: string;
  policies: ParameterPolicy[];
  labels: string[];
  /** Epoch milliseconds. */
  modifiedAt: number;
  /** ARN of who made it. */
  modifiedBy: string;
}

/** A parameter. */
export interface ParameterRecord {
  name: string;
  /** Oldest first; the last one is the current one. */
  versions: VersionRecord[];
  tags: Record<string, string>;
}

/** A setting of the service that an account has changed. */
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
