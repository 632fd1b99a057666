import { type Principal, parseArn, partitionOf, rootOf } from '@emu/core/service';
import { invalid } from '../errors.ts';

/** Managed policies that limit a root session. */
const TASK_POLICIES: ReadonlySet<string> = new Set([
  'policy/root-task/IAMAuditRootUserCredentials',
  'policy/root-task/IAMCreateRootUserPassword',
  'policy/root-task/IAMDeleteRootUserCredentials',
  'policy/root-task/S3UnlockBucketPolicy',
  'policy/root-task/SQSUnlockQueuePolicy',
]);

/**
 * Returns the root user in the target of AssumeRoot, which is an account id or a root user ARN.
 * @param region of the request, which determines the partition
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
 * Returns the ARN of a task policy, e.g. `arn:aws:iam::aws:policy/root-task/S3UnlockBucketPolicy`.
 * @throws AwsError `ValidationError` for any other policy
 */
export function requireTaskPolicy(arn: string | undefined, partition: string): string {
  const parsed = parseArn(arn ?? '');
  const isAws = parsed?.service === 'iam' && parsed.region === '' && parsed.accountId === 'aws';
  if (arn === undefined || !isAws || parsed.partition !== partition || !TASK_POLICIES.has(parsed.resource))
    throw invalid(`ARN ${arn ?? ''} is not valid.`);
  return arn;
}
