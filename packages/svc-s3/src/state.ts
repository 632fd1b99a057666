import type { S3Notification } from '@emu/control-client';
import {
  Collection,
  DueTimers,
  IdempotencyTokens,
  RecordBuffer,
  type StateScope,
  type Tally,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { Bucket } from './buckets/bucket.ts';
import { DirectorySessions } from './directory-buckets/sessions.ts';
import { s3Error } from './errors.ts';
import { NotificationDeliveries } from './events/deliveries.ts';
import type { ObjectVersion } from './listing/object-index.ts';
import { Upload } from './listing/upload-index.ts';
import { RequestMetrics } from './monitoring/request-metrics.ts';
import { ObjectLambdaResponses } from './object-lambda/responses.ts';
import {
  type BucketRecord,
  bucketCollection,
  notificationCollection,
  type PartRecord,
  partCollection,
  type ReplicationRecord,
  replicationCollection,
  type UploadRecord,
  uploadCollection,
  type VersionRecord,
  versionCollection,
} from './records.ts';
import { AnalyticsHistory } from './reports/analytics-history.ts';

/** CloudWatch source of buckets with request metrics. */
const MEASURED = 'measured';
/** Maximum number of stored rename tokens. */
const MAX_RENAMES = 1000;

/** The buckets of an account in all regions, with their contents. */
export class S3State implements WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  private readonly byName = new Map<string, Bucket>();
  private directoryBuckets = 0;
  /** Number of buckets with request metrics. */
  private readonly measured: Tally;
  private readonly records: Collection<BucketRecord>;
  private readonly versions: Collection<VersionRecord>;
  private readonly uploads: Collection<UploadRecord>;
  private readonly parts: Collection<PartRecord>;
  /** Sent notifications, for the control route. */
  readonly notifications = new RecordBuffer<S3Notification>();
  /** Pending notifications. */
  readonly deliveries: NotificationDeliveries;
  /** Versions to replicate. */
  readonly replications: Collection<ReplicationRecord>;
  /** Requests waiting for Object Lambda functions. */
  readonly objectLambda: ObjectLambdaResponses;
  /** Sessions of directory buckets. */
  readonly directorySessions = new DirectorySessions();
  /** Recent renames by idempotency token. */
  readonly renames: IdempotencyTokens<void>;
  /** Storage class analysis. */
  readonly analytics: AnalyticsHistory;
  /** Request counts of buckets, if reports are delivered. */
  readonly requests: RequestMetrics;
  /** Timers of restores in progress, by version sequence. */
  readonly restores: DueTimers;
  /** Running lifecycle evaluations. */
  lifecycle: Promise<unknown> = Promise.resolve();
  /** Set when the state is closed, which stops sliced work. */
  closed = false;
  private sequence = 0;
  private events = 0;

  /**
   * @param scope context of processors: clock, log, calls to other services
   * @param processors starts the account's periodic processors
   */
  constructor(
    readonly scope: StateScope,
    processors: (state: S3State) => readonly Worker[],
  ) {
    this.accountId = scope.accountId;
    this.analytics = new AnalyticsHistory(scope);
    this.requests = new RequestMetrics(scope);
    this.objectLambda = new ObjectLambdaResponses(scope.bodies);
    this.restores = new DueTimers(scope.clock);
    this.renames = new IdempotencyTokens({
      clock: scope.clock,
      records: new Collection(),
      maximum: MAX_RENAMES,
      refuse: () =>
        s3Error(
          'IdempotencyParameterMismatch',
          'The parameters of the request do not match those of the request that used the same idempotency token.',
          { status: 400 },
        ),
    });
    this.records = scope.collection(bucketCollection);
    this.measured = this.records.tally(({ configurations }) =>
      Object.keys(configurations.metrics ?? {}).length > 0 ? MEASURED : '',
    );
    this.versions = scope.collection(versionCollection);
    this.uploads = scope.collection(uploadCollection);
    this.parts = scope.collection(partCollection);
    this.deliveries = new NotificationDeliveries(scope, scope.collection(notificationCollection), this.notifications);
    this.replications = scope.collection(replicationCollection);
    this.workers = [
      {
        close: () => {
          this.closed = true;
        },
      },
      this.objectLambda,
      this.deliveries,
      ...processors(this),
    ];
  }

  *fill(): Iterable<void> {
    for (const record of this.records.values()) this.keep(new Bucket(this.accountId, record));
    for (const version of this.versions.values()) {
      this.byName.get(version.bucket)?.objects.add(version);
      this.sequence = Math.max(this.sequence, version.sequence);
      yield;
    }
    const uploads = new Map<string, Upload>();
    for (const record of this.uploads.values()) {
      const upload = this.byName.get(record.bucket)?.uploads.add(new Upload(record));
      if (upload) uploads.set(record.uploadId, upload);
      this.sequence = Math.max(this.sequence, record.sequence);
      yield;
    }
    for (const part of this.parts.values()) {
      uploads.get(part.uploadId)?.put(part);
      yield;
    }
  }

  /** Returns the sequence numbers for the account's events. */
  nextEvent(): number {
    this.events = (this.events + 1) % 1000;
    return this.events;
  }

  /** Returns a bucket of this account. */
  bucket(name: string): Bucket | undefined {
    return this.byName.get(name);
  }

  /** Returns all buckets by name. */
  buckets(): Bucket[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  createBucket(record: BucketRecord): Bucket {
    const bucket = new Bucket(this.accountId, this.records.put(record.name, record));
    return this.keep(bucket);
  }

  /** Returns the number of buckets of one kind. */
  bucketNumber(kind: 'general-purpose' | 'directory'): number {
    return kind === 'directory' ? this.directoryBuckets : this.byName.size - this.directoryBuckets;
  }

  private keep(bucket: Bucket): Bucket {
    this.byName.set(bucket.name, bucket);
    if (bucket.record.directory) this.directoryBuckets++;
    this.observeWhileNeeded();
    return bucket;
  }

  updateBucket(bucket: Bucket, change: (draft: BucketRecord) => void): void {
    bucket.record = this.records.update(bucket.name, change);
    this.observeWhileNeeded();
  }

  /** Observes requests while any bucket has request metrics. */
  private observeWhileNeeded(): void {
    this.scope.service.observeRequests(this, this.measured.of(MEASURED) > 0);
  }

  /** Removes an empty bucket. */
  deleteBucket(bucket: Bucket): void {
    this.records.delete(bucket.name);
    if (this.byName.delete(bucket.name) && bucket.record.directory) this.directoryBuckets--;
    this.analytics.discard(bucket.name);
    this.requests.discard(bucket.name);
    this.observeWhileNeeded();
  }

  /**
   * Adds the newest version of a key.
   * @param version becomes the record
   */
  addVersion(bucket: Bucket, version: Omit<VersionRecord, 'sequence'>): ObjectVersion {
    const record = version as Omit<VersionRecord, 'sequence'> & { sequence: number };
    record.sequence = ++this.sequence;
    const stored = this.versions.put(String(record.sequence), record);
    bucket.objects.add(stored);
    return stored;
  }

  /** Replaces a version in place, e.g. with other tags. */
  updateVersion(bucket: Bucket, version: ObjectVersion, change: (draft: VersionRecord) => void): ObjectVersion {
    const stored = this.versions.update(String(version.sequence), change);
    bucket.objects.replace(stored);
    return stored;
  }

  /** Removes a replaced version. */
  dropVersion(bucket: Bucket, version: ObjectVersion): void {
    this.versions.delete(String(version.sequence));
    bucket.objects.remove(version);
  }

  /** Removes a version permanently. */
  removeVersion(bucket: Bucket, version: ObjectVersion): void {
    this.dropVersion(bucket, version);
    for (const upload of bucket.uploads.ofKey(version.key))
      upload.record = this.uploads.update(upload.id, (draft) => {
        draft.deletedMeanwhile = true;
      });
  }

  /** Starts a multipart upload. */
  addUpload(bucket: Bucket, record: Omit<UploadRecord, 'sequence'>): Upload {
    const stored = this.uploads.put(record.uploadId, { ...record, sequence: ++this.sequence });
    return bucket.uploads.add(new Upload(stored));
  }

  /** Adds a part to an upload, replacing one with the same number. */
  addPart(upload: Upload, part: PartRecord): void {
    upload.put(this.parts.put(partKey(part), part));
  }

  /** Ends an upload, completed or aborted, and removes its parts. */
  removeUpload(bucket: Bucket, upload: Upload): void {
    for (const part of upload.parts()) this.parts.delete(partKey(part));
    this.uploads.delete(upload.id);
    bucket.uploads.remove(upload);
  }
}

const partKey = ({ uploadId, number }: Pick<PartRecord, 'uploadId' | 'number'>): string => `${uploadId}/${number}`;
