import type { LifecycleRule } from '@emu/service-types/s3';
import { invalidArgument, invalidRequest } from '../errors.ts';

/** Storage classes in transition order: each can only precede later ones. */
const WATERFALL = [
  'STANDARD_IA',
  'INTELLIGENT_TIERING',
  'ONEZONE_IA',
  'GLACIER_IR',
  'GLACIER',
  'DEEP_ARCHIVE',
] as const;
/** Minimum days in these classes before the next transition. */
const STAY = 30;
const INFREQUENT = ['STANDARD_IA', 'ONEZONE_IA'];

type Unit = 'Days' | 'Date' | 'NoncurrentDays';

/** One action of a rule: its time, and the target class of a transition. */
interface Step {
  readonly unit: Unit;
  /** Days or epoch milliseconds. */
  readonly time: number;
  readonly storageClass: string;
}

/** Returns S3's description of a rule's filter. */
function scopeOf({ Prefix: own, Filter: filter }: LifecycleRule): string {
  if (own !== undefined) return `prefix '${own}'`;
  const { Prefix, ObjectSizeGreaterThan, ObjectSizeLessThan, And } = filter ?? {};
  const greater = ObjectSizeGreaterThan ?? And?.ObjectSizeGreaterThan;
  const less = ObjectSizeLessThan ?? And?.ObjectSizeLessThan;
  const prefix = Prefix ?? And?.Prefix;
  const tags = [...(filter?.Tag ? [filter.Tag] : []), ...(And?.Tags ?? [])];
  const parts = [
    ...(greater === undefined ? [] : [`objectsizegreaterthan=${greater}`]),
    ...(less === undefined ? [] : [`objectsizelessthan=${less}`]),
    ...(prefix === undefined ? [] : [`prefix=${prefix}`]),
    ...tags.map(({ Key, Value }) => `tag: key=${Key}, value=${Value}`),
  ];
  return `filter '(${parts.join(' and ')})'`;
}

const step = (days: number | undefined, date: Date | undefined, storageClass = ''): Step =>
  days === undefined
    ? { unit: 'Date', time: date?.getTime() ?? 0, storageClass }
    : { unit: 'Days', time: days, storageClass };

/**
 * Rejects transitions in wrong order.
 * @throws AwsError `InvalidRequest`, `InvalidArgument`
 */
function checkTransitions(steps: readonly Step[], action: string, scope: string): void {
  if (new Set(steps.map(({ storageClass }) => storageClass)).size < steps.length)
    throw invalidRequest(`'StorageClass' must be different for '${action}' actions in same 'Rule' with ${scope}`);
  if (new Set(steps.map(({ unit }) => unit)).size > 1)
    throw invalidRequest(`Found mixed 'Date' and 'Days' based Transition actions in lifecycle rule for ${scope}`);
  const rank = ({ storageClass }: Step) => WATERFALL.indexOf(storageClass as (typeof WATERFALL)[number]);
  const ordered = [...steps].sort((a, b) => rank(a) - rank(b));
  for (const [at, later] of ordered.entries()) {
    const earlier = ordered[at - 1];
    if (!earlier) continue;
    const { unit } = later;
    const stay = unit !== 'Date' && INFREQUENT.includes(earlier.storageClass) ? STAY : 0;
    if (later.time > earlier.time && later.time >= earlier.time + stay) continue;
    throw invalidArgument(
      `'${unit}' in the '${action}' action for StorageClass '${later.storageClass}' for ${scope} must be ${stay ? `${stay} days more` : 'greater'} than '${unit}' in the '${action}' action for StorageClass '${earlier.storageClass}' for ${scope}`,
      unit,
      shown(later),
    );
  }
}

const shown = ({ unit, time }: Step): string => (unit === 'Date' ? new Date(time).toISOString() : String(time));

/**
 * Rejects transitions at or after the expiration.
 * @throws AwsError `InvalidRequest`, `InvalidArgument`
 */
