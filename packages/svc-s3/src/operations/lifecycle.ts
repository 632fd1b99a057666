import type {
  InputOf,
  LifecycleExpiration,
  LifecycleRule,
  LifecycleRuleFilter,
  OutputOf,
  Transition,
} from '@emu/service-types/s3';
import { deleteSetting, getSetting, oneOf, putSetting } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, invalidRequest, malformedXml } from '../errors.ts';
import { checkAgreement, checkOrder } from '../lifecycle/rule-conflicts.ts';
import { requireBucket } from '../lookup.ts';

const MISSING = ['NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist'] as const;
const MAX_RULES = 1000;
/**
 * Maximum noncurrent versions kept by a rule. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_NoncurrentVersionExpiration.html
 */
const MAX_NEWER_VERSIONS = 100;
const DAY = 86_400_000;
const DEFAULT_SIZE = 'all_storage_classes_128K';
const TRANSITION_CLASSES = [
  'GLACIER',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'DEEP_ARCHIVE',
  'GLACIER_IR',
];
/** Minimum days before transitions to these classes. */
const IA_DAYS = 30;
/** Maximum size in a filter in bytes. */
const MAX_SIZE = 1_099_511_627_776_000;

/** @throws AwsError `InvalidArgument` */
function checkDate(date: Date | undefined): void {
  if (date !== undefined && date.getTime() % DAY !== 0)
    throw invalidArgument("'Date' must be at midnight GMT", 'Date', date.toISOString());
}

/** @throws AwsError `InvalidArgument` */
function checkDays(days: number | undefined, name: string, action: string): void {
  if (days !== undefined && days <= 0)
    throw invalidArgument(`'${name}' for ${action} action must be a positive integer`, name, String(days));
}

/** @throws AwsError `InvalidArgument` */
function checkNewer(versions: number | undefined, action: string): void {
  checkDays(versions, 'NewerNoncurrentVersions', action);
  if (versions !== undefined && versions > MAX_NEWER_VERSIONS)
    throw invalidArgument(
      `'NewerNoncurrentVersions' for ${action} action must be between 1 and ${MAX_NEWER_VERSIONS}`,
      'NewerNoncurrentVersions',
      String(versions),
    );
}

/** @throws AwsError `InvalidArgument` */
function checkMove(days: number | undefined, name: string, action: string, storageClass: string | undefined): void {
  oneOf(storageClass, TRANSITION_CLASSES);
  if (days === undefined) return;
  if (days < 0) throw invalidArgument(`'${name}' in ${action} action must be nonnegative`, name, String(days));
  if (days < IA_DAYS && (storageClass === 'STANDARD_IA' || storageClass === 'ONEZONE_IA'))
    throw invalidArgument(
      `'${name}' in ${action} action must be greater than or equal to ${IA_DAYS} for storageClass '${storageClass}'`,
      name,
      String(days),
    );
}

function checkExpiration(expiration: LifecycleExpiration): void {
  const { Date: date, Days: days, ExpiredObjectDeleteMarker: marker } = expiration;
  if ([date, days, marker].filter((part) => part !== undefined).length !== 1) throw malformedXml();
  checkDate(date);
  checkDays(days, 'Days', 'Expiration');
}

function checkTransition(transition: Transition): void {
  const { Date: date, Days: days, StorageClass: storageClass } = transition;
  if ((date === undefined) === (days === undefined)) throw malformedXml();
  checkDate(date);
  checkMove(days, 'Days', 'Transition', storageClass);
}

/** @throws AwsError `InvalidRequest` */
function checkSize(size: number | undefined, name: string, least: number): void {
  if (size !== undefined && (size < least || size > MAX_SIZE))
    throw invalidRequest(`'${name}' should be between ${least} and ${MAX_SIZE}.`);
}

function checkFilter(filter: LifecycleRuleFilter): void {
  const { Prefix: prefix, Tag: tag, ObjectSizeGreaterThan: greater, ObjectSizeLessThan: less, And: and } = filter;
  if ([prefix, tag, greater, less, and].filter((part) => part !== undefined).length > 1) throw malformedXml();
  if (and) {
    const { Prefix, ObjectSizeGreaterThan, ObjectSizeLessThan, Tags = [] } = and;
    const parts = [Prefix, ObjectSizeGreaterThan, ObjectSizeLessThan].filter((part) => part !== undefined);
    if (parts.length + Tags.length < 2) throw malformedXml();
  }
  const keys = (and?.Tags ?? []).map(({ Key }) => Key);
  if (new Set(keys).size < keys.length) throw invalidRequest('Duplicate Tag Keys are not allowed.');
  const low = greater ?? and?.ObjectSizeGreaterThan;
  const high = less ?? and?.ObjectSizeLessThan;
  checkSize(low, 'ObjectSizeGreaterThan', 0);
  checkSize(high, 'ObjectSizeLessThan', 1);
  if (low !== undefined && high !== undefined && low >= high)
    throw invalidRequest("'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'.");
}

/**
 * Rejects actions that do not support the rule's filter.
 * @throws AwsError `InvalidRequest`
 */
function checkActionsOfFilter({
  Filter: filter,
  Expiration: expiration,
  AbortIncompleteMultipartUpload: abort,
}: LifecycleRule): void {
  const tagged = filter?.Tag !== undefined || (filter?.And?.Tags?.length ?? 0) > 0;
  const sized = [filter, filter?.And].some(
    (part) => part?.ObjectSizeGreaterThan !== undefined || part?.ObjectSizeLessThan !== undefined,
  );
  if (!tagged && !sized) return;
  const looked = tagged ? 'Tags' : 'Object Size';
  if (abort) throw invalidRequest(`AbortIncompleteMultipartUpload cannot be specified with ${looked}.`);
  if (expiration?.ExpiredObjectDeleteMarker !== undefined)
    throw invalidRequest(`ExpiredObjectDeleteMarker cannot be specified with ${looked}.`);
}

