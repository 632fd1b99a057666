import { invalidAttributeName, invalidAttributeValue, sqsError } from '../errors.ts';
import { normalizePolicy } from '../policy.ts';
import type { QueueRecord } from '../records.ts';
import { normalizeRedriveAllowPolicy, normalizeRedrivePolicy } from './redrive-policy.ts';

/**
 * Normalizes a value for storage; an empty one removes the attribute.
 * @throws AwsError for an invalid value
 */
type Normalize = (value: string, name: string) => string;

interface AttributeRule {
  normalize: Normalize;
  /** Default value; undefined if the attribute is absent by default. */
  initial?: string;
  /** Only for FIFO queues. */
  fifo?: true;
}

function integer(minimum: number, maximum: number): Normalize {
  return (value, name) => {
    if (!/^\d{1,9}$/.test(value)) throw invalidAttributeValue(name);
    const number = Number(value);
    if (number < minimum || number > maximum) throw invalidAttributeValue(name);
    return String(number);
  };
}

function oneOf(...values: string[]): Normalize {
  return (value, name) => {
    if (!values.includes(value)) throw invalidAttributeValue(name);
    return value;
  };
}

const trueOrFalse = oneOf('true', 'false');
/** SQS accepts any case, such as Python's `True`. */
const boolean: Normalize = (value, name) => trueOrFalse(value.toLowerCase(), name);

const keyReusePeriod = integer(60, 86_400);

/** Settable attributes with their ranges and defaults (CreateQueue in the SQS API reference). */
const RULES: Readonly<Record<string, AttributeRule>> = {
  VisibilityTimeout: { normalize: integer(0, 43_200), initial: '30' },
  MaximumMessageSize: { normalize: integer(1024, 1_048_576), initial: '1048576' },
  MessageRetentionPeriod: { normalize: integer(60, 1_209_600), initial: '345600' },
  DelaySeconds: { normalize: integer(0, 900), initial: '0' },
  ReceiveMessageWaitTimeSeconds: { normalize: integer(0, 20), initial: '0' },
  Policy: { normalize: normalizePolicy },
  RedrivePolicy: { normalize: normalizeRedrivePolicy },
  RedriveAllowPolicy: { normalize: normalizeRedriveAllowPolicy },
  SqsManagedSseEnabled: { normalize: boolean, initial: 'true' },
  KmsMasterKeyId: { normalize: (value) => value },
  KmsDataKeyReusePeriodSeconds: { normalize: (value, name) => (value ? keyReusePeriod(value, name) : '') },
  FifoQueue: { normalize: boolean, fifo: true, initial: 'true' },
  ContentBasedDeduplication: { normalize: boolean, fifo: true, initial: 'false' },
  DeduplicationScope: { normalize: oneOf('queue', 'messageGroup'), fifo: true, initial: 'queue' },
  FifoThroughputLimit: { normalize: oneOf('perQueue', 'perMessageGroupId'), fifo: true, initial: 'perQueue' },
};

/** Attributes set only by the service. */
const COMPUTED = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  'QueueArn',
] as const;

/** Names of service attributes in GetQueueAttributes. */
export type ComputedAttributes = Readonly<Record<(typeof COMPUTED)[number], string>>;

const isComputed = (name: string): name is keyof ComputedAttributes => (COMPUTED as readonly string[]).includes(name);

/**
 * Validates and normalizes the attributes of CreateQueue or SetQueueAttributes.
 * @throws AwsError `InvalidAttributeName`, `InvalidAttributeValue` or `InvalidParameterValue`
 */
export function normalizeAttributes(given: Readonly<Record<string, string>>, fifo: boolean): Record<string, string> {
  const normalized: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
    if (!rule) throw invalidAttributeName(`Unknown Attribute ${name}.`);
    if (rule.fifo && !fifo) throw fifoOnly(name);
    normalized[name] = rule.normalize(value, name);
  }
  return normalized;
}

function fifoOnly(name: string): Error {
  return name === 'DeduplicationScope' || name === 'FifoThroughputLimit'
    ? invalidAttributeName(`You can specify the ${name} only when FifoQueue is set to true.`)
    : invalidAttributeName(`Unknown Attribute ${name}.`);
}

/**
 * Merges normalized attributes into a queue's. Some are linked: a KMS key disables SQS-managed encryption and vice
 * versa; an empty value removes the attribute.
 * @throws AwsError `InvalidAttributeName` for two encryption types at once, `InvalidAttributeValue` for a throughput
 * limit incompatible with the deduplication scope
 */
export function mergeAttributes(
  current: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>>,
): Record<string, string> {
  if (changes.KmsMasterKeyId && changes.SqsManagedSseEnabled === 'true')
    throw invalidAttributeName(
      'You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.',
    );
  const merged: Record<string, string> = { ...current, ...changes };
  if (changes.KmsMasterKeyId) merged.SqsManagedSseEnabled = 'false';
  else if (changes.SqsManagedSseEnabled === 'true') {
    merged.KmsMasterKeyId = '';
    merged.KmsDataKeyReusePeriodSeconds = '';
  }
  for (const [name, value] of Object.entries(merged)) if (!value) delete merged[name];
  if (merged.FifoThroughputLimit === 'perMessageGroupId' && merged.DeduplicationScope !== 'messageGroup')
    throw sqsError(
      'InvalidAttributeValue',
      'The perMessageGroupId value for FifoThroughputLimit is allowed only when the value for DeduplicationScope is messageGroup.',
    );
  return merged;
}

/** Returns the value of a settable attribute or its default; undefined if absent. */
export function attributeOf(queue: Pick<QueueRecord, 'name' | 'attributes'>, name: string): string | undefined {
  const rule = RULES[name];
  if (!rule || (rule.fifo && !queue.name.endsWith('.fifo'))) return undefined;
  if (name === 'KmsDataKeyReusePeriodSeconds' && queue.attributes.KmsMasterKeyId)
    return queue.attributes[name] ?? '300';
  if (name === 'KmsDataKeyReusePeriodSeconds') return undefined;
  return queue.attributes[name] ?? rule.initial;
}

/**
 * Returns the attributes requested by GetQueueAttributes, without absent ones.
 * @throws AwsError `InvalidAttributeName` for an unknown name
 */
export function selectAttributes(
  queue: Pick<QueueRecord, 'name' | 'attributes'>,
  names: readonly string[],
  computed: () => ComputedAttributes,
): Record<string, string> {
  for (const name of names)
    if (name !== 'All' && !isComputed(name) && !Object.hasOwn(RULES, name))
      throw invalidAttributeName(`Unknown Attribute ${name}.`);
  const wanted = names.includes('All') ? [...Object.keys(RULES), ...COMPUTED] : names;
  const selected: Record<string, string> = {};
  let live: ComputedAttributes | undefined;
  for (const name of wanted) {
    if (isComputed(name)) live ??= computed();
    const value = isComputed(name) ? live![name] : attributeOf(queue, name);
    if (value !== undefined) selected[name] = value;
  }
  return selected;
}

/** Returns the first given attribute that differs from the queue's; undefined if all are equal. */
export function differingAttribute(
  queue: Pick<QueueRecord, 'name' | 'attributes'>,
  given: Readonly<Record<string, string>>,
): string | undefined {
  return Object.keys(given).find((name) => (given[name] || undefined) !== attributeOf(queue, name));
}
