import type { AddPermissionInput, RemovePermissionInput } from '@emu/service-types/sns';
import { addPermission, removePermission } from '../policy.ts';
import { policyOf } from '../topics/topic.ts';
import { type SnsContext, topicAt } from './context.ts';
import { setTopicAttribute } from './topics.ts';

/** Grants actions on a topic to other accounts, as a statement of its policy. */
export function AddPermission(input: AddPermissionInput, ctx: SnsContext): Record<string, never> {
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

/** Takes a grant back, by its label. */
export function RemovePermission(input: RemovePermissionInput, ctx: SnsContext): Record<string, never> {
  const { state, topic } = topicAt(input.TopicArn, ctx);
  setTopicAttribute(state, topic, 'Policy', removePermission(policyOf(topic), input.Label), ctx.clock.now());
  return {};
}
