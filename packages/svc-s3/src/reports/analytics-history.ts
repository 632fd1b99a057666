import { type Collection, type DeepReadonly, defineCollection, type StateScope } from '@emu/core/service';

/** Activity on objects of a storage class and age group since the last report. */
export interface AnalyticsActivity {
  /** Bytes. */
  uploaded: number;
  /** Bytes. */
  retrieved: number;
  gets: number;
}

/** Activity on a configuration's objects since the last report. */
export interface ActivityRecord {
  readonly bucket: string;
  /** Id of the configuration. */
  readonly id: string;
  /** By storage class, then age group. */
  counts: Record<string, Record<string, AnalyticsActivity>>;
}

/** A report row, without the members common to all rows. */
export interface AnalyticsRow extends AnalyticsActivity {
  readonly storageClass: string;
  /** An age group, or `ALL`. */
  readonly age: string;
  readonly objects: number;
  /** Bytes. */
  readonly stored: number;
  /** Undefined without stored objects. */
  readonly accessRatio?: number;
}

/** Analysis of one day. */
export interface AnalysisRecord {
  readonly bucket: string;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly rows: readonly AnalyticsRow[];
}

const activityCollection = defineCollection<ActivityRecord>('analytics-activity', 'account');
const analysisCollection = defineCollection<AnalysisRecord>('analytics', 'account');

/** Collections of storage class analysis. */
export const analyticsCollections = [activityCollection, analysisCollection] as const;

/** Days included in a report. */
const MAX_DAYS = 366;

/** Storage class analysis state of an account. */
export class AnalyticsHistory {
  private readonly activities: Collection<ActivityRecord>;
  private readonly analyses: Collection<AnalysisRecord>;

  constructor(scope: StateScope) {
    this.activities = scope.collection(activityCollection);
    this.analyses = scope.collection(analysisCollection);
  }

  /**
   * Adds activity of an object.
   * @param activity increments
   */
  count(bucket: string, id: string, storageClass: string, age: string, activity: AnalyticsActivity): void {
    const key = `${bucket}/${id}`;
    if (!this.activities.has(key)) this.activities.put(key, { bucket, id, counts: {} });
    this.activities.update(key, ({ counts }) => {
      const before = counts[storageClass]?.[age] ?? { uploaded: 0, retrieved: 0, gets: 0 };
      counts[storageClass] = {
        ...counts[storageClass],
        [age]: {
          uploaded: before.uploaded + activity.uploaded,
          retrieved: before.retrieved + activity.retrieved,
          gets: before.gets + activity.gets,
        },
      };
    });
  }

  /** Returns the activity since the last report. */
  activity(bucket: string, id: string): DeepReadonly<ActivityRecord['counts']> {
    return this.activities.get(`${bucket}/${id}`)?.counts ?? {};
  }

  /** Stores the analysis of a day and resets its activity; evicts the oldest days. */
  add(analysis: AnalysisRecord): void {
    const { bucket, id, at } = analysis;
    this.activities.delete(`${bucket}/${id}`);
    this.analyses.put(`${bucket}/${at}/${id}`, analysis);
    const all = this.of(bucket, id);
    for (const old of all.slice(0, Math.max(0, all.length - MAX_DAYS)))
      this.analyses.delete(`${bucket}/${old.at}/${id}`);
  }

  /** Returns all analyses of a configuration, oldest first. */
  of(bucket: string, id: string): DeepReadonly<AnalysisRecord>[] {
    return [...this.analyses.values()].filter((one) => one.bucket === bucket && one.id === id);
  }

  /** Removes a configuration, or all of a bucket. */
  discard(bucket: string, id?: string): void {
    for (const collection of [this.activities, this.analyses])
      for (const [key, record] of collection.entries())
        if (record.bucket === bucket && (id === undefined || record.id === id)) collection.delete(key);
  }
}
