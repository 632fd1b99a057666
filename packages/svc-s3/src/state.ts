import type { S3Notification } from '@emu/control-client';
import {
  type ClosableState,
  type Collection,
  partitionOf,
  RecordBuffer,
  type ServiceHandle,
  type StateScope,
  type Timer,
} from '@emu/core';
import { runAnalyses } from './analytics.ts';
import { AnalyticsHistory } from './analytics-history.ts';
import { Bucket } from './bucket.ts';
import { DirectorySessions } from './directory-sessions.ts';
import { type Actor, emit, eventOf } from './events.ts';
import { runInventories } from './inventory.ts';
import { type LifecycleResult, runLifecycle } from './lifecycle.ts';
import type { ObjectVersion } from './object-index.ts';
import { ObjectLambdaResponses } from './object-lambda-responses.ts';
import {
  type BucketRecord,
  bucketCollection,
  type PartRecord,
  partCollection,
  type UploadRecord,
  uploadCollection,
  type VersionRecord,
  versionCollection,
} from './records.ts';
import { RequestMetrics } from './request-metrics.ts';
import { Upload } from './upload-index.ts';

/** How often lifecycle rules are evaluated, in milliseconds; what they do is due at midnights. */
const LIFECYCLE_INTERVAL = 3_600_000;

/** How often it is looked for inventory lists and analyses that are due, in milliseconds. */
const REPORT_INTERVAL = 3_600_000;
/** Renames whose tokens are remembered. */
const MAX_RENAMES = 1000;

/** The buckets of an account, in all regions, with everything in them. */
export class S3State implements ClosableState {
  readonly accountId: string;
  private readonly byName = new Map<string, Bucket>();
  private readonly records: Collection<BucketRecord>;
  private readonly versions: Collection<VersionRecord>;
  private readonly uploads: Collection<UploadRecord>;
  private readonly parts: Collection<PartRecord>;
  /** What buckets have told, for the control route. */
  readonly notifications = new RecordBuffer<S3Notification>();
  /** Requests that functions transform the answers of. */
  readonly objectLambda: ObjectLambdaResponses;
  private readonly lifecycle: Timer;
  /** Sessions of directory buckets. */
  readonly directorySessions = new DirectorySessions();
  /** Renames by their idempotency tokens, the last ones. */
  readonly renames = new Map<string, string>();
  /** What storage class analysis has found. */
  readonly analytics: AnalyticsHistory;
  /** Requests of buckets, where reports are delivered. */
  readonly requests: RequestMetrics;
  /** Only where reports are delivered at all. */
  private readonly reports: Timer | undefined;
  private readonly restores = new Map<number, Timer>();
  private sequence = 0;
  private events = 0;

  constructor(private readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.analytics = new AnalyticsHistory(scope);
    this.requests = new RequestMetrics(scope);
    this.objectLambda = new ObjectLambdaResponses(scope.bodies);
    this.records = scope.collection(bucketCollection);
    this.versions = scope.collection(versionCollection);
    this.uploads = scope.collection(uploadCollection);
    this.parts = scope.collection(partCollection);
    this.restore();
    this.lifecycle = scope.clock.every(LIFECYCLE_INTERVAL, () => void this.runLifecycle());
    if (scope.settings.values.EMULATOR_S3_EAGER_DELIVERY)
      this.reports = scope.clock.every(REPORT_INTERVAL, () => this.runReports());
  }

  private restore(): void {
    for (const record of this.records.values()) this.byName.set(record.name, new Bucket(this.accountId, record));
    for (const version of this.versions.values()) {
      this.byName.get(version.bucket)?.objects.add(version);
      this.sequence = Math.max(this.sequence, version.sequence);
    }
    const uploads = new Map<string, Upload>();
    for (const record of this.uploads.values()) {
      const upload = this.byName.get(record.bucket)?.uploads.add(new Upload(record));
      if (upload) uploads.set(record.uploadId, upload);
      this.sequence = Math.max(this.sequence, record.sequence);
    }
    for (const part of this.parts.values()) uploads.get(part.uploadId)?.put(part);
    for (const bucket of this.byName.values())
      for (const { versions } of bucket.objects.from(''))
        for (const version of versions) if (version.restore) this.watchRestore(bucket, version);
  }

  /** Numbers the events of an account. */
  nextEvent(): number {
    this.events = (this.events + 1) % 1000;
    return this.events;
  }

  /** Evaluates every bucket's lifecycle rules. */
  runLifecycle(): LifecycleResult {
    return runLifecycle(this.actor(), this);
  }

  /** Delivers the inventory lists and analyses that are due. */
  private async runReports(): Promise<void> {
    await runInventories(this.actor(), this);
    await runAnalyses(this.actor(), this);
  }

