import { AwsError } from '@emu/wire';
import { evaluateErrorPrefix, evaluatePrefix } from '../destinations/prefixes.ts';
import { randomString, type S3Settings, writeObject } from '../destinations/s3.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { backoff } from './backoff.ts';
import { asHttp, postBatch } from './http.ts';
import { reportFailure } from './logging.ts';
import type { Batch, Outcome, Piece } from './pieces.ts';
import { asService, deliverToService } from './service-delivery.ts';
import { transform } from './transform.ts';

/** Milliseconds for which Firehose retries writing to a bucket. */
const PERSISTENCE = 24 * 60 * 60 * 1000;

/** Attempts a batch once. Throws only for defects. */
export function attempt(
  state: DeliveryScope,
  stream: DeliveryStream,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Outcome> {
  if (batch.lane === 'transform') return transform(state, stream, batch, pieces);
  const { destination } = stream;
  if (batch.lane === 'deliver' && destination.kind === 'http')
    return postBatch(state, stream, asHttp(destination), batch, pieces);
  if (batch.lane === 'deliver' && destination.kind === 'service')
    return deliverToService(state, stream, asService(destination), batch, pieces);
  return store(state, stream, batch, pieces);
}

/** Returns the bucket of a lane. */
function bucketFor({ destination }: DeliveryStream, { lane }: Batch): S3Settings {
  if (destination.kind === 'http') return destination.settings.S3DestinationDescription!;
  if (destination.kind === 'service') {
    const { S3BackupDescription: backup, S3DestinationDescription: bucket } = destination.settings;
    return (lane === 'backup' && backup) || bucket;
  }
  const { settings } = destination;
  return (lane === 'backup' && settings.S3BackupDescription) || settings;
}

/** Writes pieces to a bucket as one object. */
async function store(
  state: DeliveryScope,
  stream: DeliveryStream,
  batch: Batch,
  pieces: readonly Piece[],
): Promise<Outcome> {
  const settings = bucketFor(stream, batch);
  const time = Math.min(...pieces.map(({ arrivedAt }) => arrivedAt));
  const [{ partition }] = pieces as [Piece];
  const facts = {
    time,
    zone: settings.CustomTimeZone ?? '',
    partition: partition === undefined ? undefined : (JSON.parse(partition) as Record<string, string>),
    random: () => randomString(state),
  };
  const failed = batch.lane.startsWith('failed ') ? batch.lane.slice('failed '.length) : undefined;
  const prefix =
    failed === undefined ? evaluatePrefix(settings.Prefix, facts) : evaluateErrorPrefix(settings, failed, facts);
  const bytes = Buffer.concat(pieces.map(({ data }) => Buffer.from(data, 'base64')));
  try {
    await writeObject(state, stream, settings, { prefix, time, bytes });
    report(state, stream, batch, { success: 1, bytes: bytes.length, records: pieces.length, time });
    return { next: [] };
  } catch (error) {
    report(state, stream, batch, { success: 0, bytes: 0, records: 0, time });
    const code = error instanceof AwsError ? error.code : 'InternalError';
    const message = error instanceof Error ? error.message : String(error);
    await reportFailure(state, stream, settings, { code: `S3.${code}`, message, destination: settings.BucketARN });
    if (state.clock.now() < batch.startedAt + PERSISTENCE) return { retryIn: backoff(batch.attempts) };
    state.log.warn(`${pieces.length} records of the delivery stream ${stream.name} are given up after 24 hours`, {
      error,
    });
    return { next: [] };
  }
}

/** Reports the metrics of a write to a bucket: delivery or backup. */
function report(
  state: DeliveryScope,
  stream: DeliveryStream,
  { lane }: Batch,
  { success, bytes, records, time }: { success: number; bytes: number; records: number; time: number },
): void {
  const name = lane === 'deliver' ? 'DeliveryToS3' : 'BackupToS3';
  const delivered = { [`${name}.Bytes`]: bytes, [`${name}.Records`]: records };
  const freshness = Math.max(0, Math.floor((state.clock.now() - time) / 1000));
  state.report(stream.name, {
    [`${name}.Success`]: success,
    [`${name}.DataFreshness`]: freshness,
    ...(success > 0 && delivered),
  });
}
