import { documentValue, inlinePolicy, type PolicyCalls, sharedPolicy, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const setPolicy = (QueueUrl: string, Policy: string, ctx: ProviderContext) =>
  ctx.call('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: { Policy } });

const POLICIES: PolicyCalls = {
  set: setPolicy,
  remove: (queue, ctx) => unless(setPolicy(queue, '', ctx), 'QueueDoesNotExist'),
  async read(QueueUrl, ctx) {
    const call = ctx.call('sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['Policy'] });
    return documentValue((await unless(call, 'QueueDoesNotExist'))?.Attributes?.Policy);
  },
};

/**
 * One policy for several queues.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queuepolicy.html
 */
export const queuePolicy: AnyResourceProvider = sharedPolicy(
  { typeName: 'AWS::SQS::QueuePolicy', model, member: 'Queues' },
  POLICIES,
);

/**
 * The policy of one queue.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queueinlinepolicy.html
 */
export const queueInlinePolicy: AnyResourceProvider = inlinePolicy(
  { typeName: 'AWS::SQS::QueueInlinePolicy', model, member: 'Queue' },
  POLICIES,
);
