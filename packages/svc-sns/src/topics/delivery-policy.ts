import { jsonSyntaxError } from '@emu/core/patterns';
import { isObject } from '@emu/wire';
import { invalidParameter } from '../errors.ts';

type BackoffFunction = 'linear' | 'arithmetic' | 'geometric' | 'exponential';

/** Retry policy of failed deliveries. Delays are seconds. */
export interface RetryPolicy {
  readonly minDelayTarget: number;
  readonly maxDelayTarget: number;
  readonly numRetries: number;
  readonly numMaxDelayRetries: number;
  readonly numNoDelayRetries: number;
  readonly numMinDelayRetries: number;
  readonly backoffFunction: BackoffFunction;
}

type JsonObject = Record<string, unknown>;

/** Default retry policy of SNS for HTTP endpoints. */
const DEFAULT_RETRY_POLICY: RetryPolicy = {
  minDelayTarget: 20,
  maxDelayTarget: 20,
  numRetries: 3,
  numMaxDelayRetries: 0,
  numNoDelayRetries: 0,
  numMinDelayRetries: 0,
  backoffFunction: 'linear',
};

/** Retry policy of SNS for AWS managed endpoints: SQS, Lambda and Firehose. */
export const AWS_MANAGED_RETRY_POLICY: RetryPolicy = {
  minDelayTarget: 1,
  maxDelayTarget: 20,
  numRetries: 100_015,
  numMaxDelayRetries: 100_000,
  numNoDelayRetries: 3,
  numMinDelayRetries: 2,
  backoffFunction: 'exponential',
};

export const DEFAULT_CONTENT_TYPE = 'text/plain; charset=UTF-8';

const CONTENT_TYPES = new Set([
  'text/css',
  'text/csv',
  'text/html',
  'text/plain',
  'text/xml',
  'application/atom+xml',
  'application/json',
  'application/octet-stream',
  'application/soap+xml',
  'application/x-www-form-urlencoded',
  'application/xhtml+xml',
  'application/xml',
]);
const BACKOFF_FUNCTIONS: readonly unknown[] = ['linear', 'arithmetic', 'geometric', 'exponential'];
const MAX_DELAY = 3600;
const MAX_RETRIES = 100;
const COUNTS = ['numRetries', 'numNoDelayRetries', 'numMinDelayRetries', 'numMaxDelayRetries'] as const;

/**
 * Returns the delay before a retry in milliseconds. The phases are: no delay, minimum delay, backoff, maximum delay.
 * @param retry number of the retry, counted from 1
 * @returns undefined after the last retry
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-message-delivery-retries.html
 */
export function retryDelay(policy: RetryPolicy, retry: number): number | undefined {
  const { numRetries, numNoDelayRetries, numMinDelayRetries, numMaxDelayRetries } = policy;
  if (retry > numRetries) return undefined;
  if (retry <= numNoDelayRetries) return 0;
  const afterNoDelay = retry - numNoDelayRetries;
  if (afterNoDelay <= numMinDelayRetries) return policy.minDelayTarget * 1000;
  const backoffs = numRetries - numNoDelayRetries - numMinDelayRetries - numMaxDelayRetries;
  const step = afterNoDelay - numMinDelayRetries;
  return step > backoffs ? policy.maxDelayTarget * 1000 : backoff(policy, step, backoffs);
}

/** Returns the delay of one retry of the backoff phase. */
function backoff(
  { minDelayTarget: min, maxDelayTarget: max, backoffFunction }: RetryPolicy,
  step: number,
  steps: number,
) {
  const progress = steps > 1 ? (step - 1) / (steps - 1) : 1;
  const seconds = {
    linear: () => min + (max - min) * progress,
    arithmetic: () => min + (max - min) * progress * ((1 + progress) / 2),
    geometric: () => min + (max - min) * progress ** 2,
    exponential: () => min * (max / min) ** progress,
  }[backoffFunction]();
  return Math.round(seconds * 1000);
}

/** Delivery policy of a topic for HTTP endpoints. Missing members have defaults. */
export interface TopicDeliveryPolicy {
  http: JsonObject;
}

/** Delivery policy of a subscription. */
export interface SubscriptionDeliveryPolicy {
  healthyRetryPolicy: JsonObject | null;
  sicklyRetryPolicy: null;
  throttlePolicy: JsonObject | null;
  requestPolicy: JsonObject | null;
  guaranteed: boolean;
}

/** Effective settings for the deliveries of a subscription. */
export interface EffectiveDeliveryPolicy {
  retry: RetryPolicy;
  /** Maximum deliveries per second; undefined for no limit. */
  maxReceivesPerSecond: number | undefined;
  contentType: string;
}

