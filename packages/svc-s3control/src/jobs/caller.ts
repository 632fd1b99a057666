import type {
  CallOptions,
  OperationInput,
  OperationName,
  OperationOutput,
  Principal,
  ServiceName,
  StateScope,
} from '@emu/core';
import { AwsError } from '@emu/wire';
import { jobType } from '../resources.ts';
import { JobFailedError } from './errors.ts';
import type { JobRecord } from './records.ts';

/** Who assumes the roles of jobs. */
const SERVICE = 'batchoperations.s3.amazonaws.com';

/** Calls other services as a job's role, whose permissions decide. */
export type JobCall = <Service extends ServiceName, Operation extends OperationName<Service>>(
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
) => Promise<OperationOutput<Service, Operation>>;

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
    const { Credentials, AssumedRoleUser } = await scope.call(
      'sts',
      'AssumeRole',
      { RoleArn: roleArn, RoleSessionName: `s3-batch-operations_${jobId}` },
      {
        principal: { type: 'service', accountId, arn: SERVICE, userId: SERVICE },
        authorize: { sourceAccount: accountId, sourceArn: jobType.arn({ id: jobId }, scope) },
        cause,
      },
    );
    const { Arn: arn, AssumedRoleId: userId } = AssumedRoleUser!;
    const principal: Principal = {
      type: 'assumed-role',
      accountId: arn.split(':')[4]!,
      arn,
      userId,
      accessKeyId: Credentials!.AccessKeyId,
    };
    const options: CallOptions = { principal, authorize: {}, cause };
    return (service, operation, input) => scope.call(service, operation, input, options);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new JobFailedError(error.code, `Failed to assume the role of the job: ${error.code}: ${error.message}`);
  }
}
