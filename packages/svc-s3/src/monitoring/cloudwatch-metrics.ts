import { type AnsweredHttpRequest, type DeepReadonly, metricsOf, type ServiceHandle } from '@emu/core/service';
import type { MetricsFilter } from '@emu/service-types/s3';
import { accessPointUse } from '../access-control/access-points.ts';
import type { Bucket } from '../buckets/bucket.ts';
import { findIn } from '../lookup.ts';
import type { S3State } from '../state.ts';
import { hasTags } from '../tags.ts';
import { headerOf, kindOf } from './request-metrics.ts';

/** A metric of a request with its unit. */
type Measured = readonly [name: string, value: number, unit: string];

/** Target of a request, from its input. */
interface Target {
  readonly bucket: Bucket;
  readonly key: string | undefined;
  /** ARN of the access point used. */
  readonly accessPoint: string | undefined;
}

/**
 * Reports a request to CloudWatch, once for each matching metrics configuration of its bucket.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/metrics-dimensions.html#s3-request-cloudwatch-metrics
 */
export function reportRequest(request: AnsweredHttpRequest, handle: ServiceHandle<S3State>): void {
  const target = targetOf(request, handle);
  const configurations = Object.values(target?.bucket.record.configurations.metrics ?? {});
  if (!target || configurations.length === 0) return;
  const { bucket } = target;
  const metrics = metricsOf(handle, bucket.accountId, bucket.region);
  if (!metrics) return;
  const measured = measurementsOf(request, target);
  for (const { Id, Filter } of configurations) {
    if (Filter && !fits(Filter, target, request)) continue;
    const board = metrics.resource('AWS/S3', { BucketName: bucket.name, FilterId: Id });
    for (const [name, value, unit] of measured) board.add(name, value, request.receivedAt, unit);
  }
}

function targetOf({ input }: AnsweredHttpRequest, handle: ServiceHandle<S3State>): Target | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { Bucket: name, Key: key } = input as { Bucket?: string; Key?: string };
  const bucket = name === undefined ? undefined : findIn(handle, name);
  return bucket && { bucket, key, accessPoint: accessPointUse(input)?.point.arn };
}

/** Whether a filter selects a request: it must be about a matching object. */
function fits(filter: DeepReadonly<MetricsFilter>, target: Target, { http }: AnsweredHttpRequest): boolean {
  const { bucket, key, accessPoint } = target;
  const { Prefix, Tag, AccessPointArn, And } = filter;
  const point = AccessPointArn ?? And?.AccessPointArn;
  if (point !== undefined && point !== accessPoint) return false;
  const prefix = Prefix ?? And?.Prefix;
  const tags = [...(Tag ? [Tag] : []), ...(And?.Tags ?? [])];
  if (prefix === undefined && tags.length === 0) return true;
  if (key === undefined || !key.startsWith(prefix ?? '')) return false;
  if (tags.length === 0) return true;
  const version = bucket.objects.version(key, new URLSearchParams(http.query).get('versionId') ?? undefined);
  return version !== undefined && hasTags(version.tags, tags);
}

function measurementsOf(request: AnsweredHttpRequest, { key }: Target): Measured[] {
  const { status, bytesSent = 0, duration, http } = request;
  const measured: Measured[] = [
    ['AllRequests', 1, 'Count'],
    ['4xxErrors', Number(status >= 400 && status < 500), 'Count'],
    ['5xxErrors', Number(status >= 500), 'Count'],
    ['FirstByteLatency', Math.round(duration), 'Milliseconds'],
    ['TotalRequestLatency', Math.round(duration), 'Milliseconds'],
  ];
  const kind = kindOf(request, key !== undefined);
  if (kind !== undefined) measured.push([kind, 1, 'Count']);
  const uploaded = Number(headerOf(request, 'x-amz-decoded-content-length') ?? headerOf(request, 'content-length'));
  if (uploaded > 0) measured.push(['BytesUploaded', uploaded, 'Bytes']);
  if (bytesSent > 0 && http.method !== 'HEAD') measured.push(['BytesDownloaded', bytesSent, 'Bytes']);
  return measured;
}
