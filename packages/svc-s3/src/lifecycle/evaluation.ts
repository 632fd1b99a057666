import { type DeepReadonly, Slices } from '@emu/core/service';
import type { LifecycleRule } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import type { Actor } from '../events/actor.ts';
import { eventOf } from '../events/messages.ts';
import { emit } from '../events/notifications.ts';
import type { ObjectEntry, ObjectVersion } from '../listing/object-index.ts';
import { checkDeletable } from '../objects/lock.ts';
import { writeDeleteMarker } from '../objects/versions.ts';
import type { S3State } from '../state.ts';
import { hasTags } from '../tags.ts';
import { dueTier, enabledTierings, INTELLIGENT_TIERING } from './access-tiers.ts';

type Rule = DeepReadonly<LifecycleRule>;

const DAY = 86_400_000;
/** Default minimum size in bytes of transitioned objects. */
const MIN_TRANSITION_SIZE = 128 * 1024;

/** Counts of one evaluation. */
export interface LifecycleResult {
  processedBuckets: number;
  expiredObjects: number;
  transitionedObjects: number;
  expiredDeleteMarkers: number;
  abortedMultipartUploads: number;
}

/**
 * Returns when a number of days has passed. S3 counts days from the following midnight (UTC).
 * @returns epoch milliseconds
 */
export const dueAfter = (start: number, days: number): number => Math.ceil((start + days * DAY) / DAY) * DAY;

/** Whether a rule's filter selects an object. */
function matches(
  { Filter: filter, Prefix: prefix }: Rule,
  { key, size, tags }: Pick<ObjectVersion, 'key' | 'size' | 'tags'>,
): boolean {
  const and = filter?.And;
  for (const one of [prefix, filter?.Prefix, and?.Prefix]) if (one !== undefined && !key.startsWith(one)) return false;
  for (const one of [filter?.ObjectSizeGreaterThan, and?.ObjectSizeGreaterThan])
    if (one !== undefined && size <= one) return false;
  for (const one of [filter?.ObjectSizeLessThan, and?.ObjectSizeLessThan])
    if (one !== undefined && size >= one) return false;
  const wanted = [...(filter?.Tag ? [filter.Tag] : []), ...(and?.Tags ?? [])];
  return hasTags(tags, wanted);
}

/**
 * Whether a rule's filter has its own size limits, which override the minimum size of transitions.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html
 */
const filtersBySize = ({ Filter: filter }: Rule): boolean =>
  [filter, filter?.And].some(
    (part) => part?.ObjectSizeGreaterThan !== undefined || part?.ObjectSizeLessThan !== undefined,
  );

const enabledRules = (bucket: Bucket): Rule[] =>
  (bucket.record.configurations.lifecycle?.rules ?? []).filter(({ Status }) => Status === 'Enabled');

/** Returns when a rule expires a current version; undefined if it does not. */
function expiryBy({ Expiration: expiration }: Rule, version: ObjectVersion): number | undefined {
  if (expiration?.Days !== undefined) return dueAfter(version.lastModified, expiration.Days);
  return expiration?.Date?.getTime();
}

/** Returns when a current version expires by its earliest rule, in epoch milliseconds. */
export const expirationTime = (bucket: Bucket, version: ObjectVersion): number | undefined =>
  firstExpiry(bucket, version)?.at;

/** Returns `x-amz-expiration` of a current version, from its earliest rule. */
export function expirationHeader(bucket: Bucket, version: ObjectVersion): string | undefined {
  const first = bucket.record.configurations.lifecycle && firstExpiry(bucket, version);
  return first && `expiry-date="${new Date(first.at).toUTCString()}", rule-id="${encodeURIComponent(first.id)}"`;
}

function firstExpiry(bucket: Bucket, version: ObjectVersion): { at: number; id: string } | undefined {
  let first: { at: number; id: string } | undefined;
  for (const rule of enabledRules(bucket)) {
    const at = matches(rule, version) ? expiryBy(rule, version) : undefined;
    if (at !== undefined && (!first || at < first.at)) first = { at, id: rule.ID! };
  }
  return first;
}

/**
 * Evaluates the rules of all buckets of an account, in slices between requests. Evaluations of an account run
 * sequentially.
 */
export function runLifecycle(actor: Actor, state: S3State): Promise<LifecycleResult> {
  const run = state.lifecycle.then(() => evaluate(actor, state));
  state.lifecycle = run.catch(() => undefined);
  return run;
}

