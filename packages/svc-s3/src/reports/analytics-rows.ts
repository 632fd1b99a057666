import type { DeepReadonly } from '@emu/core/service';
import type { AnalyticsConfiguration, AnalyticsFilter } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { entries } from '../buckets/object-pages.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { hasTags } from '../tags.ts';
import type { AnalysisRecord, AnalyticsActivity, AnalyticsRow } from './analytics-history.ts';

const DAY = 86_400_000;
const MB = 1024 * 1024;
/** Minimum object size in bytes for age groups; smaller objects only count in `ALL`. */
const MIN_SIZE = 128 * 1024;

/** Age groups by first day. */
const GROUPS: readonly (readonly [firstDay: number, name: string])[] = [
  [0, '000-014'],
  [15, '015-029'],
  [30, '030-044'],
  [45, '045-059'],
  [60, '060-074'],
  [75, '075-089'],
  [90, '090-119'],
  [120, '120-149'],
  [150, '150-179'],
  [180, '180-364'],
  [365, '365-729'],
  [730, '730+'],
];
const ALL = 'ALL';
/** Temporary group name for objects below the minimum size. */
const SMALL = '';

/** Returns the parsed filter of a configuration. */
function partsOf(filter: DeepReadonly<AnalyticsFilter> | undefined): {
  prefix: string;
  tags: readonly { readonly Key: string; readonly Value: string }[];
} {
  const { Prefix, Tag, And } = filter ?? {};
  return { prefix: Prefix ?? And?.Prefix ?? '', tags: [...(Tag ? [Tag] : []), ...(And?.Tags ?? [])] };
}

/** Whether an analysis includes a version. */
export function covers({ Filter }: DeepReadonly<AnalyticsConfiguration>, { key, tags: its }: ObjectVersion): boolean {
  const { prefix, tags } = partsOf(Filter);
  return key.startsWith(prefix) && hasTags(its, tags);
}

/**
 * Returns the age group of a version.
 * @param now epoch milliseconds
 */
export function ageGroupOf({ size, lastModified }: ObjectVersion, now: number): string {
  if (size < MIN_SIZE) return SMALL;
  const days = Math.floor((now - lastModified) / DAY);
  return (GROUPS.findLast(([firstDay]) => days >= firstDay) ?? GROUPS[0]!)[1];
}

interface Sums extends AnalyticsActivity {
  objects: number;
  stored: number;
}

const nothing = (): Sums => ({ objects: 0, stored: 0, uploaded: 0, retrieved: 0, gets: 0 });

/** Creates the rows of a day: per storage class one for each age group, then one for all objects. */
export function analyze(
  bucket: Bucket,
  configuration: DeepReadonly<AnalyticsConfiguration>,
  activity: DeepReadonly<Record<string, Record<string, AnalyticsActivity>>>,
  now: number,
): AnalyticsRow[] {
  const classes = new Map<string, Map<string, Sums>>([['STANDARD', new Map()]]);
  const sumsOf = (storageClass: string, age: string): Sums => {
    const ages = classes.get(storageClass) ?? new Map<string, Sums>();
    classes.set(storageClass, ages);
    const sums = ages.get(age) ?? nothing();
    ages.set(age, sums);
    return sums;
  };
  for (const { versions } of entries(bucket, partsOf(configuration.Filter).prefix))
    for (const version of versions) {
      if (version.deleteMarker || !covers(configuration, version)) continue;
      const sums = sumsOf(version.storageClass, ageGroupOf(version, now));
      sums.objects++;
      sums.stored += version.size;
    }
  for (const [storageClass, ages] of Object.entries(activity))
    for (const [age, counts] of Object.entries(ages)) add(sumsOf(storageClass, age), counts);
  return [...classes].flatMap(([storageClass, ages]) => rowsOf(storageClass, ages));
}

function add(sums: Sums, other: Partial<Sums> = {}): void {
  for (const name of Object.keys(other) as (keyof Sums)[]) sums[name] += other[name]!;
}

function rowsOf(storageClass: string, ages: ReadonlyMap<string, Sums>): AnalyticsRow[] {
  const rows: AnalyticsRow[] = [];
  const sum = nothing();
  const row = (age: string, sums: Sums): AnalyticsRow => ({
    storageClass,
    age,
    ...sums,
    // Of this age and older.
    ...(sum.stored > 0 && { accessRatio: sum.retrieved / sum.stored }),
  });
  for (const [, age] of [...GROUPS].reverse()) {
    const own = ages.get(age) ?? nothing();
    add(sum, own);
    rows.unshift(row(age, own));
  }
  add(sum, ages.get(SMALL));
  return [...rows, row(ALL, sum)];
}

/** Columns of a report. */
const COLUMNS = [
  'Date',
  'ConfigId',
  'Filter',
  'StorageClass',
  'ObjectAge',
  'ObjectCount',
  'DataUploaded_MB',
  'Storage_MB',
  'DataRetrieved_MB',
  'GetRequestCount',
  'CumulativeAccessRatio',
  'ObjectAgeForSIATransition',
  'RecommendedObjectAgeForSIATransition',
] as const;

/** Returns the filter as text: prefix and tags. */
function filterText({ Filter }: DeepReadonly<AnalyticsConfiguration>): string {
  const { prefix, tags } = partsOf(Filter);
  return [...(prefix === '' ? [] : [prefix]), ...tags.map(({ Key, Value }) => `${Key}=${Value}`)].join(';');
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** Formats a number with up to six decimals. */
const rounded = (value: number): string => String(Number(value.toFixed(6)));

/**
 * Yields the report lines, by age group and date, with those of all objects at the end. AWS's rules for recommended
 * transitions are unpublished: both columns stay empty, as in its first month.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/analytics-storage-class.html#analytics-storage-class-export-file-layout
 */
export function* reportLines(
  configuration: DeepReadonly<AnalyticsConfiguration>,
  analyses: readonly DeepReadonly<AnalysisRecord>[],
): Generator<string> {
  yield `${COLUMNS.join(',')}\n`;
  const what = [configuration.Id, filterText(configuration)].map(quoted);
  for (const group of [...GROUPS.map(([, name]) => name), ALL])
    for (const { at, rows } of analyses) {
      const [year, month, day] = new Date(at).toISOString().slice(0, 10).split('-');
      for (const { storageClass, age, objects, uploaded, stored, retrieved, gets, accessRatio } of rows) {
        if (age !== group) continue;
        const sizes = [uploaded, stored, retrieved].map((bytes) => rounded(bytes / MB));
        const ratio = accessRatio === undefined ? '' : rounded(accessRatio);
        yield `${[`${month}-${day}-${year}`, ...what, storageClass, age, objects, ...sizes, gets, ratio, '', ''].join(',')}\n`;
      }
    }
}
