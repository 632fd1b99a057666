import { jsonSyntaxError } from '@emu/core/patterns';
import { isRoleArn, parseArn } from '@emu/core/service';
import { invalidParameter } from '../errors.ts';
import { normalizeSubscriptionPolicy } from '../topics/delivery-policy.ts';
import { checkFilterPolicy, type FilterPolicyScope } from './filter-policy.ts';
import { normalizeReplayPolicy } from './replay-policy.ts';

/** Data for the validation of an attribute. */
export interface AttributeSubject {
  protocol: string;
  endpoint: string;
  fifoTopic: boolean;
  /** Whether the topic archives its messages. */
  archived: boolean;
  /** Scope of a filter policy. */
  scope: FilterPolicyScope;
}

const SCOPES: readonly string[] = ['MessageAttributes', 'MessageBody'];
const RAW_PROTOCOLS = new Set(['http', 'https', 'sqs', 'firehose']);

/**
 * Validates an attribute of a subscription.
 * @param prefix of error messages, `Attributes Reason: ` for Subscribe
 * @returns the value to store; undefined to remove the attribute
 * @throws AwsError `InvalidParameter`
 */
export function normalizeSubscriptionAttribute(
  name: string,
  value: string,
  subject: AttributeSubject,
  prefix: string,
): string | undefined {
  const invalid = (reason: string) => invalidParameter(`${prefix}${reason}`);
  switch (name) {
    case 'RawMessageDelivery':
      if (!/^(true|false)$/i.test(value))
        throw invalid(`RawMessageDelivery: Invalid value [${value}]. Must be true or false.`);
      if (value.toLowerCase() === 'true' && !RAW_PROTOCOLS.has(subject.protocol))
        throw invalid(`Delivery protocol [${subject.protocol}] does not support raw message delivery.`);
      return value.toLowerCase();
    case 'FilterPolicyScope':
      if (!SCOPES.includes(value))
        throw invalid(
          `FilterPolicyScope: Invalid value [${value}]. Please use either MessageBody or MessageAttributes`,
        );
      return value;
    case 'FilterPolicy':
      if (/^\s*(\{\s*\}\s*)?$/.test(value)) return undefined;
      checkFilterPolicy(value, subject.scope, prefix);
      return value;
    case 'RedrivePolicy':
      return normalizeRedrivePolicy(value, subject, invalid);
    case 'DeliveryPolicy':
      return normalizeSubscriptionPolicy(value, prefix);
    case 'SubscriptionRoleArn':
      if (value && !isRoleArn(value)) throw invalid(`SubscriptionRoleArn: Invalid value [${value}]`);
      return value || undefined;
    case 'ReplayPolicy':
      return normalizeReplayPolicy(value, subject, invalid);
  }
  throw invalid('AttributeName');
}

/**
 * Validates all attributes of a new subscription.
 * @throws AwsError `InvalidParameter`
 */
export function normalizeSubscriptionAttributes(
  given: Readonly<Record<string, string>>,
  subject: Omit<AttributeSubject, 'scope'>,
): Record<string, string> {
  const prefix = 'Attributes Reason: ';
  const scope = given.FilterPolicyScope === 'MessageBody' ? 'MessageBody' : 'MessageAttributes';
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const normal = normalizeSubscriptionAttribute(name, value, { ...subject, scope }, prefix);
    if (normal !== undefined) kept[name] = normal;
  }
  if (subject.protocol === 'firehose' && !kept.SubscriptionRoleArn)
    throw invalidParameter(`${prefix}SubscriptionRoleArn is required for the firehose protocol`);
  return kept;
}

function normalizeRedrivePolicy(
  value: string,
  { fifoTopic, endpoint }: AttributeSubject,
  invalid: (reason: string) => Error,
): string | undefined {
  if (/^\s*(\{\s*\}\s*)?$/.test(value)) return undefined;
  const error = jsonSyntaxError(value);
  if (error) throw invalid(`RedrivePolicy: failed to parse JSON. ${error}`);
  const policy = JSON.parse(value) as { deadLetterTargetArn?: unknown } | null;
  const target = policy?.deadLetterTargetArn;
  const arn = typeof target === 'string' ? parseArn(target) : undefined;
  if (arn?.service !== 'sqs' || !/^\d{12}$/.test(arn.accountId) || !/^[\w.-]+$/.test(arn.resource))
    throw invalid('RedrivePolicy: deadLetterTargetArn is an invalid arn');
  if (fifoTopic && endpoint.endsWith('.fifo') && !arn.resource.endsWith('.fifo'))
    throw invalid('RedrivePolicy: must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic.');
  return value;
}
