import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { StoredEvent } from '../store/event.ts';

/** Source of events in a subscriber's document. */
export interface PayloadSource {
  readonly owner: string;
  readonly logGroup: string;
  readonly logStream: string;
  /** Name of the filter. */
  readonly filter: string;
  /** Whether it is an account filter. */
  readonly ofAccount: boolean;
  /** Whether subscribers receive transformed messages. */
  readonly transformed: boolean;
  /** System fields added to each event. */
  readonly systemFields: Readonly<Record<string, string>> | undefined;
}

/**
 * Builds the compressed document for subscribers.
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

/**
 * Builds the control message for a new stream destination.
 * @param stream e.g. `Kinesis stream`
 */
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

/** Returns the partition key of a stream's records, which keeps them in order. */
export const streamKey = (stream: string): string => createHash('md5').update(stream).digest('hex');
