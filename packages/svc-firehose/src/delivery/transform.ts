import { AwsError } from '@emu/wire';
import { asRole } from '../destinations/s3.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { partitionKeysOf } from '../streams/prefixes.ts';
import { failedPiece } from './failures.ts';
import { delimited, delimiterOf, type Transformer, transformerOf } from './hints.ts';
import { reportFailure } from './logging.ts';
import type { Batch, NewPiece, Outcome, Piece } from './pieces.ts';

/** Error codes and sentences of Firehose, by what Lambda answers: "Monitoring with CloudWatch Logs" of the guide. */
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

/** A failure of a whole invocation. */
class InvocationFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Whether another attempt may go better. */
    readonly again: boolean,
  ) {
    super(message);
  }
}

/** A record as a function answers it. */
interface Answered {
  recordId: string;
  result: string;
  data?: string;
  metadata?: { partitionKeys?: Record<string, unknown> };
}

/**
 * Has a function transform a batch. What cannot be transformed goes under the error prefix.
 * @see https://docs.aws.amazon.com/firehose/latest/dev/data-transformation.html
 */
export async function transform(
  state: DeliveryScope,
  stream: DeliveryStream,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Outcome> {
  const transformer = transformerOf(stream.destination);
  const delimiter = Buffer.from(delimiterOf(stream.destination));
  const deliver = ({ arrivedAt }: Piece, data: string): NewPiece => ({
    lane: 'deliver',
    arrivedAt,
    data: delimited(Buffer.from(data, 'base64'), delimiter),
  });
  // The function may have been taken away since the records came.
  if (!transformer) return { next: pieces.map((piece) => deliver(piece, piece.data)) };
  const { arn: lambdaArn } = transformer;
  const fail = (piece: Piece, attempts: number, code: string, message: string): NewPiece =>
    failedPiece(piece, FAILED, { attempts, code, message, endedAt: state.clock.now(), lambdaArn });
  let answers: Map<string, Answered>;
  try {
    answers = await invokeAgain(state, stream, transformer, batch, pieces);
  } catch (error) {
    if (!(error instanceof InvocationFailure)) throw error;
    const { code, message } = error;
    const { settings } = stream.destination;
    await reportFailure(state, stream, settings, { code, message, destination: lambdaArn, processor: lambdaArn });
    const attempts = error.again ? transformer.retries + 1 : 1;
    return { next: pieces.map((piece) => fail(piece, attempts, code, message)) };
  }
  const next: NewPiece[] = [];
  for (const [index, piece] of pieces.entries()) {
    const { result, data = '', metadata } = answers.get(recordId(batch, index))!;
    if (result === 'Dropped') continue;
    if (result !== 'Ok') {
      next.push(fail(piece, 1, 'Lambda.ProcessingFailedStatus', 'ProcessingFailed status set for record'));
      continue;
    }
    const partition = partitionOf(stream, metadata?.partitionKeys);
    if (partition === 'missing')
      next.push(
        fail(
          piece,
          1,
          'DynamicPartitioning.MetadataExtractionFailed',
          'partitionKeys values must not be null or empty',
        ),
      );
    else next.push({ ...deliver(piece, data), ...(partition !== undefined && { partition }) });
  }
  return { next };
}

/** The partition of a record as JSON text; undefined where partitioning is not dynamic. */
function partitionOf(
  { destination }: DeliveryStream,
  given: Record<string, unknown> = {},
): string | 'missing' | undefined {
  if (destination.kind !== 's3' || !destination.settings.DynamicPartitioningConfiguration?.Enabled) return undefined;
  const names = [...new Set(partitionKeysOf(destination.settings.Prefix))].sort();
  const values = names.map((name) => [name, given[name] ?? ''] as const);
  if (values.some(([, value]) => value === '')) return 'missing';
  return JSON.stringify(Object.fromEntries(values.map(([name, value]) => [name, String(value)])));
}

const recordId = ({ id }: Batch, index: number): string =>
  `${id.replaceAll('-', '')}${String(index).padStart(12, '0')}`;

/** Invokes a function, again as often as its retries let. @throws InvocationFailure */
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

/** The records that a function answered, by their ids. @throws InvocationFailure where they are not as they must be */
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
    const { records } = JSON.parse(text) as { records?: unknown };
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
