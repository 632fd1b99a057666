import { jsonSyntaxError } from '@emu/core/patterns';
import { isRoleArn } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { invalidParameter } from '../errors.ts';
import { checkPolicy } from '../policy.ts';
import { normalizeTopicPolicy } from './delivery-policy.ts';
import { LOGGED_ENDPOINTS } from './feedback.ts';

const NAME = /^[A-Za-z0-9_-]{1,256}$/;
const FIFO_NAME = /^[A-Za-z0-9_-]{1,251}\.fifo$/;
const FEEDBACK_ROLES = new Set(
  LOGGED_ENDPOINTS.flatMap((endpoint) => [`${endpoint}SuccessFeedbackRoleArn`, `${endpoint}FailureFeedbackRoleArn`]),
);
const SAMPLE_RATES = new Set(LOGGED_ENDPOINTS.map((endpoint) => `${endpoint}SuccessFeedbackSampleRate`));
const FIFO_ONLY = new Set(['ArchivePolicy', 'ContentBasedDeduplication', 'FifoThroughputScope']);
const MAX_DISPLAY_NAME = 100;
const MAX_ARCHIVE_DAYS = 365;

/**
 * Validates a topic name.
 * @throws AwsError `InvalidParameter` for an invalid name, or one that does not match the topic type
 */
export function checkTopicName(name: string, fifo: boolean): void {
  if (!(fifo ? FIFO_NAME : NAME).test(name)) throw invalidParameter('Topic Name');
}

/**
 * Validates an attribute of a topic.
 * @param prefix of error messages, `Attributes Reason: ` for CreateTopic
 * @returns the value to store; undefined to remove the attribute
 * @throws AwsError `InvalidParameter`
 */
export function normalizeTopicAttribute(
  name: string,
  value: string,
  { fifo, prefix }: { fifo: boolean; prefix: string },
): string | undefined {
  const invalid = (reason: string) => invalidParameter(`${prefix}${reason}`);
  if (FIFO_ONLY.has(name) && !fifo) throw invalid(`${name} is only supported for FIFO topics`);
  switch (name) {
    case 'DisplayName':
      if (value.length > MAX_DISPLAY_NAME) throw invalid('DisplayName: must be at most 100 characters long');
      return value || undefined;
    case 'Policy':
      if (!value) return undefined;
      checkPolicy(value, prefix);
      return value;
    case 'DeliveryPolicy':
      return normalizeTopicPolicy(value, prefix);
    case 'ContentBasedDeduplication':
    case 'FifoTopic':
      return oneOf(name, value.toLowerCase(), ['true', 'false'], invalid);
    case 'FifoThroughputScope':
      return oneOf(name, value, ['Topic', 'MessageGroup'], invalid);
    case 'SignatureVersion':
      return oneOf(name, value, ['1', '2'], invalid);
    case 'TracingConfig':
      return oneOf(name, value, ['PassThrough', 'Active'], invalid);
    case 'KmsMasterKeyId':
      return value || undefined;
    case 'ArchivePolicy':
      return normalizeArchivePolicy(value, invalid);
  }
  const rate = SAMPLE_RATES.has(name);
  if (!rate && !FEEDBACK_ROLES.has(name)) throw invalid(prefix ? `Unknown attribute ${name}` : 'AttributeName');
  if (!value) return undefined;
  if (rate ? !isPercentage(value) : !isRoleArn(value)) throw invalid(`${name}: Invalid value [${value}]`);
  return value;
}

function oneOf(name: string, value: string, allowed: readonly string[], invalid: (reason: string) => Error): string {
  if (!allowed.includes(value)) throw invalid(`${name}: Invalid value [${value}]. Must be ${allowed.join(' or ')}.`);
  return value;
}

const isPercentage = (value: string): boolean => /^\d{1,3}$/.test(value) && Number(value) <= 100;

/** Validates `{"MessageRetentionPeriod": "<days>"}`. An empty object ends archiving. */
function normalizeArchivePolicy(value: string, invalid: (reason: string) => Error): string | undefined {
  if (!value) return undefined;
  const error = jsonSyntaxError(value);
  if (error) throw invalid(`ArchivePolicy: failed to parse JSON. ${error}`);
  const policy: unknown = parseJson(value);
  if (!isObject(policy)) throw invalid('ArchivePolicy: must be a JSON object');
  const entries = Object.entries(policy);
  if (!entries.length) return undefined;
  const [[name, days], ...more] = entries as [[string, unknown]];
  if (name !== 'MessageRetentionPeriod' || more.length) throw invalid('ArchivePolicy: Unexpected JSON member');
  if (!/^\d{1,3}$/.test(String(days)) || Number(days) < 1 || Number(days) > MAX_ARCHIVE_DAYS)
    throw invalid(`ArchivePolicy: MessageRetentionPeriod must be between 1 and ${MAX_ARCHIVE_DAYS} days`);
  return value;
}

/** Returns the retention of an ArchivePolicy in days; undefined without one. */
export function archiveDays(policy: string | undefined): number | undefined {
  return policy ? Number((JSON.parse(policy) as { MessageRetentionPeriod: string }).MessageRetentionPeriod) : undefined;
}