function checkEnd(
  end: Step,
  steps: readonly Step[],
  actions: readonly [end: string, move: string],
  scope: string,
): void {
  const { unit } = end;
  if (steps.some((one) => one.unit !== unit))
    throw invalidRequest(
      `Found mixed 'Date' and 'Days' based Expiration and Transition actions in lifecycle rule for ${scope}`,
    );
  if (steps.every(({ time }) => time < end.time)) return;
  throw invalidArgument(
    `'${unit}' in the ${actions[0]} action for ${scope} must be ${unit === 'Date' ? 'later' : 'greater'} than '${unit}' in the ${actions[1]} action`,
    unit,
    shown(end),
  );
}

/**
 * Checks the order of a rule's actions: valid transitions between classes, then expiration.
 * @throws AwsError `InvalidRequest`, `InvalidArgument`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-transition-general-considerations.html
 */
export function checkOrder(rule: LifecycleRule): void {
  const scope = scopeOf(rule);
  const { Expiration: expiration, NoncurrentVersionExpiration: noncurrent } = rule;
  const steps = (rule.Transitions ?? []).map(({ Days: days, Date: date, StorageClass }) =>
    step(days, date, StorageClass),
  );
  checkTransitions(steps, 'Transition', scope);
  if (steps.length > 0 && (expiration?.Days !== undefined || expiration?.Date !== undefined))
    checkEnd(step(expiration.Days, expiration.Date), steps, ['Expiration', 'Transition'], scope);
  const later = (rule.NoncurrentVersionTransitions ?? []).map(
    ({ NoncurrentDays: time = 0, StorageClass: storageClass = '' }): Step => ({
      unit: 'NoncurrentDays',
      time,
      storageClass,
    }),
  );
  checkTransitions(later, 'NoncurrentVersionTransition', scope);
  if (later.length > 0 && noncurrent?.NoncurrentDays !== undefined)
    checkEnd(
      { unit: 'NoncurrentDays', time: noncurrent.NoncurrentDays, storageClass: '' },
      later,
      ['NoncurrentVersionExpiration', 'NoncurrentVersionTransition'],
      scope,
    );
}

/** Kinds of actions in a rule. */
const kindsOf = (rule: LifecycleRule): string[] => [
  ...(rule.Expiration ? ['Expiration'] : []),
  ...(rule.Transitions?.length ? ['Transition'] : []),
  ...(rule.NoncurrentVersionExpiration ? ['NoncurrentVersionExpiration'] : []),
  ...(rule.NoncurrentVersionTransitions?.length ? ['NoncurrentVersionTransition'] : []),
  ...(rule.AbortIncompleteMultipartUpload ? ['AbortIncompleteMultipartUpload'] : []),
];

/**
 * Checks that rules are consistent: all with filters, or all with non-overlapping prefixes.
 * @throws AwsError `InvalidRequest`
 * @see https://github.com/noobaa/noobaa-core/issues/8426
 */
export function checkAgreement(rules: readonly LifecycleRule[]): void {
  const first = rules[0]?.Prefix !== undefined;
  if (rules.some(({ Prefix }) => (Prefix !== undefined) !== first))
    throw invalidRequest(
      first
        ? 'Filter element can only be used in Lifecycle V2.'
        : 'Base level prefix cannot be used in Lifecycle V2, prefixes are only supported in the Filter.',
    );
  if (!first) return;
  for (const rule of rules) {
    const newer = [rule.NoncurrentVersionExpiration, ...(rule.NoncurrentVersionTransitions ?? [])];
    if (newer.some((action) => action?.NewerNoncurrentVersions !== undefined))
      throw invalidRequest('NewerNoncurrentVersions element can only be used in Lifecycle V2.');
  }
  for (const [at, { Prefix: one = '', ...rule }] of rules.entries())
    for (const { Prefix: other = '', ...another } of rules.slice(0, at)) {
      if (!one.startsWith(other) && !other.startsWith(one)) continue;
      const kinds = kindsOf(rule);
      const both = kindsOf(another).find((kind) => kinds.includes(kind));
      if (both !== undefined)
        throw invalidRequest(`Found overlapping prefixes '${other}' and '${one}' for same action type '${both}'`);
    }
}
