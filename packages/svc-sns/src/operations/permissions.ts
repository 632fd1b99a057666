import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { topicAt } from '../lookup.ts';
import { addPermission, removePermission } from '../policy.ts';
import { policyOf } from '../topics/topic.ts';
import { setTopicAttribute } from './topics.ts';

/** Grants other accounts actions on a topic, as a statement of its policy. */
export function AddPermission(input: InputOf<'AddPermission'>, ctx: SnsContext): OutputOf<'AddPermission'> {
  const { state, topic } = topicAt(input.TopicArn, ctx);
  const policy = addPermission(policyOf(topic), {
    label: input.Label,
    accountIds: input.AWSAccountId,
    actions: input.ActionName,
    resource: topic.arn,
    region: ctx.region,
  });
  setTopicAttribute(state, topic, 'Policy', policy, ctx.clock.now());
  return {};
}

/** Removes a grant by its label. */
export function RemovePermission(input: InputOf<'RemovePermission'>, ctx: SnsContext): OutputOf<'RemovePermission'> {
  const { state, topic } = topicAt(input.TopicArn, ctx);
  setTopicAttribute(state, topic, 'Policy', removePermission(policyOf(topic), input.Label), ctx.clock.now());
  return {};
}
