import { type CallOptions, roleSessionPrincipal } from '@emu/core/service';
import type { DestinationConfiguration, ScheduledQueryDestination } from '@emu/service-types/logs';
import { AwsError } from '@emu/wire';
import type { LogsRegistry } from '../../registry.ts';
import type { QueryRun } from '../queries/query-run.ts';
import { startQuery } from '../queries/start.ts';
import type { TriggerRecord } from './records.ts';
import { dueAfter, type ScheduledQuery } from './scheduled-queries.ts';

/** Parses bucket and prefix of a destination such as `s3://bucket/prefix/`. */
function s3Place(uri: string): { bucket: string; prefix: string } {
  const [bucket = '', ...steps] = uri.slice('s3://'.length).split('/');
  const prefix = steps.join('/');
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
}

/**
 * Runs a scheduled query and delivers its results.
 * @param at scheduled time in epoch milliseconds
 */
export async function runScheduled(state: LogsRegistry, query: ScheduledQuery, at: number): Promise<TriggerRecord> {
  const trigger: TriggerRecord = { query: query.id, at, status: 'Running' };
  try {
    const run = await startQuery(requestOf(query, at), { state, requestId: state.ids.uuid() });
    trigger.queryId = run.facts.id;
    await run.ended;
    if (run.status !== 'Complete')
      return { ...trigger, status: 'Failed', ...(run.problem && { problem: run.problem }) };
    if (!query.destination) return { ...trigger, status: 'Complete' };
    const delivered = await deliver(state, query, run, at);
    return { ...trigger, status: delivered.status === 'COMPLETE' ? 'Complete' : 'Failed', destinations: [delivered] };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const malformed = error.code === 'MalformedQueryException';
    return { ...trigger, status: malformed ? 'InvalidQuery' : 'Failed', problem: error.message };
  }
}

/** Returns the query request of a run. Without an offset, a run queries events since the previous run. */
function requestOf(query: ScheduledQuery, at: number) {
  const end = Math.floor(at / 1000);
  const interval = ((dueAfter({ ...query, endsAt: undefined } as ScheduledQuery, at) ?? at) - at) / 1000;
  return {
    queryLanguage: query.language,
    queryString: query.query,
    ...(query.groups && { logGroupIdentifiers: [...query.groups] }),
    startTime: end - Math.abs(query.startTimeOffset ?? interval),
    endTime: end,
  };
}

/** Writes the results of a run to a bucket, with the destination's role. */
async function deliver(
  state: LogsRegistry,
  { name, destination }: ScheduledQuery,
  run: QueryRun,
  at: number,
): Promise<ScheduledQueryDestination> {
  const { destinationIdentifier, roleArn, ownerAccountId, kmsKeyId } = (destination as DestinationConfiguration)
    .s3Configuration;
  const { bucket, prefix } = s3Place(destinationIdentifier);
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '/');
  const key = `${prefix}${name}/${day}/${run.facts.id}.json`;
  const shown: ScheduledQueryDestination = { destinationType: 'S3', destinationIdentifier };
  const caller: CallOptions = { principal: roleSessionPrincipal(roleArn, 'CloudWatchLogs'), authorize: {} };
  try {
    await state.call(
      's3',
      'PutObject',
      {
        Bucket: bucket,
        Key: key,
        Body: Buffer.from(JSON.stringify(documentOf(run))),
        ContentType: 'application/json',
        ...(ownerAccountId !== undefined && { ExpectedBucketOwner: ownerAccountId }),
        ...(kmsKeyId !== undefined && { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kmsKeyId }),
      },
      caller,
    );
    return { ...shown, status: 'COMPLETE', processedIdentifier: `s3://${bucket}/${key}` };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { ...shown, status: 'FAILED', errorMessage: error.message };
  }
}

const documentOf = ({ facts, results, statistics, status }: QueryRun) => ({
  queryId: facts.id,
  queryLanguage: facts.language,
  status,
  results,
  statistics,
});
