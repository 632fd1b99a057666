import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { checkedKey } from '../kms.ts';
import { type GroupTarget, groupIdentified, groupNamed } from '../lookup.ts';
import { groupType } from '../resources.ts';

/**
 * Returns the group that a key is for.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 */
function targetOf(
  { logGroupName, resourceIdentifier }: { logGroupName?: string | undefined; resourceIdentifier?: string | undefined },
  ctx: LogsContext,
): GroupTarget {
  if ((logGroupName === undefined) === (resourceIdentifier === undefined))
    throw invalidParameter('Either logGroupName or resourceIdentifier must be specified, but not both.');
  return logGroupName === undefined ? groupIdentified(resourceIdentifier!, ctx) : groupNamed(logGroupName, ctx);
}

/**
 * Sets the encryption key of a group.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_AssociateKmsKey.html
 */
export async function AssociateKmsKey(
  input: InputOf<'AssociateKmsKey'>,
  ctx: LogsContext,
): Promise<OutputOf<'AssociateKmsKey'>> {
  const { state, group } = targetOf(input, ctx);
  const key = await checkedKey(input.kmsKeyId, groupType.arn({ name: group.name }, state), ctx);
  state.groups.update(group, (draft) => {
    draft.kmsKeyId = key;
  });
  return {};
}

/**
 * Removes the encryption key of a group.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DisassociateKmsKey.html
 */
export function DisassociateKmsKey(
  input: InputOf<'DisassociateKmsKey'>,
  ctx: LogsContext,
): OutputOf<'DisassociateKmsKey'> {
  const { state, group } = targetOf(input, ctx);
  state.groups.update(group, (draft) => {
    draft.kmsKeyId = undefined;
  });
  return {};
}