  /** Tells when a restore is done. */
  watchRestore(bucket: Bucket, version: ObjectVersion): void {
    const { completesAt, expiresAt } = version.restore!;
    const wait = completesAt - this.scope.clock.now();
    if (wait <= 0) return;
    this.restores.get(version.sequence)?.cancel();
    const timer = this.scope.clock.after(wait, () => {
      this.restores.delete(version.sequence);
      const expiry = new Date(expiresAt).toISOString();
      emit(this.actor(), bucket, {
        ...eventOf(bucket, version),
        name: 'ObjectRestore:Completed',
        extra: {
          glacierEventData: {
            restoreEventData: {
              lifecycleRestorationExpiryTime: expiry,
              lifecycleRestoreStorageClass: version.storageClass,
            },
          },
        },
        detail: { 'restore-expiry-time': expiry, 'source-storage-class': version.storageClass },
      });
    });
    this.restores.set(version.sequence, timer);
  }

  close(): void {
    this.lifecycle.cancel();
    this.objectLambda.close();
    this.reports?.cancel();
    for (const timer of this.restores.values()) timer.cancel();
  }

  /** As whom the account's processors act: S3 itself. */
  private actor(): Actor {
    const { clock, ids, log, service, settings } = this.scope;
    const requestId = ids.uuid();
    return {
      clock,
      ids,
      log,
      handle: service as ServiceHandle<S3State>,
      region: settings.region,
      partition: partitionOf(settings.region),
      requestId,
      principal: { userId: 's3.amazonaws.com', accountId: this.accountId },
      http: undefined,
      call: (name, operation, input, options) =>
        this.scope.call(name, operation, input, { cause: requestId, ...options }),
    };
  }

  /** Remembers a rename, so that it is not made twice. */
  rememberRename(token: string, request: string): void {
    if (this.renames.size >= MAX_RENAMES) this.renames.delete(this.renames.keys().next().value!);
    this.renames.set(token, request);
  }

  /** A bucket of this account. */
  bucket(name: string): Bucket | undefined {
    return this.byName.get(name);
  }

  /** Every bucket, by name. */
  buckets(): Bucket[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  createBucket(record: BucketRecord): Bucket {
    const bucket = new Bucket(this.accountId, this.records.put(record.name, record));
    this.byName.set(record.name, bucket);
    return bucket;
  }

  updateBucket(bucket: Bucket, change: (draft: BucketRecord) => void): void {
    bucket.record = this.records.update(bucket.name, change);
  }

  /** Forgets a bucket, which must be empty. */
  deleteBucket(bucket: Bucket): void {
    this.records.delete(bucket.name);
    this.byName.delete(bucket.name);
    this.analytics.forget(bucket.name);
    this.requests.forget(bucket.name);
  }

  /** Adds a version to its bucket, as the newest of its key. @param version becomes the record */
  addVersion(bucket: Bucket, version: Omit<VersionRecord, 'sequence'>): ObjectVersion {
    const record = version as Omit<VersionRecord, 'sequence'> & { sequence: number };
    record.sequence = ++this.sequence;
    const stored = this.versions.put(String(record.sequence), record);
    bucket.objects.add(stored);
    return stored;
  }

  /** Changes a version in its place, e.g. its tags. */
  updateVersion(bucket: Bucket, version: ObjectVersion, change: (draft: VersionRecord) => void): ObjectVersion {
    const stored = this.versions.update(String(version.sequence), change);
    bucket.objects.replace(stored);
    return stored;
  }

  /** Drops a version whose place another has taken. */
  dropVersion(bucket: Bucket, version: ObjectVersion): void {
    this.versions.delete(String(version.sequence));
    bucket.objects.remove(version);
  }

  /** Removes a version for good. */
  removeVersion(bucket: Bucket, version: ObjectVersion): void {
    this.dropVersion(bucket, version);
    for (const upload of bucket.uploads.ofKey(version.key))
      upload.record = this.uploads.update(upload.id, (draft) => {
        draft.deletedMeanwhile = true;
      });
  }

  /** Begins a multipart upload. */
  addUpload(bucket: Bucket, record: Omit<UploadRecord, 'sequence'>): Upload {
    const stored = this.uploads.put(record.uploadId, { ...record, sequence: ++this.sequence });
    return bucket.uploads.add(new Upload(stored));
  }

  /** Adds a part to an upload, in the place of one with its number. */
  addPart(upload: Upload, part: PartRecord): void {
    upload.put(this.parts.put(partKey(part), part));
  }

  /** Ends an upload, completed or not, and forgets its parts. */
  removeUpload(bucket: Bucket, upload: Upload): void {
    for (const part of upload.parts()) this.parts.delete(partKey(part));
    this.uploads.delete(upload.id);
    bucket.uploads.remove(upload);
  }
}

const partKey = ({ uploadId, number }: Pick<PartRecord, 'uploadId' | 'number'>): string => `${uploadId}/${number}`;

/** Makes the state of an account. */
export function createState(scope: StateScope): S3State {
  return new S3State(scope);
}
