import {
  type AnsweredHttpRequest,
  type Collection,
  type DeepReadonly,
  defineCollection,
  type StateScope,
} from '@emu/core/service';

/** Requests of a bucket on a day (UTC), by S3 Storage Lens metric. */
interface RequestCountsRecord {
  readonly bucket: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  counts: Record<string, number>;
}

/** Request counts by S3 Storage Lens metric. */
export const requestCountsCollection = defineCollection<RequestCountsRecord>('request-counts', 'account');

/** Request metrics by the dashboard option that enables them. */
export const REQUEST_METRICS = {
  activity: [
    'AllRequests',
    'GetRequests',
    'PutRequests',
    'HeadRequests',
    'DeleteRequests',
    'ListRequests',
    'PostRequests',
    'SelectRequests',
    'BytesDownloaded',
    'BytesUploaded',
    '4xxErrors',
    '5xxErrors',
  ],
  dataProtection: ['AllSSEKMSRequests'],
  statusCodes: [
    '200OKStatusCount',
    '206PartialContentStatusCount',
    '400BadRequestErrorCount',
    '403ForbiddenErrorCount',
    '404NotFoundErrorCount',
    '500InternalServerErrorCount',
    '503ServiceUnavailableErrorCount',
  ],
} as const;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Returns the kind of a request; undefined for others.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/metrics-dimensions.html#s3-request-cloudwatch-metrics
 */
export function kindOf({ operation, http: { method } }: AnsweredHttpRequest, ofObject: boolean): string | undefined {
  if (operation === 'SelectObjectContent') return 'SelectRequests';
  if (operation === 'DeleteObjects') return 'DeleteRequests';
  if (operation.startsWith('List')) return 'ListRequests';
  if (method === 'HEAD') return 'HeadRequests';
  if (method === 'POST') return 'PostRequests';
  const kinds: Readonly<Record<string, string>> = { GET: 'GetRequests', PUT: 'PutRequests', DELETE: 'DeleteRequests' };
  return ofObject ? kinds[method] : undefined;
}

/** Returns the first value of a request header. */
export const headerOf = ({ http: { headers } }: AnsweredHttpRequest, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : (value as string | undefined);
};

/** Increments of each metric for a request. */
function changesBy(request: AnsweredHttpRequest, ofObject: boolean): Record<string, number> {
  const { status, bytesSent = 0 } = request;
  const changes: Record<string, number> = { AllRequests: 1 };
  const kind = kindOf(request, ofObject);
  if (kind !== undefined) changes[kind] = 1;
  const uploaded = Number(headerOf(request, 'x-amz-decoded-content-length') ?? headerOf(request, 'content-length'));
  if (uploaded > 0) changes.BytesUploaded = uploaded;
  if (bytesSent > 0 && request.http.method !== 'HEAD') changes.BytesDownloaded = bytesSent;
  if (headerOf(request, 'x-amz-server-side-encryption')?.startsWith('aws:kms')) changes.AllSSEKMSRequests = 1;
  if (status >= 400) changes[status < 500 ? '4xxErrors' : '5xxErrors'] = 1;
  const named = REQUEST_METRICS.statusCodes.find((name) => name.startsWith(String(status)));
  if (named !== undefined) changes[named] = 1;
  return changes;
}

/** Counts the requests of an account's buckets per day. */
export class RequestMetrics {
  private readonly records: Collection<RequestCountsRecord>;

  constructor(scope: StateScope) {
    this.records = scope.collection(requestCountsCollection);
  }

  /** @param ofObject whether it concerns an object rather than the bucket */
  count(bucket: string, request: AnsweredHttpRequest, ofObject: boolean): void {
    const day = dayOf(request.receivedAt);
    const key = `${bucket}/${day}`;
    if (!this.records.has(key)) {
      // Only the previous day is still needed.
      const yesterday = dayOf(request.receivedAt - 86_400_000);
      for (const [old, record] of this.records.entries())
        if (record.bucket === bucket && record.day < yesterday) this.records.delete(old);
      this.records.put(key, { bucket, day, counts: {} });
    }
    this.records.update(key, ({ counts }) => {
      for (const [name, change] of Object.entries(changesBy(request, ofObject)))
        counts[name] = (counts[name] ?? 0) + change;
    });
  }

  /**
   * Returns the counts of a day.
   * @param day `YYYY-MM-DD`
   */
  of(bucket: string, day: string): DeepReadonly<Record<string, number>> {
    return this.records.get(`${bucket}/${day}`)?.counts ?? {};
  }

  /** Removes a bucket. */
  discard(bucket: string): void {
    for (const [key, record] of this.records.entries()) if (record.bucket === bucket) this.records.delete(key);
  }
}
