import type { ContextValue } from '@emu/core/service';
import type { JobOperation } from '@emu/service-types/s3control';
import { grantScope } from './access-grants/scopes.ts';
import type { S3controlContext } from './context.ts';
import { requestOf } from './jobs/records.ts';
import { operationName } from './jobs/requests.ts';

/** Input members used by permission conditions. */
export interface ConditionInput {
  AccountId?: string;
  Name?: string;
  JobId?: string;
  ConfigId?: string;
  AccessGrantId?: string;
  AccessGrantsLocationId?: string;
  AccessGrantsLocationConfiguration?: { S3SubPrefix?: string };
  LocationScope?: string;
  S3PrefixType?: string;
  Operation?: JobOperation;
  Priority?: number;
}

/**
 * Returns S3's condition key of a batch job.
 * @param key in lower case
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html#amazons3-policy-keys
 */
export function jobCondition(key: string, input: ConditionInput, ctx: S3controlContext): ContextValue | undefined {
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

/**
 * Returns the scope of an existing or new location or grant of S3 Access Grants.
 * @param key in lower case
 */
export function accessGrantsCondition(
  key: string,
  operation: string,
  input: ConditionInput,
  { state }: S3controlContext,
): ContextValue | undefined {
  const { AccessGrantsLocationId: locationId = '', AccessGrantId: grantId = '' } = input;
  const location = state.accessGrantsLocations.get(locationId);
  if (key === 's3:accessgrantslocationscope') return input.LocationScope ?? location?.scope;
  if (key !== 's3:accessgrantscope') return undefined;
  if (operation !== 'CreateAccessGrant') return state.accessGrants.get(grantId)?.scope;
  const { S3SubPrefix: subPrefix } = input.AccessGrantsLocationConfiguration ?? {};
  return location && grantScope(location.scope, subPrefix, input.S3PrefixType === 'Object');
}
