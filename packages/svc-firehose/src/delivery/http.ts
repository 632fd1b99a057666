import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DeepReadonly } from '@emu/core/service';
import { post } from '../destinations/outgoing.ts';
import { asRole } from '../destinations/s3.ts';
import type { DestinationRecord, HttpRecord } from '../records.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { backoff } from './backoff.ts';
import { failedPiece } from './failures.ts';
import { reportFailure } from './logging.ts';
import type { Batch, Outcome, Piece } from './pieces.ts';

type HttpDestination = DeepReadonly<HttpRecord>;

const gzipped = promisify(gzip);

/** Default retry duration in seconds. */
const DEFAULT_RETRY = 300;
/** A too large body is not retried. */
const TOO_LARGE = 413;

/** Failure of a delivery. */
interface EndpointFailure {
  code: string;
  message: string;
  final: boolean;
}

/** Returns a destination known to be an endpoint. */
export const asHttp = (destination: DeepReadonly<DestinationRecord>): HttpDestination => destination as HttpDestination;

/**
 * Posts a batch to an endpoint; records not accepted within the retry duration go to the backup.
 * @see https://docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html
 */
export async function postBatch(
  state: DeliveryScope,
  stream: DeliveryStream,
  destination: HttpDestination,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Outcome> {
  const trouble = await deliver(state, stream, destination, batch, pieces);
  if (!trouble) return { next: [] };
  const { code, message } = trouble;
  const { settings, url } = destination;
  await reportFailure(state, stream, settings, { code, message, destination: url });
  const now = state.clock.now();
  const end = batch.startedAt + (settings.RetryOptions?.DurationInSeconds ?? DEFAULT_RETRY) * 1000;
  if (!trouble.final && now < end) return { retryIn: Math.min(backoff(batch.attempts), end - now) };
  const failure = { attempts: batch.attempts, code, message, endedAt: now };
  return { next: pieces.map((piece) => failedPiece(piece, 'http-endpoint-failed', failure)) };
}

/** @returns undefined if the endpoint accepted the batch */
async function deliver(
  state: DeliveryScope,
  stream: DeliveryStream,
  destination: HttpDestination,
  { id }: Batch,
  pieces: readonly Piece[],
): Promise<EndpointFailure | undefined> {
  const { settings, url, attributes } = destination;
  const json = JSON.stringify({
    requestId: id,
    timestamp: Math.floor(state.clock.now()),
    records: pieces.map(({ data }) => ({ data })),
  });
  const compressed = settings.RequestConfiguration?.ContentEncoding === 'GZIP';
  try {
    const accessKey = await accessKeyOf(state, stream, destination);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Amazon Kinesis Data Firehose Agent/1.0',
      'x-amz-firehose-protocol-version': '1.0',
      'x-amz-firehose-request-id': id,
      'x-amz-firehose-source-arn': state.arnOf(stream.name),
      ...(accessKey !== undefined && { 'x-amz-firehose-access-key': accessKey }),
      ...(attributes.length > 0 && { 'x-amz-firehose-common-attributes': commonAttributes(destination) }),
      ...(compressed && { 'content-encoding': 'gzip' }),
    };
    const body = Buffer.from(json);
    return judge(await post(state.names, url, headers, compressed ? await gzipped(body) : body), id);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: 'HttpEndpoint.ConnectionFailed', message, final: false };
  }
}

const commonAttributes = ({ attributes }: HttpDestination): string =>
  JSON.stringify({
    commonAttributes: Object.fromEntries(
      attributes.map((attribute) => [attribute.AttributeName, attribute.AttributeValue]),
    ),
  });

/**
 * Returns the access key of an endpoint, which may be in a secret's `api_key`.
 * @throws AwsError of Secrets Manager
 */
async function accessKeyOf(
  state: DeliveryScope,
  stream: DeliveryStream,
  { settings, accessKey }: HttpDestination,
): Promise<string | undefined> {
  const { Enabled, SecretARN, RoleARN = settings.RoleARN } = settings.SecretsManagerConfiguration ?? {};
  if (!Enabled) return accessKey;
  const options = RoleARN === undefined ? {} : asRole(RoleARN, stream);
  const { SecretString = '{}' } = await state.call(
    'secretsmanager',
    'GetSecretValue',
    { SecretId: SecretARN! },
    options,
  );
  return (JSON.parse(SecretString) as { api_key?: string }).api_key;
}

/** Evaluates a response: an endpoint accepts a request by returning its id. */
function judge({ status, text }: { status: number; text: string }, id: string): EndpointFailure | undefined {
  if (status !== 200)
    return {
      code: 'HttpEndpoint.DestinationException',
      message: `Received the following response from the endpoint destination. ${text}`,
      final: status === TOO_LARGE,
    };
  const invalid = { code: 'HttpEndpoint.InvalidResponseFromDestination', final: false };
  let answer: { requestId?: unknown; timestamp?: unknown };
  try {
    answer = (JSON.parse(text) as object | null) ?? {};
  } catch {
    return { ...invalid, message: 'The response received from the endpoint is invalid. It is not JSON.' };
  }
  if (answer.requestId !== id)
    return {
      ...invalid,
      message: 'The response received from the endpoint is invalid. Its requestId is not that of the request.',
    };
  if (typeof answer.timestamp !== 'number')
    return { ...invalid, message: 'The response received from the endpoint is invalid. It has no timestamp.' };
  return undefined;
}
