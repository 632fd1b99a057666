import { type Principal, parseArn, partitionOf, rootOf } from '@emu/core';
import { invalid } from './errors.ts';

/** Managed policies that scope a root session. */
const TASK_POLICIES: ReadonlySet<string> = new Set([
  'policy/root-task/IAMAuditRootUserCredentials',
  'policy/root-task/IAMCreateRootUserPassword',
  'policy/root-task/IAMDeleteRootUserCredentials',
  'policy/root-task/S3UnlockBucketPolicy',
  'policy/root-task/SQSUnlockQueuePolicy',
]);

/**
 * The root user that AssumeRoot's target names, by account id or by the ARN of the root user.
 * @param region of the request, whose partition the root user is in
 * @throws AwsError `ValidationError`
 */
export function parseTarget(target: string, region: string): Omit<Principal, 'accessKeyId'> {
  const arn = parseArn(target);
  const accountId = arn
    ? arn.partition === partitionOf(region) && arn.service === 'iam' && arn.resource === 'root' && arn.accountId
    : target;
  if (!accountId || !/^\d{12}$/.test(accountId)) throw invalid(`${target} is invalid`);
  return rootOf(accountId, region);
}

/**
 * The ARN of a task policy, e.g. `arn:aws:iam::aws:policy/root-task/S3UnlockBucketPolicy`.
 * @throws AwsError `ValidationError` for any other policy
 */
export function requireTaskPolicy(arn: string | undefined, partition: string): string {
  const parsed = parseArn(arn ?? '');
  const isAws = parsed?.service === 'iam' && parsed.region === '' && parsed.accountId === 'aws';
  if (arn === undefined || !isAws || parsed.partition !== partition || !TASK_POLICIES.has(parsed.resource))
    throw invalid(`ARN ${arn ?? ''} is not valid.`);
  return arn;
}