async function evaluate(actor: Actor, state: S3State): Promise<LifecycleResult> {
  const result: LifecycleResult = {
    processedBuckets: 0,
    expiredObjects: 0,
    transitionedObjects: 0,
    expiredDeleteMarkers: 0,
    abortedMultipartUploads: 0,
  };
  const slices = new Slices();
  for (const bucket of state.buckets()) {
    const rules = enabledRules(bucket);
    const tierings = enabledTierings(bucket);
    if (rules.length === 0 && tierings.length === 0) {
      bucket.discardDueKeys();
      continue;
    }
    result.processedBuckets++;
    try {
      await new BucketLifecycle(actor, state, bucket, { rules, tierings }, result).run(slices);
    } catch (error) {
      // The next evaluation visits the remaining keys.
      bucket.discardDueKeys();
      throw error;
    }
    if (state.closed) break;
  }
  return result;
}

/** Returns the configurations that move or remove the objects of a bucket. */
const configurationsOf = ({ record: { configurations } }: Bucket): (object | undefined)[] => [
  configurations.lifecycle,
  configurations.intelligentTiering,
];

/** One evaluation of a bucket's lifecycle rules and archive tiers. */
class BucketLifecycle {
  private readonly now: number;
  private readonly rules: readonly Rule[];
  private readonly tierings: ReturnType<typeof enabledTierings>;
  private readonly configurations: readonly (object | undefined)[];
  /** Next due time of the visited key so far, in epoch milliseconds. */
  private next = Number.POSITIVE_INFINITY;

  constructor(
    private readonly actor: Actor,
    private readonly state: S3State,
    private readonly bucket: Bucket,
    { rules, tierings }: { rules: readonly Rule[]; tierings: ReturnType<typeof enabledTierings> },
    private readonly result: LifecycleResult,
  ) {
    this.now = actor.clock.now();
    this.rules = rules;
    this.tierings = tierings;
    this.configurations = configurationsOf(bucket);
  }

  /** Visits keys changed or due since the last evaluation, or all if the rules are new. */
  async run(slices: Slices): Promise<void> {
    const due = this.bucket.dueKeys(this.configurations);
    for (const key of due.take(this.now)) {
      const entry = this.bucket.objects.get(key);
      if (entry) due.set(key, this.evaluate(entry));
      const pause = slices.pause();
      if (!pause) continue;
      await pause;
      if (this.isOver()) return;
    }
    this.uploads();
  }

  /** Whether the bucket or its rules are replaced: the next evaluation handles the new configuration. */
  private isOver(): boolean {
    const { state, bucket } = this;
    return (
      state.closed ||
      state.bucket(bucket.name) !== bucket ||
      configurationsOf(bucket).some((one, index) => one !== this.configurations[index])
    );
  }

  /** @returns next due time of the unchanged key, in epoch milliseconds; infinity for never */
  private evaluate(entry: ObjectEntry): number {
    this.next = Number.POSITIVE_INFINITY;
    this.noncurrent(entry);
    this.current(entry);
    if (this.tierings.length > 0) this.archive(entry);
    return this.next;
  }

  /** Whether a time has come; a future time becomes the key's next due time. */
  private reached(at: number): boolean {
    if (at > this.now) this.next = Math.min(this.next, at);
    return at <= this.now;
  }

  private current({ versions }: ObjectEntry): void {
    const newest = versions[0];
    if (!newest) return;
    for (const rule of this.rules) {
      if (!matches(rule, newest)) continue;
      if (newest.deleteMarker) {
        if (versions.length === 1 && this.markerDue(rule, newest)) {
          this.state.removeVersion(this.bucket, newest);
          this.result.expiredDeleteMarkers++;
          this.announce(newest, 'LifecycleExpiration:Delete');
          return;
        }
        continue;
      }
      const at = expiryBy(rule, newest);
      if (at !== undefined && this.reached(at) && this.expire(newest)) return;
    }
    if (!newest.deleteMarker) this.transition(newest);
  }

  private markerDue({ Expiration: expiration }: Rule, marker: ObjectVersion): boolean {
    if (expiration?.ExpiredObjectDeleteMarker) return true;
    return expiration?.Days !== undefined && this.reached(dueAfter(marker.lastModified, expiration.Days));
  }

  /** @returns whether the version is no longer current */
  private expire(version: ObjectVersion): boolean {
    if (this.bucket.record.versioning === undefined) {
      this.state.removeVersion(this.bucket, version);
      this.announce(version, 'LifecycleExpiration:Delete');
    } else {
      const marker = writeDeleteMarker(this.actor, this.bucket, version.key);
      this.announce(marker, 'LifecycleExpiration:DeleteMarkerCreated');
    }
    this.result.expiredObjects++;
    return true;
  }

