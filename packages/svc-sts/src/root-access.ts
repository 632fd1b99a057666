import { type Principal, parseArn } from '@emu/core';
import { invalid } from './errors.ts';

/** Managed policies that scope a root session. */
const TASK_POLICIES = [
  'IAMAuditRootUserCredentials',
  'IAMCreateRootUserPassword',
  'IAMDeleteRootUserCredentials',
  'S3UnlockBucketPolicy',
  'SQSUnlockQueuePolicy',
];

/**
 * The root user that AssumeRoot's target names, by account id or by the ARN of the root user.
 * @throws AwsError `ValidationError`
 */
export function parseTarget(target: string, partition: string): Omit<Principal, 'accessKeyId'> {
  const arn = parseArn(target);
  const accountId = arn
    ? arn.partition === partition && arn.service === 'iam' && arn.resource === 'root' && arn.accountId
    : target;
  if (!accountId || !/^\d{12}$/.test(accountId)) throw invalid(`${target} is invalid`);
  return { type: 'root', accountId, arn: `arn:${partition}:iam::${accountId}:root`, userId: accountId };
}

/**
 * The ARN of a task policy, e.g. `arn:aws:iam::aws:policy/root-task/S3UnlockBucketPolicy`.
 * @throws AwsError `ValidationError` for any other policy
 */
export function requireTaskPolicy(arn: string | undefined, partition: string): string {
  const prefix = `arn:${partition}:iam::aws:policy/root-task/`;
  if (!arn?.startsWith(prefix) || !TASK_POLICIES.includes(arn.slice(prefix.length)))
    throw invalid(`ARN ${arn ?? ''} is not valid.`);
  return arn;
}
