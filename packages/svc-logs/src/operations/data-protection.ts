import { checkClass } from '../group-classes.ts';
import { groupIdentified, type In, type LogsContext, type Out } from '../lookup.ts';
import { parseProtection } from '../protection/policy.ts';

/**
 * Says what is sensitive in the events that a group gets from now on.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutDataProtectionPolicy.html
 */
export function PutDataProtectionPolicy(
  input: In<'PutDataProtectionPolicy'>,
  ctx: LogsContext,
): Out<'PutDataProtectionPolicy'> {
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
 * The data protection policy of a group.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetDataProtectionPolicy.html
 */
export function GetDataProtectionPolicy(
  input: In<'GetDataProtectionPolicy'>,
  ctx: LogsContext,
): Out<'GetDataProtectionPolicy'> {
  const { group } = groupIdentified(input.logGroupIdentifier, ctx);
  const { dataProtection } = group.record;
  return {
    logGroupIdentifier: input.logGroupIdentifier,
    ...(dataProtection && { policyDocument: dataProtection.document, lastUpdatedTime: dataProtection.updatedAt }),
  };
}

/**
 * Takes the data protection policy of a group away: nothing is masked any more.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteDataProtectionPolicy.html
 */
export function DeleteDataProtectionPolicy(
  input: In<'DeleteDataProtectionPolicy'>,
  ctx: LogsContext,
): Out<'DeleteDataProtectionPolicy'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  state.groups.update(group, (draft) => {
    draft.dataProtection = undefined;
  });
  return {};
}
