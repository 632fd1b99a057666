import {
  type AnsweredHttpRequest,
  type Collection,
  type DeepReadonly,
  defineCollection,
  type StateScope,
} from '@emu/core/service';

/** The requests of a bucket on a day (UTC), by the names of S3 Storage Lens's metrics. */
interface RequestCountsRecord {
  readonly bucket: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  counts: Record<string, number>;
}

/** Counts of requests by the names of S3 Storage Lens's metrics. */
export const requestCountsCollection = defineCollection<RequestCountsRecord>('request-counts', 'account');

/** Names of the metrics about requests, by what a dashboard turns on. */
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
 * What kind of request it is; undefined for those that are of none.
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

/** A header of a request; the first where there are many. */
export const headerOf = ({ http: { headers } }: AnsweredHttpRequest, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : (value as string | undefined);
};

/** By how much an answered request changes each metric. */
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

/** Counts the requests of an account's buckets, by days. */
export class RequestMetrics {
  private readonly records: Collection<RequestCountsRecord>;

  constructor(scope: StateScope) {
    this.records = scope.collection(requestCountsCollection);
  }

  /** @param ofObject whether it is about an object, not the bucket */
  count(bucket: string, request: AnsweredHttpRequest, ofObject: boolean): void {
    const day = dayOf(request.receivedAt);
    const key = `${bucket}/${day}`;
    if (!this.records.has(key)) {
      // Of the days before only the last is asked for.
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

  /** The counts of a day. @param day `YYYY-MM-DD` */
  of(bucket: string, day: string): DeepReadonly<Record<string, number>> {
    return this.records.get(`${bucket}/${day}`)?.counts ?? {};
  }

  /** Forgets a bucket. */
  forget(bucket: string): void {
    for (const [key, record] of this.records.entries()) if (record.bucket === bucket) this.records.delete(key);
  }
}
