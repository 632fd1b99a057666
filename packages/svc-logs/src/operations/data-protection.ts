import { formatArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/logs';
import { allowDelivery } from '../bucket-delivery.ts';
import type { LogsContext } from '../context.ts';
import { checkClass } from '../groups/group-classes.ts';
import { groupIdentified } from '../lookup.ts';
import { type ProtectionPolicy, parseProtection } from '../protection/policy.ts';
import { groupType } from '../resources.ts';

/**
 * Sets the data protection policy of a group, applied to events from now on.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDataProtectionPolicy.html
 */
export async function PutDataProtectionPolicy(
  input: InputOf<'PutDataProtectionPolicy'>,
  ctx: LogsContext,
): Promise<OutputOf<'PutDataProtectionPolicy'>> {
  const { logGroupIdentifier, policyDocument } = input;
  const { state, group } = groupIdentified(logGroupIdentifier, ctx);
  checkClass(group, 'PutDataProtectionPolicy');
  await allowFindings(parseProtection(policyDocument), group.name, ctx);
  const lastUpdatedTime = ctx.clock.now();
  state.groups.update(group, (draft) => {
    draft.dataProtection = { document: policyDocument, updatedAt: lastUpdatedTime };
  });
  return { logGroupIdentifier, policyDocument, lastUpdatedTime };
}

/**
 * Lets findings be written to the bucket of a policy, if any.
 * @param group name of the group, or `*` for all groups
 */
export async function allowFindings({ audit }: ProtectionPolicy, group: string, ctx: LogsContext): Promise<void> {
  const bucket = audit?.S3?.Bucket;
  if (bucket === undefined) return;
  const bucketArn = formatArn({ service: 's3', region: '', accountId: '', resource: bucket }, ctx.region);
  await allowDelivery(bucketArn, `${groupType.arn({ name: group }, ctx)}:*`, ctx);
}

/**
 * Returns the data protection policy of a group.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetDataProtectionPolicy.html
 */
export function GetDataProtectionPolicy(
  input: InputOf<'GetDataProtectionPolicy'>,
  ctx: LogsContext,
): OutputOf<'GetDataProtectionPolicy'> {
  const { group } = groupIdentified(input.logGroupIdentifier, ctx);
  const { dataProtection } = group.record;
  return {
    logGroupIdentifier: input.logGroupIdentifier,
    ...(dataProtection && { policyDocument: dataProtection.document, lastUpdatedTime: dataProtection.updatedAt }),
  };
}

/**
 * Deletes the data protection policy of a group, which ends all masking.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDataProtectionPolicy.html
 */
export function DeleteDataProtectionPolicy(
  input: InputOf<'DeleteDataProtectionPolicy'>,
  ctx: LogsContext,
): OutputOf<'DeleteDataProtectionPolicy'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  state.groups.update(group, (draft) => {
    draft.dataProtection = undefined;
  });
  return {};
}
