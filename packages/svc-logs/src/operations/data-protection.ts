import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { checkClass } from '../groups/group-classes.ts';
import { groupIdentified } from '../lookup.ts';
import { parseProtection } from '../protection/policy.ts';

/**
 * Sets the data protection policy of a group, applied to events from now on.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDataProtectionPolicy.html
 */
export function PutDataProtectionPolicy(
  input: InputOf<'PutDataProtectionPolicy'>,
  ctx: LogsContext,
): OutputOf<'PutDataProtectionPolicy'> {
  const { logGroupIdentifier, policyDocument } = input;
  const { state, group } = groupIdentified(logGroupIdentifier, ctx);
  checkClass(group, 'PutDataProtectionPolicy');
  parseProtection(policyDocument);
  const lastUpdatedTime = ctx.clock.now();
  state.groups.update(group, (draft) => {
    draft.dataProtection = { document: policyDocument, updatedAt: lastUpdatedTime };
  });
  return { logGroupIdentifier, policyDocument, lastUpdatedTime };
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
