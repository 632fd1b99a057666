import type { DeepReadonly } from '@emu/core/service';
import { defaultPolicy } from '../policy.ts';
import type { TopicRecord } from '../records.ts';
import { archiveDays } from './attributes.ts';

/** A parsed topic for its operations, cached by record. */
export interface Topic {
  readonly record: DeepReadonly<TopicRecord>;
  readonly name: string;
  readonly arn: string;
  readonly accountId: string;
  readonly region: string;
  readonly fifo: boolean;
  readonly contentBasedDeduplication: boolean;
  /** Whether deduplication ids apply to one message group only. */
  readonly deduplicatesByGroup: boolean;
  readonly signatureVersion: string;
  /** Retention of archived messages in days; undefined without an archive. */
  readonly archiveDays: number | undefined;
}

/** Parses a topic record. */
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

/** Returns the effective policy of a topic. */
export const policyOf = ({ record, arn, accountId }: Topic): string =>
  record.attributes.Policy ?? defaultPolicy(arn, accountId);
