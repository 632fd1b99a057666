import { partitionOf } from './partitions.ts';

/** The parts of an Amazon Resource Name. */
export interface Arn {
  partition: string;
  service: string;
  /** Empty for global resources. */
  region: string;
  /** Empty if the service omits it, as S3 does. */
  accountId: string;
  /** Everything after the fifth colon. */
  resource: string;
}

/** Formats an ARN in the partition of its region, or of `homeRegion` for resources without a region. */
export function formatArn(parts: Omit<Arn, 'partition'>, homeRegion = parts.region): string {
  return `arn:${partitionOf(parts.region || homeRegion)}:${parts.service}:${parts.region}:${parts.accountId}:${parts.resource}`;
}

/** Parses an ARN; undefined for another string. */
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
