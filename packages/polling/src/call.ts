import { type OperationInput, type OperationName, type OperationOutput, parseArn } from '@emu/core/service';

/** Services of queues and streams. */
export type SourceService = 'sqs' | 'dynamodbstreams' | 'kinesis';

/** Calls an operation of a source's service as the role that reads it. */
export type CallSource = <Service extends SourceService, Operation extends OperationName<Service>>(
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
  signal?: AbortSignal,
) => Promise<OperationOutput<Service, Operation>>;

/** Returns the URL of the queue with an ARN. */
export function queueUrl(arn: string): string {
  const { region, accountId, resource } = parseArn(arn)!;
  return `https://sqs.${region}.amazonaws.com/${accountId}/${resource}`;
}

/** Reader of a source. */
export interface SourceReader {
  /** Resolves when the start position is determined: records that arrive later are read. */
  readonly started: Promise<void>;
  /** Stops reading. Batches in progress are completed. */
  close(): void;
  /** Resolves when nothing is in progress any more; only after `close`. */
  idle(): Promise<void>;
}

/** Longest delay before a retry in milliseconds. */
const MAX_DELAY = 60_000;

/**
 * Returns the delay before a retry, which doubles each time up to a minute.
 * @param first first delay in milliseconds
 * @param failures number of earlier delays
 */
export const retryDelay = (first: number, failures: number): number => Math.min(MAX_DELAY, first * 2 ** failures);