/**
 * Validates and normalizes a topic's DeliveryPolicy.
 * @returns undefined for an empty policy, which removes it
 * @throws AwsError `InvalidParameter`
 */
export function normalizeTopicPolicy(json: string, prefix: string): string | undefined {
  if (!json) return undefined;
  const policy = parse(json, prefix);
  if (!('http' in policy)) throw refuse(prefix, 'Unexpected JSON member');
  const { http } = policy;
  if (http === null) return undefined;
  if (!isObject(http)) throw refuse(prefix, 'http must be a JSON object');
  checkMembers(
    http,
    [
      'defaultHealthyRetryPolicy',
      'disableSubscriptionOverrides',
      'defaultThrottlePolicy',
      'defaultRequestPolicy',
      'defaultSicklyRetryPolicy',
    ],
    'http.',
    prefix,
  );
  const overrides = http.disableSubscriptionOverrides ?? false;
  if (typeof overrides !== 'boolean') throw refuse(prefix, 'http.disableSubscriptionOverrides must be a boolean');
  const retry = checkRetryPolicy(http.defaultHealthyRetryPolicy, 'http.defaultHealthyRetryPolicy', prefix);
  const throttle = checkThrottlePolicy(http.defaultThrottlePolicy, 'http.defaultThrottlePolicy', prefix);
  const request = checkRequestPolicy(http.defaultRequestPolicy, 'http.defaultRequestPolicy', prefix);
  return JSON.stringify({
    http: {
      ...(retry && { defaultHealthyRetryPolicy: retry }),
      disableSubscriptionOverrides: overrides,
      ...(throttle && { defaultThrottlePolicy: throttle }),
      ...(request && { defaultRequestPolicy: request }),
    },
  });
}

/**
 * Validates and normalizes a subscription's DeliveryPolicy.
 * @returns undefined for an empty policy, which removes it
 * @throws AwsError `InvalidParameter`
 */
export function normalizeSubscriptionPolicy(json: string, prefix: string): string | undefined {
  if (!json) return undefined;
  const policy = parse(json, prefix);
  checkMembers(
    policy,
    ['healthyRetryPolicy', 'sicklyRetryPolicy', 'throttlePolicy', 'requestPolicy', 'guaranteed'],
    '',
    prefix,
  );
  const normal: SubscriptionDeliveryPolicy = {
    healthyRetryPolicy: checkRetryPolicy(policy.healthyRetryPolicy, 'healthyRetryPolicy', prefix) ?? null,
    sicklyRetryPolicy: null,
    throttlePolicy: checkThrottlePolicy(policy.throttlePolicy, 'throttlePolicy', prefix) ?? null,
    requestPolicy: checkRequestPolicy(policy.requestPolicy, 'requestPolicy', prefix) ?? null,
    guaranteed: policy.guaranteed === true,
  };
  return JSON.stringify(normal);
}

/** Returns the `EffectiveDeliveryPolicy` of a topic. @param json its DeliveryPolicy */
export function describeTopicPolicy(json: string | undefined): string {
  const http = json ? (JSON.parse(json) as TopicDeliveryPolicy).http : {};
  return JSON.stringify({
    http: {
      defaultHealthyRetryPolicy: { ...DEFAULT_RETRY_POLICY, ...(http.defaultHealthyRetryPolicy as object | undefined) },
      disableSubscriptionOverrides: http.disableSubscriptionOverrides ?? false,
      ...(Boolean(http.defaultThrottlePolicy) && { defaultThrottlePolicy: http.defaultThrottlePolicy }),
      defaultRequestPolicy: http.defaultRequestPolicy ?? { headerContentType: DEFAULT_CONTENT_TYPE },
    },
  });
}

/** Returns the `EffectiveDeliveryPolicy` of a subscription. */
export function describeSubscriptionPolicy(topicJson: string | undefined, json: string | undefined): string {
  const { http, own } = policiesOf(topicJson, json);
  return JSON.stringify({
    healthyRetryPolicy: {
      ...DEFAULT_RETRY_POLICY,
      ...(http.defaultHealthyRetryPolicy as object | undefined),
      ...own?.healthyRetryPolicy,
    },
    sicklyRetryPolicy: null,
    throttlePolicy: own?.throttlePolicy ?? http.defaultThrottlePolicy ?? null,
    requestPolicy: own?.requestPolicy ?? http.defaultRequestPolicy ?? { headerContentType: DEFAULT_CONTENT_TYPE },
    guaranteed: own?.guaranteed ?? false,
  });
}

