import { defineCollection, type HookProgress, type Principal } from '@emu/core/service';
import type { OperationStatus, ProgressEvent } from '@emu/service-types/cloudcontrol';

/** A request to create, update or delete a resource. */
export interface RequestRecord {
  token: string;
  clientToken?: string;
  typeName: string;
  operation: NonNullable<ProgressEvent['Operation']>;
  status: OperationStatus;
  /** Known before creation if the properties contain it. */
  identifier?: string;
  /** Desired properties; undefined for a deletion. */
  desired?: Record<string, unknown>;
  /** Seed of generated resource names. */
  random: string;
  /** Principal for the calls. */
  principal: Omit<Principal, 'accessKeyId'>;
  endpoint: string;
  errorCode?: string;
  message?: string;
  /** Invocations of hooks and their results; undefined for a request without hooks. */
  hooks?: HookProgress[];
  /** Epoch milliseconds. */
  startedAt: number;
}

export const requestCollection = defineCollection<RequestRecord>('requests', 'region', {
  content: ['desired', 'hooks'],
});

/** Properties of a resource that cannot be found by its identifier alone, keyed by type and identifier. */
export interface AppliedRecord {
  properties: Record<string, unknown>;
}

export const appliedCollection = defineCollection<AppliedRecord>('applied', 'region', { content: 'all' });

export const collections = [requestCollection, appliedCollection] as const;
