import { defineProvider, documentValue, listChanges, sameValue, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface TopicPolicyProperties {
  PolicyDocument: unknown;
  Topics: readonly string[];
}

interface TopicInlinePolicyProperties {
  PolicyDocument: unknown;
  TopicArn: string;
}

const setPolicy = (TopicArn: string, AttributeValue: string, ctx: ProviderContext) =>
  ctx.call('sns', 'SetTopicAttributes', { TopicArn, AttributeName: 'Policy', AttributeValue });

/** Restores the default policy of a topic, if the topic still exists. */
const removePolicy = (topic: string, ctx: ProviderContext) => unless(setPolicy(topic, '', ctx), 'NotFound');

/** Statement of the default topic policy. */
const DEFAULT_STATEMENT = '__default_statement_ID';

/** Returns the policy of a topic; undefined if the topic does not exist or has the default policy. */
async function policyOf(TopicArn: string, ctx: ProviderContext): Promise<unknown> {
  const call = ctx.call('sns', 'GetTopicAttributes', { TopicArn });
  const text = (await unless(call, 'NotFound'))?.Attributes?.Policy;
  return text === undefined || text.includes(DEFAULT_STATEMENT) ? undefined : documentValue(text);
}

/**
 * One policy for several topics. Its id identifies no resource, so it is read through the topics to which it was
 * applied.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topicpolicy.html
 */
export const topicPolicy: AnyResourceProvider = defineProvider<TopicPolicyProperties>({
  typeName: 'AWS::SNS::TopicPolicy',
  model,
  handles: ['PolicyDocument', 'Topics'],
  async create({ PolicyDocument, Topics }, ctx) {
    const identifier = ctx.name();
    for (const topic of Topics) await setPolicy(topic, textOf(PolicyDocument), ctx);
    return { identifier, attributes: { Id: identifier } };
  },
  async read(identifier, ctx, applied) {
    const Topics: string[] = [];
    let PolicyDocument: unknown;
    for (const topic of applied?.Topics ?? []) {
      const policy = await policyOf(topic, ctx);
      if (policy === undefined) continue;
      PolicyDocument ??= policy;
      Topics.push(topic);
    }
    return Topics.length ? { properties: { PolicyDocument, Topics }, attributes: { Id: identifier } } : undefined;
  },
  async update(_identifier, previous, desired, ctx) {
    const { added, removed } = listChanges(previous.Topics, desired.Topics);
    for (const topic of removed) await removePolicy(topic, ctx);
    const changed = sameValue(previous.PolicyDocument, desired.PolicyDocument) ? added : desired.Topics;
    for (const topic of changed) await setPolicy(topic, textOf(desired.PolicyDocument), ctx);
  },
  async delete(_identifier, { Topics = [] }, ctx) {
    for (const topic of Topics) await removePolicy(topic, ctx);
  },
});

/**
 * The policy of one topic.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topicinlinepolicy.html
 */
export const topicInlinePolicy: AnyResourceProvider = defineProvider<TopicInlinePolicyProperties>({
  typeName: 'AWS::SNS::TopicInlinePolicy',
  model,
  handles: ['PolicyDocument', 'TopicArn'],
  async create({ PolicyDocument, TopicArn }, ctx) {
    await setPolicy(TopicArn, textOf(PolicyDocument), ctx);
    return { identifier: TopicArn };
  },
  async read(TopicArn, ctx) {
    const PolicyDocument = await policyOf(TopicArn, ctx);
    return PolicyDocument === undefined ? undefined : { properties: { PolicyDocument, TopicArn }, attributes: {} };
  },
  async update(topic, _previous, { PolicyDocument }, ctx) {
    await setPolicy(topic, textOf(PolicyDocument), ctx);
  },
  async delete(topic, _properties, ctx) {
    await removePolicy(topic, ctx);
  },
});