/** Returns the delivery settings of a subscription: its own policy, unless the topic disables overrides. */
export function effectivePolicy(topicJson: string | undefined, json: string | undefined): EffectiveDeliveryPolicy {
  const { http, own } = policiesOf(topicJson, json);
  const retry = {
    ...DEFAULT_RETRY_POLICY,
    ...(http.defaultHealthyRetryPolicy as object | undefined),
    ...own?.healthyRetryPolicy,
  };
  const throttle = (own?.throttlePolicy ?? http.defaultThrottlePolicy) as { maxReceivesPerSecond?: number } | undefined;
  const request = (own?.requestPolicy ?? http.defaultRequestPolicy) as { headerContentType?: string } | undefined;
  return {
    retry,
    maxReceivesPerSecond: throttle?.maxReceivesPerSecond,
    contentType: request?.headerContentType ?? DEFAULT_CONTENT_TYPE,
  };
}

function policiesOf(topicJson: string | undefined, json: string | undefined) {
  const http = topicJson ? (JSON.parse(topicJson) as TopicDeliveryPolicy).http : {};
  const own = json && !http.disableSubscriptionOverrides ? (JSON.parse(json) as SubscriptionDeliveryPolicy) : undefined;
  return { http, own };
}

function parse(json: string, prefix: string): JsonObject {
  const error = jsonSyntaxError(json);
  if (error) throw refuse(prefix, `failed to parse JSON. ${error}`);
  const policy: unknown = JSON.parse(json);
  if (!isObject(policy)) throw refuse(prefix, 'must be a JSON object');
  return policy;
}

const refuse = (prefix: string, reason: string) => invalidParameter(`${prefix}DeliveryPolicy: ${reason}`);

function checkMembers(value: JsonObject, known: readonly string[], path: string, prefix: string): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) throw refuse(prefix, `${path}${name} is not a known member`);
}

/** @returns undefined if missing or null */
function checkRetryPolicy(value: unknown, path: string, prefix: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw refuse(prefix, `${path} must be a JSON object`);
  checkMembers(value, Object.keys(DEFAULT_RETRY_POLICY), `${path}.`, prefix);
  const given = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  const policy = { ...DEFAULT_RETRY_POLICY, ...given } as RetryPolicy;
  for (const name of ['minDelayTarget', 'maxDelayTarget'] as const)
    if (!Number.isInteger(policy[name]) || policy[name] < 1 || policy[name] > MAX_DELAY)
      throw refuse(prefix, `${path}.${name} must be an integer between 1 and ${MAX_DELAY}`);
  if (policy.minDelayTarget > policy.maxDelayTarget)
    throw refuse(prefix, `${path}.minDelayTarget must be less than or equal to maxDelayTarget`);
  for (const name of COUNTS)
    if (!Number.isInteger(policy[name]) || policy[name] < 0 || policy[name] > MAX_RETRIES)
      throw refuse(prefix, `${path}.${name} must be an integer between 0 and ${MAX_RETRIES}`);
  const { numRetries, numNoDelayRetries, numMinDelayRetries, numMaxDelayRetries } = policy;
  if (numNoDelayRetries + numMinDelayRetries + numMaxDelayRetries > numRetries)
    throw refuse(
      prefix,
      `${path}.numRetries must be greater than or equal to total of numNoDelayRetries, numMinDelayRetries and numMaxDelayRetries`,
    );
  if (!BACKOFF_FUNCTIONS.includes(policy.backoffFunction))
    throw refuse(prefix, `${path}.backoffFunction must be one of linear, arithmetic, geometric or exponential`);
  return given;
}

function checkThrottlePolicy(value: unknown, path: string, prefix: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw refuse(prefix, `${path} must be a JSON object`);
  checkMembers(value, ['maxReceivesPerSecond'], `${path}.`, prefix);
  const rate = value.maxReceivesPerSecond;
  if (rate === undefined || rate === null) return undefined;
  if (!Number.isInteger(rate) || (rate as number) < 1)
    throw refuse(prefix, `${path}.maxReceivesPerSecond must be an integer greater than or equal to 1`);
  return { maxReceivesPerSecond: rate };
}

function checkRequestPolicy(value: unknown, path: string, prefix: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw refuse(prefix, `${path} must be a JSON object`);
  checkMembers(value, ['headerContentType'], `${path}.`, prefix);
  const type = value.headerContentType;
  if (type === undefined || type === null) return undefined;
  if (typeof type !== 'string' || !CONTENT_TYPES.has(type.split(';')[0]!.trim().toLowerCase()) || /[\r\n]/.test(type))
    throw refuse(prefix, `${path}.headerContentType is not a supported content type`);
  return { headerContentType: type };
}
