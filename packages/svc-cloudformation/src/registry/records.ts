import { defineCollection } from '@emu/core';
import type {
  Annotation,
  HookFailureMode,
  HookStatus,
  HookTargetAction,
  RegistryType,
} from '@emu/service-types/cloudformation';
import type { HookOperation } from '../hooks/configuration.ts';

/** A public extension that the account has activated, kept by its name here. Times are epoch milliseconds. */
export interface ActivatedTypeRecord {
  /** Its alias, or the name that its publisher gave it. */
  name: string;
  originalName: string;
  /** What it is; none of hooks. */
  kind?: RegistryType;
  publisherId: string;
  version: string;
  autoUpdate: boolean;
  executionRoleArn?: string;
  activatedAt: number;
  /** JSON of its configuration. */
  configuration?: string;
  configurationAlias?: string;
  configurationVersion: number;
  configuredAt?: number;
}

/** The account as a publisher of public extensions, kept by {@link PUBLISHER}. Times are epoch milliseconds. */
export interface PublisherRecord {
  publisherId: string;
  registeredAt: number;
}

/** A version of a module that was made public, kept by its public ARN. Times are epoch milliseconds. */
export interface PublishedModuleRecord {
  name: string;
  publisherId: string;
  /** `<major>.<minor>.<patch>` */
  version: string;
  /** The private version that it was made of. */
  privateVersion: string;
  /** JSON of its template fragment. */
  fragment: string;
  /** JSON of its schema. */
  schema: string;
  description: string;
  publishedAt: number;
}

/** What a hook said of a target, kept by its id. Times are epoch milliseconds. */
export interface HookResultRecord {
  id: string;
  typeName: string;
  typeArn: string;
  originalTypeName: string;
  configurationVersion: number;
  mode: HookFailureMode;
  status: HookStatus;
  reason?: string;
  invokedAt: number;
  /** The stack that it was invoked for; none of Cloud Control's resources. */
  stackId?: string;
  operation: HookOperation;
  /** What functions read of stacks and change sets at a URL. */
  payload?: string;
  targetType: string;
  targetId: string;
  action: HookTargetAction;
  annotations: Annotation[];
}

export const activatedTypeCollection = defineCollection<ActivatedTypeRecord>('activated-types', 'region', {
  content: ['configuration'],
});
export const hookResultCollection = defineCollection<HookResultRecord>('hook-results', 'region', {
  content: ['reason', 'annotations', 'payload'],
});
/** The key of the only publisher that an account is. */
export const PUBLISHER = 'publisher';
export const publisherCollection = defineCollection<PublisherRecord>('publishers', 'account');
export const publishedModuleCollection = defineCollection<PublishedModuleRecord>('published-modules', 'region', {
  content: ['fragment', 'schema', 'description'],
});
