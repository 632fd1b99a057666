import type { ContextValue, DeepReadonly } from '@emu/core';
import { INSTANCE } from './access-grants/instance.ts';
import { resourceName, type S3ControlContext } from './context.ts';
import type { JobOperation, Tag } from './generated/s3control.ts';
import { requestOf } from './jobs/records.ts';
import { operationName } from './jobs/requests.ts';

/** Members of inputs that conditions of permissions depend on. */
export interface ConditionInput {
  AccountId?: string;
  Name?: string;
  JobId?: string;
  ConfigId?: string;
  AccessGrantId?: string;
  AccessGrantsLocationId?: string;
  Operation?: JobOperation;
  Priority?: number;
}

/** Tags of the resource of a request; undefined where it has none. */
export function resourceTags(
  operation: string,
  input: ConditionInput,
  { state, accountId }: S3ControlContext,
): readonly DeepReadonly<Tag>[] | undefined {
  if (input.JobId !== undefined) return state.jobs.records.get(input.JobId)?.tags;
  if (input.ConfigId !== undefined) return state.storageLens.get(input.ConfigId)?.tags;
  if (operation.includes('AccessGrant') || operation === 'GetDataAccess') {
    if (input.AccountId !== accountId) return undefined;
    if (input.AccessGrantId !== undefined) return state.accessGrants.get(input.AccessGrantId)?.tags;
    const location = input.AccessGrantsLocationId;
    if (location !== undefined) return state.accessGrantsLocations.get(location)?.tags;
    return state.accessGrantsInstances.get(INSTANCE)?.tags;
  }
  if (input.Name === undefined) return undefined;
  const name = resourceName(input.Name);
  if (operation.includes('StorageLensGroup')) return state.storageLensGroups.get(name)?.tags;
  return state.accessPoints.get(name)?.tags;
}

/**
 * S3's condition keys of batch jobs.
 * @param key in lower case
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html#amazons3-policy-keys
 */
export function jobCondition(key: string, input: ConditionInput, ctx: S3ControlContext): ContextValue | undefined {
  const job = input.JobId === undefined ? undefined : ctx.state.jobs.records.get(input.JobId);
  switch (key) {
    case 's3:requestjoboperation':
      return input.Operation && operationName(input.Operation);
    case 's3:requestjobpriority':
      return input.Priority?.toString();
    case 's3:existingjoboperation':
      return job && operationName(requestOf(job).Operation);
    case 's3:existingjobpriority':
      return job?.priority.toString();
    case 's3:jobsuspendedcause':
      return job?.status === 'Suspended' ? 'AWAITING_CONFIRMATION' : undefined;
    default:
      return undefined;
  }
}
