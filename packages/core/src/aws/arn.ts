import { partitionOf } from './partitions.ts';

/** The parts of an Amazon Resource Name. */
export interface Arn {
  partition: string;
  service: string;
  /** Empty for global resources. */
  region: string;
  /** Empty where the service leaves it out, as S3 does. */
  accountId: string;
  /** Everything after the fifth colon. */
  resource: string;
}

/** Writes an ARN in the partition of its region; `homeRegion` decides for resources that have none. */
export function formatArn(parts: Omit<Arn, 'partition'>, homeRegion = parts.region): string {
  return `arn:${partitionOf(parts.region || homeRegion)}:${parts.service}:${parts.region}:${parts.accountId}:${parts.resource}`;
}

/** Splits an ARN; undefined where the string is none. */
export function parseArn(value: string): Arn | undefined {
  const match = /^arn:([^:]+):([^:]+):([^:]*):([^:]*):(.+)$/s.exec(value);
  if (!match) return undefined;
  const [, partition, service, region, accountId, resource] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return { partition, service, region, accountId, resource };
}
