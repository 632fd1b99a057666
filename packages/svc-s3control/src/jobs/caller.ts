import {
  type CallOptions,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  type Principal,
  type ServiceName,
  ServiceRole,
  type StateScope,
} from '@emu/core/service';
import { jobType } from '../resources.ts';
import { JobFailedError } from './errors.ts';
import type { JobRecord } from './records.ts';

/** Roles of jobs. */
const jobRole = new ServiceRole({
  service: 'batchoperations.s3',
  session: 's3-batch-operations',
  refuse: (_roleArn, { code, message }) =>
    new JobFailedError(code, `Failed to assume the role of the job: ${code}: ${message}`),
});

/** Calls other services with a job's role and its permissions. */
export type JobCall = <Service extends ServiceName, Operation extends OperationName<Service>>(
  service: Service,
  operation: Operation,
  input: OperationInput<Service, Operation>,
) => Promise<OperationOutput<Service, Operation>>;

/**
 * Assumes a job's role.
 * @throws JobFailedError if the role does not trust S3 Batch Operations
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-iam-role-policies.html
 */
export async function assumeJobRole(
  scope: StateScope,
  { id: jobId, cause }: Pick<JobRecord, 'id' | 'cause'>,
  roleArn: string,
): Promise<JobCall> {
  const { Credentials, AssumedRoleUser } = await jobRole.assume(roleArn, scope, {
    RoleSessionName: `s3-batch-operations_${jobId}`,
    sourceArn: jobType.arn({ id: jobId }, scope),
    cause,
  });
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
}
