import { AwsError, parseJson } from '@emu/wire';
import { partitionKeysOf } from '../destinations/prefixes.ts';
import { asRole } from '../destinations/s3.ts';
import { prepared, queryOf } from '../processing/processors.ts';
import { extract } from '../processing/queries.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { failedPiece } from './failures.ts';
import { delimited, delimiterOf, type Transformer, transformerOf } from './hints.ts';
import { reportFailure } from './logging.ts';
import type { Batch, NewPiece, Outcome, Piece } from './pieces.ts';

/** Firehose's error codes and messages by Lambda's error: "Monitoring with CloudWatch Logs" of the guide. */
const CODES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  AccessDeniedException: [
    'Lambda.InvokeAccessDenied',
    'Access was denied. Ensure that the access policy allows access to the Lambda function.',
  ],
  ResourceNotFoundException: [
    'Lambda.ResourceNotFound',
    'The specified Lambda function does not exist. Use a different function that does exist.',
  ],
  TooManyRequestsException: [
    'Lambda.InvokeLimitExceeded',
    'The Lambda concurrent execution limit is exceeded. Increase the concurrent execution limit.',
  ],
};
const FAILED = 'processing-failed';

/** Failure of a whole invocation. */
class InvocationFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Whether a retry may succeed. */
    readonly again: boolean,
  ) {
    super(message);
  }
}

/** A record in a function's response. */
interface Answered {
  recordId: string;
  result: string;
  data?: string;
  metadata?: { partitionKeys?: Record<string, unknown> };
}

/** A record during processing. */
interface Processed {
  readonly piece: Piece;
  readonly data: Buffer;
  /** Partition keys from the function. */
  readonly keys: Record<string, unknown>;
}

/** Creates the failure of a record. */
type Fail = (piece: Piece, attempts: number, code: string, message: string) => NewPiece;

/**
 * Processes a batch: prepares records, transforms them with a function, and determines their partitions. Failed records
 * go to the error prefix.
 * @see https://docs.aws.amazon.com/firehose/latest/dev/data-transformation.html
 */
