import { parseArn } from '@emu/core/service';
import { type AwsError, isObject } from '@emu/wire';
import { invalidAttributeValue, invalidParameterValue, invalidValueFor } from '../errors.ts';
import { isFifoName } from './name.ts';

/** Destination of messages with the maximum receive count. */
export interface RedrivePolicy {
  deadLetterTargetArn: string;
  maxReceiveCount: number;
}

/** Queues that may use this one as dead-letter queue. */
export interface RedriveAllowPolicy {
  redrivePermission: 'allowAll' | 'denyAll' | 'byQueue';
  sourceQueueArns?: string[];
}

const MAX_SOURCE_QUEUES = 10;

function parseMap(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Validates a RedrivePolicy attribute and normalizes it as AWS returns it; an empty value removes it.
 * @throws AwsError `InvalidParameterValue`
 */
export function normalizeRedrivePolicy(json: string): string {
  if (!json) return '';
  const policy = parseMap(json);
  if (!policy) throw invalidValueFor('RedrivePolicy', json, 'Redrive policy is not a valid JSON map.');
  for (const name of ['maxReceiveCount', 'deadLetterTargetArn'])
    if (policy[name] === undefined || policy[name] === null)
      throw invalidValueFor('RedrivePolicy', json, `Redrive policy does not contain mandatory attribute: ${name}.`);
  const { deadLetterTargetArn, maxReceiveCount } = policy;
  const count = /^\d{1,9}$/.test(String(maxReceiveCount)) ? Number(maxReceiveCount) : 0;
  if (count < 1 || count > 1000)
    throw invalidValueFor(
      'RedrivePolicy',
      json,
      `Invalid value for maxReceiveCount: ${maxReceiveCount}, valid values are from 1 to 1000 both inclusive.`,
    );
  const arn = typeof deadLetterTargetArn === 'string' ? parseArn(deadLetterTargetArn) : undefined;
  if (arn?.service !== 'sqs')
    throw invalidValueFor('RedrivePolicy', json, 'Dead-letter target ARN should be fully qualified ARN.');
  if (Object.keys(policy).length > 2)
    throw invalidValueFor(
      'RedrivePolicy',
      json,
      'Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn].',
    );
  return JSON.stringify({ deadLetterTargetArn, maxReceiveCount: count });
}

/** Parses a policy from `normalizeRedrivePolicy`. */
export function parseRedrivePolicy(json: string | undefined): RedrivePolicy | undefined {
  return json ? (JSON.parse(json) as RedrivePolicy) : undefined;
}

/** Queue properties that a redrive policy's target must match. */
export interface RedriveSource {
  arn: string;
  fifo: boolean;
}

/** The target of a redrive policy, if it exists. */
export interface RedriveTarget {
  fifo: boolean;
  allowPolicy: string | undefined;
}

/**
 * Checks that a queue may use another as its dead-letter queue: existing, with the same owner, region and type, and
 * permitted by its redrive allow policy.
 * @returns the error if that queue is only missing; otherwise undefined
 * @throws AwsError `InvalidParameterValue`
 */
export function checkRedriveTarget(
  json: string,
  source: RedriveSource,
  find: (name: string) => RedriveTarget | undefined,
): AwsError | undefined {
  const own = parseArn(source.arn)!;
  const arn = parseArn(parseRedrivePolicy(json)!.deadLetterTargetArn)!;
  if (arn.accountId !== own.accountId)
    throw invalidValueFor('RedrivePolicy', json, 'Dead-letter target owner should be same as the source.');
  const missing = invalidValueFor('RedrivePolicy', json, 'Dead letter target does not exist.');
  const target = arn.region === own.region ? find(arn.resource) : undefined;
  if (!target) {
    if (arn.region === own.region && isFifoName(arn.resource) === source.fifo) return missing;
    throw missing;
  }
  if (target.fifo !== source.fifo)
    throw invalidValueFor('RedrivePolicy', json, 'Dead-letter queue must be same type of queue as the source.');
  if (!permitsSource(target.allowPolicy, source.arn))
    throw invalidValueFor(
      'RedrivePolicy',
      json,
      'The redrive allow policy of the dead-letter queue does not permit this source queue.',
    );
  return undefined;
}

function permitsSource(allowPolicy: string | undefined, sourceArn: string): boolean {
  if (!allowPolicy) return true;
  const { redrivePermission, sourceQueueArns } = JSON.parse(allowPolicy) as RedriveAllowPolicy;
  return redrivePermission === 'allowAll' || (sourceQueueArns?.includes(sourceArn) ?? false);
}

/**
 * Validates a RedriveAllowPolicy attribute; an empty value removes it.
 * @throws AwsError `InvalidAttributeValue` for its form, `InvalidParameterValue` for invalid combinations
 */
export function normalizeRedriveAllowPolicy(json: string): string {
  if (!json) return '';
  const refuse = (reason: string) =>
    invalidParameterValue(
      `Value ${json} for parameter RedriveAllowPolicy is invalid. Reason: Amazon SQS can't create the redrive allow policy. ${reason}`,
    );
  const policy = parseMap(json);
  if (!policy || !isAllowPolicy(policy))
    throw invalidAttributeValue(
      'RedriveAllowPolicy',
      "Amazon SQS can't create the redrive allow policy, as it’s in an unsupported format.",
    );
  const { redrivePermission, sourceQueueArns } = policy;
  if (redrivePermission !== 'byQueue' && sourceQueueArns)
    throw refuse('To specify one or more source queue ARNs, you must set redrivePermission to byQueue.');
  if (redrivePermission === 'byQueue' && !sourceQueueArns?.length)
    throw refuse(
      'When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values.',
    );
  if (sourceQueueArns && sourceQueueArns.length > MAX_SOURCE_QUEUES)
    throw refuse(`The maximum number of source queue ARNs you can specify is ${MAX_SOURCE_QUEUES}.`);
  return JSON.stringify(policy);
}

function isAllowPolicy(policy: Record<string, unknown>): policy is Record<string, unknown> & RedriveAllowPolicy {
  const { redrivePermission, sourceQueueArns, ...others } = policy;
  const arns = sourceQueueArns === undefined || Array.isArray(sourceQueueArns) ? (sourceQueueArns ?? []) : undefined;
  return (
    ['allowAll', 'denyAll', 'byQueue'].includes(redrivePermission as string) &&
    arns !== undefined &&
    (arns as unknown[]).every((arn) => typeof arn === 'string') &&
    Object.keys(others).length === 0
  );
}
