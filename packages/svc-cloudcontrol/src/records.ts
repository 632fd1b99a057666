import { defineCollection, type HookProgress, type Principal } from '@emu/core';
import type { OperationStatus, ProgressEvent } from '@emu/service-types/cloudcontrol';

/** A request to make, change or delete a resource. */
export interface RequestRecord {
  token: string;
  clientToken?: string;
  typeName: string;
  operation: NonNullable<ProgressEvent['Operation']>;
  status: OperationStatus;
  /** Known before the resource is where its properties say it. */
  identifier?: string;
  /** Properties that the resource is to have; none of one that is deleted. */
  desired?: Record<string, unknown>;
  /** What names of the resource are made of. */
  random: string;
  /** As whom it is made. */
  principal: Omit<Principal, 'accessKeyId'>;
  endpoint: string;
  errorCode?: string;
  message?: string;
  /** What hooks were asked and said; none of a request that concerns no hook. */
  hooks?: HookProgress[];
  /** Epoch milliseconds. */
  startedAt: number;
}

export const requestCollection = defineCollection<RequestRecord>('requests', 'region', {
  content: ['desired', 'hooks'],
});

/** Properties of a resource that cannot be found by its identifier alone, kept by its type and identifier. */
export interface AppliedRecord {
  properties: Record<string, unknown>;
}

export const appliedCollection = defineCollection<AppliedRecord>('applied', 'region', { content: 'all' });

export const collections = [requestCollection, appliedCollection] as const;