/**
 * Validates a rule and adds a missing id.
 * @throws AwsError `MalformedXML`, `InvalidArgument`, `InvalidRequest`
 */
function checked(rule: LifecycleRule, ctx: S3Context): LifecycleRule {
  oneOf(rule.Status, ['Enabled', 'Disabled']);
  if ((rule.Prefix === undefined) === (rule.Filter === undefined)) throw malformedXml();
  if (rule.Filter) checkFilter(rule.Filter);
  if (rule.ID !== undefined && rule.ID.length > 255)
    throw invalidArgument('ID length should not exceed allowed limit of 255', 'ID', rule.ID);
  const { Expiration: expiration, Transitions: transitions = [], NoncurrentVersionExpiration: noncurrent } = rule;
  const actions = [
    expiration,
    noncurrent,
    rule.AbortIncompleteMultipartUpload,
    ...transitions,
    ...(rule.NoncurrentVersionTransitions ?? []),
  ];
  if (actions.every((action) => action === undefined))
    throw invalidRequest('At least one action needs to be specified in a rule');
  if (expiration) checkExpiration(expiration);
  for (const transition of transitions) checkTransition(transition);
  for (const { NoncurrentDays, NewerNoncurrentVersions, StorageClass } of rule.NoncurrentVersionTransitions ?? []) {
    checkMove(NoncurrentDays, 'NoncurrentDays', 'NoncurrentVersionTransition', StorageClass);
    checkNewer(NewerNoncurrentVersions, 'NoncurrentVersionTransition');
  }
  if (noncurrent) {
    if (noncurrent.NoncurrentDays === undefined) throw malformedXml();
    checkDays(noncurrent.NoncurrentDays, 'NoncurrentDays', 'NoncurrentVersionExpiration');
    checkNewer(noncurrent.NewerNoncurrentVersions, 'NoncurrentVersionExpiration');
  }
  checkDays(
    rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
    'DaysAfterInitiation',
    'AbortIncompleteMultipartUpload',
  );
  checkActionsOfFilter(rule);
  checkOrder(rule);
  return rule.ID === undefined || rule.ID === '' ? { ...rule, ID: ctx.ids.uuid() } : rule;
}

function checkedRules(rules: readonly LifecycleRule[], ctx: S3Context): LifecycleRule[] {
  if (rules.length === 0 || rules.length > MAX_RULES) throw malformedXml();
  const out = rules.map((rule) => checked(rule, ctx));
  checkAgreement(out);
  if (new Set(out.map(({ ID }) => ID)).size < out.length)
    throw invalidArgument('Rule ID must be unique. Found same ID for more than one rule', 'ID');
  return out;
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycleConfiguration.html */
export function PutBucketLifecycleConfiguration(
  input: InputOf<'PutBucketLifecycleConfiguration'>,
  ctx: S3Context,
): OutputOf<'PutBucketLifecycleConfiguration'> {
  requireBucket(ctx, input);
  if (!input.LifecycleConfiguration) throw malformedXml();
  const size = input.TransitionDefaultMinimumObjectSize ?? DEFAULT_SIZE;
  if (size !== DEFAULT_SIZE && size !== 'varies_by_storage_class')
    throw invalidRequest(`Invalid TransitionDefaultMinimumObjectSize found: ${size}`);
  const rules = checkedRules(input.LifecycleConfiguration.Rules, ctx);
  putSetting(ctx, input, 'lifecycle', { rules, minimumObjectSize: size });
  return { TransitionDefaultMinimumObjectSize: size };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketLifecycle.html */
export function PutBucketLifecycle(
  input: InputOf<'PutBucketLifecycle'>,
  ctx: S3Context,
): OutputOf<'PutBucketLifecycle'> {
  if (!input.LifecycleConfiguration) throw malformedXml();
  const rules = input.LifecycleConfiguration.Rules.map(
    ({ Transition: transition, NoncurrentVersionTransition: noncurrent, ...rule }): LifecycleRule => ({
      ...rule,
      ...(transition && { Transitions: [transition] }),
      ...(noncurrent && { NoncurrentVersionTransitions: [noncurrent] }),
    }),
  );
  return putSetting(ctx, input, 'lifecycle', { rules: checkedRules(rules, ctx), minimumObjectSize: DEFAULT_SIZE });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLifecycleConfiguration.html */
export function GetBucketLifecycleConfiguration(
  input: InputOf<'GetBucketLifecycleConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketLifecycleConfiguration'> {
  const { rules, minimumObjectSize } = getSetting(ctx, input, 'lifecycle', MISSING);
  return { Rules: rules, TransitionDefaultMinimumObjectSize: minimumObjectSize };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLifecycle.html */
export function GetBucketLifecycle(
  input: InputOf<'GetBucketLifecycle'>,
  ctx: S3Context,
): OutputOf<'GetBucketLifecycle'> {
  const { rules } = getSetting(ctx, input, 'lifecycle', MISSING);
  return {
    Rules: rules.map(({ Transitions, NoncurrentVersionTransitions, Filter, ...rule }) => ({
      ...rule,
      Prefix: rule.Prefix ?? Filter?.Prefix ?? '',
      Transition: Transitions?.[0],
      NoncurrentVersionTransition: NoncurrentVersionTransitions?.[0],
    })),
  };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketLifecycle.html */
export function DeleteBucketLifecycle(
  input: InputOf<'DeleteBucketLifecycle'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketLifecycle'> {
  return deleteSetting(ctx, input, 'lifecycle');
}
