import type { InputOf, OutputOf } from '@emu/service-types/kinesis';
import type { KinesisContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { checkPolicy } from '../policy.ts';
import { resourceAt } from './resource.ts';

/** @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_PutResourcePolicy.html */
export async function PutResourcePolicy(
  input: InputOf<'PutResourcePolicy'>,
  ctx: KinesisContext,
): Promise<OutputOf<'PutResourcePolicy'>> {
  resourceAt(input.ResourceARN, ctx);
  await checkPolicy(input.Policy, input.ResourceARN, ctx);
  resourceAt(input.ResourceARN, ctx).update((draft) => {
    draft.policy = input.Policy;
  });
  return {};
}

/**
 * Returns a resource policy. A missing policy is returned as an empty object, as recorded.
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_GetResourcePolicy.html
 */
export function GetResourcePolicy(
  input: InputOf<'GetResourcePolicy'>,
  ctx: KinesisContext,
): OutputOf<'GetResourcePolicy'> {
  return {
    Policy: resourceAt(input.ResourceARN, ctx).record.policy ?? '{}',
  };
}

/**
 * Deletes a resource policy.
 * @throws AwsError `ResourceNotFoundException` for a resource without one
 * @see https://docs.aws.amazon.com/kinesis/latest/APIReference/API_DeleteResourcePolicy.html
 */
export function DeleteResourcePolicy(
  input: InputOf<'DeleteResourcePolicy'>,
  ctx: KinesisContext,
): OutputOf<'DeleteResourcePolicy'> {
  const resource = resourceAt(input.ResourceARN, ctx);
  if (resource.record.policy === undefined)
    throw notFound(`No resource policy found for resource ARN ${input.ResourceARN}.`);
  resource.update((draft) => {
    delete draft.policy;
  });
  return {};
}
