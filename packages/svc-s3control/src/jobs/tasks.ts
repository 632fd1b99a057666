import type { StateScope } from '@emu/core/service';
import type { Grant, PutObjectAclRequest } from '@emu/service-types/s3';
import type { JobOperation, S3AccessControlPolicy, S3Grant } from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import type { JobCall } from './caller.ts';
import { copyInput } from './copy.ts';
import { statusOf } from './errors.ts';
import { invokeFunction } from './lambda.ts';
import { failure, success, type Task, type TaskResult } from './records.ts';

/** Context of a job's tasks. */
export interface TaskRunner {
  readonly jobId: string;
  readonly operation: JobOperation;
  readonly call: JobCall;
  readonly scope: Pick<StateScope, 'ids' | 'region' | 'log'>;
}

/**
 * Runs one task of a job; an error becomes its result.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-operations.html
 */
export async function runTask(runner: TaskRunner, task: Task): Promise<TaskResult> {
  try {
    return await perform(runner, task);
  } catch (error) {
    if (error instanceof AwsError) return failure(statusOf(error), error.code, error.message);
    runner.scope.log.error('a task of a batch job failed', { job: runner.jobId, error });
    return failure(500, 'InternalError', 'We encountered an internal error. Please try again.');
  }
}

async function perform({ operation, call, jobId, scope }: TaskRunner, task: Task): Promise<TaskResult> {
  const object = { Bucket: task.bucket, Key: task.key, VersionId: task.versionId };
  const done = async (running: Promise<unknown>): Promise<TaskResult> => {
    await running;
    return success();
  };
  const {
    LambdaInvoke: lambda,
    S3PutObjectCopy: copy,
    S3PutObjectAcl: acl,
    S3PutObjectTagging: tagging,
    S3DeleteObjectTagging: untagging,
    S3InitiateRestoreObject: restore,
    S3PutObjectLegalHold: hold,
    S3PutObjectRetention: retention,
    S3ComputeObjectChecksum: checksum,
    S3UpdateObjectEncryption: encryption,
  } = operation;
  if (lambda) return invokeFunction(lambda, jobId, task, call, scope);
  if (copy) return done(call('s3', 'CopyObject', copyInput(copy, task)));
  if (acl) return done(call('s3', 'PutObjectAcl', { ...object, ...aclOf(acl.AccessControlPolicy!) }));
  if (tagging) return done(call('s3', 'PutObjectTagging', { ...object, Tagging: { TagSet: tagging.TagSet ?? [] } }));
  if (untagging) return done(call('s3', 'DeleteObjectTagging', { ...object }));
  if (restore) {
    const { ExpirationInDays: days, GlacierJobTier: tier = 'BULK' } = restore;
    const Tier = tier === 'BULK' ? 'Bulk' : 'Standard';
    return done(
      call('s3', 'RestoreObject', { ...object, RestoreRequest: { Days: days, GlacierJobParameters: { Tier } } }),
    );
  }
  if (hold) return done(call('s3', 'PutObjectLegalHold', { ...object, LegalHold: { Status: hold.LegalHold.Status } }));
  if (retention) {
    const { Retention, BypassGovernanceRetention: bypass } = retention;
    return done(
      call('s3', 'PutObjectRetention', { ...object, Retention, ...(bypass && { BypassGovernanceRetention: true }) }),
    );
  }
  if (encryption)
    return done(call('s3', 'UpdateObjectEncryption', { ...object, ObjectEncryption: encryption.ObjectEncryption! }));
  if (checksum) {
    const { ChecksumAlgorithm: algorithm, ChecksumType: type } = checksum;
    const computed = await call('s3', 'ComputeObjectChecksum', { ...object, algorithm, type });
    return success(JSON.stringify(computed));
  }
  return done(call('s3', 'ReplicateObject', { ...object }));
}

/** Converts an ACL for PutObjectAcl. */
function aclOf({
  AccessControlList: list,
  CannedAccessControlList: canned,
}: S3AccessControlPolicy): Pick<PutObjectAclRequest, 'ACL' | 'AccessControlPolicy'> {
  if (!list) return { ACL: canned };
  return { AccessControlPolicy: { Owner: { ID: list.Owner.ID }, Grants: (list.Grants ?? []).map(grantOf) } };
}

function grantOf({ Grantee: grantee, Permission }: S3Grant): Grant {
  const identifier = grantee?.Identifier;
  const Grantee = {
    id: { Type: 'CanonicalUser', ID: identifier } as const,
    emailAddress: { Type: 'AmazonCustomerByEmail', EmailAddress: identifier } as const,
    uri: { Type: 'Group', URI: identifier } as const,
  }[grantee?.TypeIdentifier ?? 'id'];
  return { Grantee, Permission };
}
