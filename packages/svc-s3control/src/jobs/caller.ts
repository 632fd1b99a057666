import type { CallOptions, Principal, StateScope } from '@emu/core';
import { AwsError } from '@emu/wire';
import { jobType } from '../resources.ts';
import { JobFailedError } from './errors.ts';
import type { JobRecord } from './records.ts';

/** Who assumes the roles of jobs. */
const SERVICE = 'batchoperations.s3.amazonaws.com';

/** Calls other services as a job's role, whose permissions decide. */
export type JobCall = <Output>(service: string, operation: string, input: unknown) => Promise<Output>;

/**
 * Assumes a job's role.
 * @throws JobFailedError where the role does not let S3 Batch Operations assume it
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-iam-role-policies.html
 */
export async function assumeJobRole(
  scope: StateScope,
  { id: jobId, cause }: Pick<JobRecord, 'id' | 'cause'>,
  roleArn: string,
): Promise<JobCall> {
  const { accountId } = scope;
  try {
    const { Credentials, AssumedRoleUser } = await scope.call<{
      Credentials: { AccessKeyId: string };
      AssumedRoleUser: { AssumedRoleId: string; Arn: string };
    }>(
      'sts',
      'AssumeRole',
      { RoleArn: roleArn, RoleSessionName: `s3-batch-operations_${jobId}` },
      {
        principal: { type: 'service', accountId, arn: SERVICE, userId: SERVICE },
        authorize: { sourceAccount: accountId, sourceArn: jobType.arn({ id: jobId }, scope) },
        cause,
      },
    );
    const principal: Principal = {
      type: 'assumed-role',
      accountId: AssumedRoleUser.Arn.split(':')[4]!,
      arn: AssumedRoleUser.Arn,
      userId: AssumedRoleUser.AssumedRoleId,
      accessKeyId: Credentials.AccessKeyId,
    };
    const options: CallOptions = { principal, authorize: {}, cause };
    return (service, operation, input) => scope.call(service, operation, input, options);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new JobFailedError(error.code, `Failed to assume the role of the job: ${error.code}: ${error.message}`);
  }
}
