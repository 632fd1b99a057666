import { defineCollection } from '@emu/core/service';
import type {
  Annotation,
  HookFailureMode,
  HookStatus,
  HookTargetAction,
  RegistryType,
} from '@emu/service-types/cloudformation';
import type { HookOperation } from './hook-configuration.ts';

/** A public extension activated in the account, keyed by its local name. Times are epoch milliseconds. */
export interface ActivatedTypeRecord {
  /** Its alias, or the publisher's name for it. */
  name: string;
  originalName: string;
  /** Version; absent for hooks. */
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

/** The account as a publisher of public extensions, keyed by {@link PUBLISHER}. Times are epoch milliseconds. */
export interface PublisherRecord {
  publisherId: string;
  registeredAt: number;
}

/** A published module version, keyed by its public ARN. Times are epoch milliseconds. */
export interface PublishedModuleRecord {
  name: string;
  publisherId: string;
  /** `<major>.<minor>.<patch>` */
  version: string;
  /** The private version it was published from. */
  privateVersion: string;
  /** JSON of the template fragment. */
  fragment: string;
  /** JSON of the schema. */
  schema: string;
  description: string;
  publishedAt: number;
}

/** A hook result, keyed by id. Times are epoch milliseconds. */
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
  /** The stack of the invocation; absent for resources of Cloud Control. */
  stackId?: string;
  operation: HookOperation;
  /** Payload of stacks and change sets that functions read from a URL. */
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
/** Key of the account's only publisher record. */
export const PUBLISHER = 'publisher';
export const publisherCollection = defineCollection<PublisherRecord>('publishers', 'account');
export const publishedModuleCollection = defineCollection<PublishedModuleRecord>('published-modules', 'region', {
  content: ['fragment', 'schema', 'description'],
});