  private transition(version: ObjectVersion): void {
    if (this.rules.length === 0) return;
    const { minimumObjectSize } = this.bucket.record.configurations.lifecycle!;
    let latest: { at: number; storageClass: string; sized: boolean } | undefined;
    for (const rule of this.rules) {
      if (!matches(rule, version)) continue;
      for (const { Days: days, Date: date, StorageClass: storageClass } of rule.Transitions ?? []) {
        const at = days === undefined ? date!.getTime() : dueAfter(version.lastModified, days);
        if (this.reached(at) && (!latest || at >= latest.at))
          latest = { at, storageClass: storageClass!, sized: filtersBySize(rule) };
      }
    }
    if (!latest || latest.storageClass === version.storageClass) return;
    const archive = latest.storageClass === 'GLACIER' || latest.storageClass === 'DEEP_ARCHIVE';
    const tooSmall =
      version.size < MIN_TRANSITION_SIZE &&
      !latest.sized &&
      !(minimumObjectSize === 'varies_by_storage_class' && archive);
    if (!tooSmall) this.move(version, latest.storageClass);
  }

  private move(version: ObjectVersion, storageClass: string): void {
    this.state.updateVersion(this.bucket, version, (draft) => {
      (draft as { storageClass: string }).storageClass = storageClass;
      delete draft.archiveTier;
      delete draft.accessedAt;
      if (storageClass === INTELLIGENT_TIERING) draft.accessedAt = this.now;
    });
    this.result.transitionedObjects++;
    this.announce(version, 'LifecycleTransition', {
      extra: { lifecycleEventData: { transitionEventData: { destinationStorageClass: storageClass } } },
      detail: { 'destination-storage-class': storageClass },
    });
  }

  /** Moves versions without access to archive tiers. */
  private archive({ versions }: ObjectEntry): void {
    for (const version of [...versions]) {
      const tier = dueTier(this.tierings, version, dueAfter, (at) => this.reached(at));
      if (!tier) continue;
      this.state.updateVersion(this.bucket, version, (draft) => {
        draft.archiveTier = tier;
      });
      this.result.transitionedObjects++;
      this.announce(version, 'IntelligentTiering', {
        extra: { intelligentTieringEventData: { destinationAccessTier: tier } },
        detail: { 'destination-access-tier': tier },
      });
    }
  }

  private noncurrent({ versions }: ObjectEntry): void {
    // Copied, because removing versions changes the list.
    const all = [...versions];
    for (let at = 1; at < all.length; at++) {
      const version = all[at]!;
      const since = all[at - 1]!.lastModified;
      if (!this.removeNoncurrent(version, since, at)) this.moveNoncurrent(version, since, at);
    }
  }

  private removeNoncurrent(version: ObjectVersion, since: number, newer: number): boolean {
    for (const rule of this.rules) {
      const { NoncurrentDays: days, NewerNoncurrentVersions: keep = 0 } = rule.NoncurrentVersionExpiration ?? {};
      if (days === undefined || !matches(rule, version) || newer <= keep) continue;
      if (!this.reached(dueAfter(since, days))) continue;
      try {
        checkDeletable(version, false, this.now);
      } catch {
        // Locked versions stay; an evaluation after the lock ends removes them.
        if (version.retention) this.reached(version.retention.until);
        return false;
      }
      this.state.removeVersion(this.bucket, version);
      if (version.deleteMarker) this.result.expiredDeleteMarkers++;
      else this.result.expiredObjects++;
      this.announce(version, 'LifecycleExpiration:Delete');
      return true;
    }
    return false;
  }

  private moveNoncurrent(version: ObjectVersion, since: number, newer: number): void {
    if (version.deleteMarker) return;
    for (const rule of this.rules)
      for (const {
        NoncurrentDays: days = 0,
        NewerNoncurrentVersions: keep = 0,
        StorageClass: storageClass,
      } of rule.NoncurrentVersionTransitions ?? [])
        if (
          matches(rule, version) &&
          newer > keep &&
          storageClass !== version.storageClass &&
          (version.size >= MIN_TRANSITION_SIZE || filtersBySize(rule)) &&
          this.reached(dueAfter(since, days))
        ) {
          this.move(version, storageClass!);
          return;
        }
  }

  private uploads(): void {
    for (const upload of this.bucket.uploads.sorted()) {
      const { key, initiatedAt } = upload.record;
      const due = this.rules.some((rule) => {
        const days = rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation;
        return (
          days !== undefined &&
          matches(rule, { key, size: 0, tags: undefined }) &&
          dueAfter(initiatedAt, days) <= this.now
        );
      });
      if (!due) continue;
      this.state.removeUpload(this.bucket, upload);
      this.result.abortedMultipartUploads++;
    }
  }

  private announce(
    version: ObjectVersion,
    name: string,
    more: { extra?: Record<string, unknown>; detail?: Record<string, unknown> } = {},
  ): void {
    emit(this.actor, this.bucket, { ...eventOf(this.bucket, version), name, reason: 'Lifecycle Expiration', ...more });
  }
}
