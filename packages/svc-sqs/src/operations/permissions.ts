import type { InputOf, OutputOf } from '@emu/service-types/sqs';
import type { SqsContext } from '../context.ts';
import { missingParameter } from '../errors.ts';
import { queueAt } from '../lookup.ts';
import { addPermission, removePermission, unverifiedPrincipals } from '../policy.ts';
import { setAttributes } from './queues.ts';

/** Grants actions on a queue to other accounts, by a statement in its policy. */
export function AddPermission(input: InputOf<'AddPermission'>, ctx: SqsContext): OutputOf<'AddPermission'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  if (!input.Label) throw missingParameter('Label');
  if (!input.Actions.length) throw missingParameter('Actions');
  if (!input.AWSAccountIds.length) throw unverifiedPrincipals([]);
  const policy = addPermission(queue.record.attributes.Policy, {
    label: input.Label,
    accountIds: input.AWSAccountIds,
    actions: input.Actions,
    resource: state.arnOf(queue.name),
    region: ctx.region,
  });
  setAttributes(state, queue, { Policy: policy }, ctx.clock.now());
  return {};
}

/** Removes a grant by its label. */
export function RemovePermission(input: InputOf<'RemovePermission'>, ctx: SqsContext): OutputOf<'RemovePermission'> {
  const { state, queue } = queueAt(input.QueueUrl, ctx);
  const policy = removePermission(queue.record.attributes.Policy, input.Label);
  setAttributes(state, queue, { Policy: policy }, ctx.clock.now());
  return {};
}
