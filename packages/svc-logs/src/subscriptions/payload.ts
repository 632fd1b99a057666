import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { StoredEvent } from '../store/event.ts';

/** What a subscriber is told of where events come from. */
export interface PayloadSource {
  readonly owner: string;
  readonly logGroup: string;
  readonly logStream: string;
  /** Name of the filter. */
  readonly filter: string;
  /** Whether it is the account's. */
  readonly ofAccount: boolean;
  /** Whether subscribers get what a transformer has made of the messages. */
  readonly transformed: boolean;
  /** What is told with each event of where it comes from, by the names of system fields. */
  readonly systemFields: Readonly<Record<string, string>> | undefined;
}

/**
 * The document that subscribers get, compressed.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html
 */
export function dataMessage(source: PayloadSource, events: readonly StoredEvent[]): Buffer {
  return compressed({
    messageType: 'DATA_MESSAGE',
    owner: source.owner,
    logGroup: source.logGroup,
    logStream: source.logStream,
    subscriptionFilters: [source.filter],
    ...(source.ofAccount && { policyLevel: 'ACCOUNT_LEVEL_POLICY' }),
    logEvents: events.map(({ eventId: id, timestamp, message, transformed }) => ({
      id,
      timestamp,
      message: (source.transformed ? transformed : undefined) ?? message,
      ...(source.systemFields && { extractedFields: source.systemFields }),
    })),
  });
}

/** The document by which a stream is tried out when it becomes a destination. @param stream e.g. `Kinesis stream` */
export function controlMessage(stream: string, timestamp: number): Buffer {
  const message = `CWL CONTROL MESSAGE: Checking health of destination ${stream}.`;
  return compressed({
    messageType: 'CONTROL_MESSAGE',
    owner: 'CloudwatchLogs',
    logGroup: '',
    logStream: '',
    subscriptionFilters: [],
    logEvents: [{ id: '', timestamp, message }],
  });
}

const compressed = (document: object): Buffer => gzipSync(JSON.stringify(document));

/** The partition key of a stream's records: they stay in order. */
export const streamKey = (stream: string): string => createHash('md5').update(stream).digest('hex');
