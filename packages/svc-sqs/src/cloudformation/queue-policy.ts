import { defineProvider, documentValue, listChanges, sameValue, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface QueuePolicyProperties {
  PolicyDocument: unknown;
  Queues: readonly string[];
}

interface QueueInlinePolicyProperties {
  PolicyDocument: unknown;
  Queue: string;
}

const setPolicy = (QueueUrl: string, Policy: string, ctx: ProviderContext) =>
  ctx.call('sqs', 'SetQueueAttributes', { QueueUrl, Attributes: { Policy } });

/** Removes the policy of a queue, if the queue exists. */
const removePolicy = (queue: string, ctx: ProviderContext) => unless(setPolicy(queue, '', ctx), 'QueueDoesNotExist');

/** Returns the policy of a queue; undefined if the queue or policy is missing. */
async function policyOf(QueueUrl: string, ctx: ProviderContext): Promise<unknown> {
  const call = ctx.call('sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['Policy'] });
  return documentValue((await unless(call, 'QueueDoesNotExist'))?.Attributes?.Policy);
}

/**
 * One policy for several queues. It has no ARN of its own, so it is read from its queues.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queuepolicy.html
 */
export const queuePolicy: AnyResourceProvider = defineProvider<QueuePolicyProperties>({
  typeName: 'AWS::SQS::QueuePolicy',
  model,
  handles: ['PolicyDocument', 'Queues'],
  async create({ PolicyDocument, Queues }, ctx) {
    const identifier = ctx.name();
    for (const queue of Queues) await setPolicy(queue, textOf(PolicyDocument), ctx);
    return { identifier, attributes: { Id: identifier } };
  },
  async read(identifier, ctx, applied) {
    const Queues: string[] = [];
    let PolicyDocument: unknown;
    for (const queue of applied?.Queues ?? []) {
      const policy = await policyOf(queue, ctx);
      if (policy === undefined) continue;
      PolicyDocument ??= policy;
      Queues.push(queue);
    }
    return Queues.length ? { properties: { PolicyDocument, Queues }, attributes: { Id: identifier } } : undefined;
  },
  async update(_identifier, previous, desired, ctx) {
    const { added, removed } = listChanges(previous.Queues, desired.Queues);
    for (const queue of removed) await removePolicy(queue, ctx);
    const changed = sameValue(previous.PolicyDocument, desired.PolicyDocument) ? added : desired.Queues;
    for (const queue of changed) await setPolicy(queue, textOf(desired.PolicyDocument), ctx);
  },
  async delete(_identifier, { Queues = [] }, ctx) {
    for (const queue of Queues) await removePolicy(queue, ctx);
  },
});

/**
 * The policy of one queue.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queueinlinepolicy.html
 */
export const queueInlinePolicy: AnyResourceProvider = defineProvider<QueueInlinePolicyProperties>({
  typeName: 'AWS::SQS::QueueInlinePolicy',
  model,
  handles: ['PolicyDocument', 'Queue'],
  async create({ PolicyDocument, Queue }, ctx) {
    await setPolicy(Queue, textOf(PolicyDocument), ctx);
    return { identifier: Queue };
  },
  async read(Queue, ctx) {
    const PolicyDocument = await policyOf(Queue, ctx);
    return PolicyDocument === undefined ? undefined : { properties: { PolicyDocument, Queue }, attributes: {} };
  },
  async update(queue, _previous, { PolicyDocument }, ctx) {
    await setPolicy(queue, textOf(PolicyDocument), ctx);
  },
  async delete(queue, _properties, ctx) {
    await removePolicy(queue, ctx);
  },
});