export async function transform(
  state: DeliveryScope,
  stream: DeliveryStream,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Outcome> {
  const { destination } = stream;
  const processing = destination.settings.ProcessingConfiguration;
  // The function may have been removed since the records arrived.
  const transformer = transformerOf(destination);
  const next: NewPiece[] = [];
  const fail: Fail = (piece, attempts, code, message) => {
    const endedAt = state.clock.now();
    const lambdaArn = transformer && code.startsWith('Lambda.') ? { lambdaArn: transformer.arn } : {};
    const failed = failedPiece(piece, FAILED, { attempts, code, message, endedAt, ...lambdaArn });
    next.push(failed);
    return failed;
  };
  let records = pieces.flatMap((piece): Processed[] => {
    try {
      const parts = prepared(processing, Buffer.from(piece.data, 'base64'));
      return parts.map((data) => ({ piece, data, keys: {} }));
    } catch (error) {
      fail(piece, 1, 'DataProcessing.InvalidRecord', (error as Error).message);
      return [];
    }
  });
  if (transformer && records.length > 0) records = await transformed(state, stream, transformer, batch, records, fail);
  const partitions = await partitionsOf(state, stream, records);
  const delimiter = Buffer.from(delimiterOf(destination));
  for (const [index, { piece, data }] of records.entries()) {
    const partition = partitions?.[index];
    if (partitions && partition === undefined)
      fail(piece, 1, 'DynamicPartitioning.MetadataExtractionFailed', 'partitionKeys values must not be null or empty');
    else
      next.push({
        lane: 'deliver',
        arrivedAt: piece.arrivedAt,
        data: delimited(data, delimiter),
        ...(partition !== undefined && { partition }),
      });
  }
  return { next };
}

/** Transforms records with a function; omits dropped and failed ones. */
async function transformed(
  state: DeliveryScope,
  stream: DeliveryStream,
  transformer: Transformer,
  batch: Batch,
  records: readonly Processed[],
  fail: Fail,
): Promise<Processed[]> {
  const { arn: lambdaArn } = transformer;
  const pieces = records.map(({ piece, data }) => ({ ...piece, data: data.toString('base64') }));
  let answers: Map<string, Answered>;
  try {
    answers = await invokeAgain(state, stream, transformer, batch, pieces);
  } catch (error) {
    if (!(error instanceof InvocationFailure)) throw error;
    const { code, message } = error;
    const { settings } = stream.destination;
    await reportFailure(state, stream, settings, { code, message, destination: lambdaArn, processor: lambdaArn });
    const attempts = error.again ? transformer.retries + 1 : 1;
    for (const piece of pieces) fail(piece, attempts, code, message);
    return [];
  }
  return pieces.flatMap((piece, index): Processed[] => {
    const { result, data = '', metadata } = answers.get(recordId(batch, index))!;
    if (result === 'Ok') return [{ piece, data: Buffer.from(data, 'base64'), keys: metadata?.partitionKeys ?? {} }];
    if (result !== 'Dropped') fail(piece, 1, 'Lambda.ProcessingFailedStatus', 'ProcessingFailed status set for record');
    return [];
  });
}

/**
 * Returns the partitions of records as JSON text, undefined for records without keys.
 * @returns undefined without dynamic partitioning
 */
async function partitionsOf(
  state: DeliveryScope,
  { destination, name }: DeliveryStream,
  records: readonly Processed[],
): Promise<(string | undefined)[] | undefined> {
  if (destination.kind !== 's3' || !destination.settings.DynamicPartitioningConfiguration?.Enabled) return undefined;
  const { Prefix, ProcessingConfiguration } = destination.settings;
  const names = [...new Set(partitionKeysOf(Prefix))].sort();
  const query = queryOf(ProcessingConfiguration);
  const found =
    query === undefined || records.length === 0
      ? undefined
      : await extract(
          records.map(({ data }) => data),
          query,
          state.arnOf(name),
        );
  return records.map(({ keys }, index) => {
    const given: Record<string, unknown> = { ...found?.[index], ...keys };
    const values = names.map((name) => [name, given[name] ?? ''] as const);
    if (values.some(([, value]) => value === '')) return undefined;
    return JSON.stringify(Object.fromEntries(values.map(([name, value]) => [name, String(value)])));
  });
}

const recordId = ({ id }: Batch, index: number): string =>
  `${id.replaceAll('-', '')}${String(index).padStart(12, '0')}`;

/**
 * Invokes a function with retries.
 * @throws InvocationFailure
 */
async function invokeAgain(
  state: DeliveryScope,
  stream: DeliveryStream,
  transformer: Transformer,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Map<string, Answered>> {
  for (let attempts = 1; ; attempts++)
    try {
      return await invoke(state, stream, transformer, batch, pieces);
    } catch (error) {
      if (!(error instanceof InvocationFailure) || !error.again || attempts > transformer.retries) throw error;
    }
}

async function invoke(
  state: DeliveryScope,
  stream: DeliveryStream,
  { arn, roleArn }: Transformer,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Map<string, Answered>> {
  const event = {
    invocationId: batch.id,
    ...(stream.source && { sourceKinesisStreamArn: stream.source.streamArn }),
    deliveryStreamArn: state.arnOf(stream.name),
    region: state.region,
    records: pieces.map(({ arrivedAt, data, origin }, index) => ({
      recordId: recordId(batch, index),
      approximateArrivalTimestamp: Math.floor(arrivedAt),
      data,
      ...(origin && {
        kinesisRecordMetadata: {
          ...origin,
          subsequenceNumber: '',
          approximateArrivalTimestamp: Math.floor(arrivedAt),
        },
      }),
    })),
  };
  const role = roleArn ?? stream.destination.settings.RoleARN;
  const input = {
    FunctionName: arn,
    InvocationType: 'RequestResponse' as const,
    Payload: Buffer.from(JSON.stringify(event)),
  };
  let text: string;
  try {
    const options = { ...(role !== undefined && asRole(role, stream)), cause: batch.id };
    const { FunctionError, Payload } = await state.call('lambda', 'Invoke', input, options);
    text = Buffer.from(Payload ?? []).toString();
    if (FunctionError !== undefined)
      throw new InvocationFailure(
        'Lambda.FunctionError',
        'The Lambda function was successfully invoked but it returned an error result.',
        true,
      );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const [code, message] = CODES[error.code] ?? [`Lambda.${error.code}`, error.message];
    throw new InvocationFailure(code, message, true);
  }
  return readAnswer(
    text,
    event.records.map((record) => record.recordId),
  );
}

/**
 * Returns the records in a function's response by id.
 * @throws InvocationFailure for an invalid response
 */
function readAnswer(text: string, ids: readonly string[]): Map<string, Answered> {
  const answers = new Map<string, Answered>();
  for (const record of recordsIn(text)) {
    if (answers.has(record.recordId))
      throw new InvocationFailure(
        'Lambda.DuplicatedRecordId',
        'Multiple records were returned with the same record ID. Ensure that the Lambda function returns unique record IDs for each record.',
        false,
      );
    answers.set(record.recordId, record);
  }
  if (ids.some((id) => !answers.has(id)))
    throw new InvocationFailure(
      'Lambda.MissingRecordId',
      'One or more record IDs were not returned. Ensure that the Lambda function returns all received record IDs.',
      false,
    );
  return answers;
}

function recordsIn(text: string): Answered[] {
  try {
    const { records } = parseJson(text) as { records?: unknown };
    if (Array.isArray(records) && records.every(isRecord)) return records;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  throw new InvocationFailure(
    'Lambda.JsonProcessingException',
    'There was an error parsing returned records from the Lambda function. Ensure that the returned records follow the status model required by Amazon Data Firehose.',
    false,
  );
}

function isRecord(value: unknown): value is Answered {
  const { recordId: id, result, data } = (value ?? {}) as Partial<Record<keyof Answered, unknown>>;
  const known = result === 'Ok' || result === 'Dropped' || result === 'ProcessingFailed';
  return typeof id === 'string' && known && (data === undefined || data === null || typeof data === 'string');
}
