import { Readable } from 'node:stream';
import type { AnsweredHttpRequest, DeepReadonly, ServiceHandle } from '@emu/core/service';
import type { AnalyticsConfiguration } from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import type { Actor } from '../events/actor.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { stateOf } from '../lookup.ts';
import type { S3State } from '../state.ts';
import type { AnalyticsActivity } from './analytics-history.ts';
import { ageGroupOf, analyze, covers, reportLines } from './analytics-rows.ts';
import { folderOf, writeReport } from './delivery.ts';

const DAY = 86_400_000;

type Configuration = DeepReadonly<AnalyticsConfiguration>;

/** Returns configurations of a bucket with exported analyses. */
const exported = (bucket: Bucket): Configuration[] =>
  Object.values(bucket.record.configurations.analytics ?? {}).filter((one) => one.StorageClassAnalysis.DataExport);

/** Starts the first day of an analysis, unless it has started. */
export function beginAnalysis(state: S3State, bucket: Bucket, id: string, now: number): void {
  if (bucket.record.analyticsDeliveries?.[id] === undefined) remember(state, bucket, id, now);
}

function remember(state: S3State, bucket: Bucket, id: string, at: number | undefined): void {
  state.updateBucket(bucket, (draft) => {
    const { [id]: _last, ...others } = draft.analyticsDeliveries ?? {};
    draft.analyticsDeliveries = at === undefined ? others : { ...others, [id]: at };
  });
}

/** Removes an analysis with its history. */
export function endAnalysis(state: S3State, bucket: Bucket, id: string): void {
  remember(state, bucket, id, undefined);
  state.analytics.discard(bucket.name, id);
}

/** Runs due analyses of all buckets of an account, once a day, and delivers the reports. */
export async function runAnalyses(actor: Actor, state: S3State): Promise<void> {
  const now = actor.clock.now();
  for (const bucket of state.buckets())
    for (const configuration of exported(bucket)) {
      // It may have been deleted while others were written.
      if (state.bucket(bucket.name) !== bucket) break;
      const { Id: id } = configuration;
      const last = bucket.record.analyticsDeliveries?.[id];
      if (last === undefined) remember(state, bucket, id, now);
      else if (now - last >= DAY) {
        remember(state, bucket, id, now);
        const rows = analyze(bucket, configuration, state.analytics.activity(bucket.name, id), now);
        state.analytics.add({ bucket: bucket.name, id, at: now, rows });
        await deliver(actor, state, bucket, configuration);
      }
    }
}

/** Overwrites the previous report. As on AWS, a report rejected by the destination is lost. */
async function deliver(actor: Actor, state: S3State, bucket: Bucket, configuration: Configuration): Promise<void> {
  const { Id: id, StorageClassAnalysis: analysis } = configuration;
  const destination = analysis.DataExport!.Destination.S3BucketDestination;
  const lines = reportLines(configuration, state.analytics.of(bucket.name, id));
  const bytes = Readable.from([Buffer.from([...lines].join(''))]);
  try {
    await writeReport(actor, bucket, destination, `${folderOf(destination, bucket)}/${id}.csv`, bytes, 'text/csv');
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    actor.log.warn('a storage class analysis could not be delivered', { bucket: bucket.name, analytics: id, error });
  }
}

/** Returns the version that a request concerned. */
function versionOf(bucket: Bucket, key: string, { http }: AnsweredHttpRequest): ObjectVersion | undefined {
  return bucket.objects.version(key, new URLSearchParams(http.query).get('versionId') ?? undefined);
}

/** Returns the activity of a request; like on AWS, multipart uploads do not count. */
function activityOf(
  { operation, bytesSent }: AnsweredHttpRequest,
  { size }: ObjectVersion,
): AnalyticsActivity | undefined {
  if (operation === 'PutObject') return { uploaded: size, retrieved: 0, gets: 0 };
  return operation === 'GetObject' ? { uploaded: 0, retrieved: bytesSent ?? size, gets: 1 } : undefined;
}

/** Counts a request for its bucket's analyses. */
export function countRequest(
  request: AnsweredHttpRequest,
  bucket: Bucket,
  key: string,
  handle: ServiceHandle<S3State>,
): void {
  if (request.status >= 300 || bucket.record.configurations.analytics === undefined) return;
  const version = versionOf(bucket, key, request);
  const activity = version && !version.deleteMarker ? activityOf(request, version) : undefined;
  if (!version || !activity) return;
  const { analytics } = stateOf({ handle }, bucket);
  const age = ageGroupOf(version, handle.clock.now());
  for (const configuration of exported(bucket))
    if (covers(configuration, version))
      analytics.count(bucket.name, configuration.Id, version.storageClass, age, activity);
}
