import type { DeepReadonly } from '@emu/core';
import { defaultPolicy } from '../policy.ts';
import type { TopicRecord } from '../records.ts';
import { archiveDays } from './attributes.ts';

/** A topic as its operations need it; made once for each state of its record. */
export interface Topic {
  readonly record: DeepReadonly<TopicRecord>;
  readonly name: string;
  readonly arn: string;
  readonly accountId: string;
  readonly region: string;
  readonly fifo: boolean;
  readonly contentBasedDeduplication: boolean;
  /** Whether equal deduplication ids meet only within a message group. */
  readonly deduplicatesByGroup: boolean;
  readonly signatureVersion: string;
  /** Days that messages are archived; undefined where they are not. */
  readonly archiveDays: number | undefined;
}

/** Reads a topic. */
export function toTopic(record: DeepReadonly<TopicRecord>, arn: string, accountId: string, region: string): Topic {
  const { attributes, name } = record;
  return {
    record,
    name,
    arn,
    accountId,
    region,
    fifo: name.endsWith('.fifo'),
    contentBasedDeduplication: attributes.ContentBasedDeduplication === 'true',
    deduplicatesByGroup: attributes.FifoThroughputScope === 'MessageGroup',
    signatureVersion: attributes.SignatureVersion ?? '1',
    archiveDays: archiveDays(attributes.ArchivePolicy),
  };
}

/** The policy that holds for a topic. */
export const policyOf = ({ record, arn, accountId }: Topic): string =>
  record.attributes.Policy ?? defaultPolicy(arn, accountId);
