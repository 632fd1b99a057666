import { type OperationInput, type OperationName, type OperationOutput, parseArn } from '@emu/core/service';

/** The services that have queues and streams. */
export type SourceService = 'sqs' | 'dynamodbstreams' | 'kinesis';

/** Calls an operation of a source's service as the role that reads it. */
export type CallSource = <Service extends SourceService, Operation extends OperationName<Service>>(
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
  signal?: AbortSignal,
) => Promise<OperationOutput<Service, Operation>>;

/** URL of the queue of an ARN. */
export function queueUrl(arn: string): string {
  const { region, accountId, resource } = parseArn(arn)!;
  return `https://sqs.${region}.amazonaws.com/${accountId}/${resource}`;
}

/** What reads a source. */
export interface SourceReader {
  /** Resolves when it is known where reading begins: what comes into the source from then on is read. */
  readonly started: Promise<void>;
  /** Reads nothing any more; what was read runs to its end. */
  close(): void;
  /** Resolves when nothing is under way any more; only after `close`. */
  idle(): Promise<void>;
}

/** Milliseconds before what failed is tried again, at most. */
const MOST = 60_000;

/**
 * How long to wait before something is tried again, which doubles each time up to a minute.
 * @param first milliseconds of the first time
 * @param failures how often it has been waited already
 */
export const retryDelay = (first: number, failures: number): number => Math.min(MOST, first * 2 ** failures);
