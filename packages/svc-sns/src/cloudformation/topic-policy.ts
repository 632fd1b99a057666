import { documentValue, inlinePolicy, type PolicyCalls, sharedPolicy, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

/** Statement of the default topic policy. */
const DEFAULT_STATEMENT = '__default_statement_ID';

const setPolicy = (TopicArn: string, AttributeValue: string, ctx: ProviderContext) =>
  ctx.call('sns', 'SetTopicAttributes', { TopicArn, AttributeName: 'Policy', AttributeValue });

const POLICIES: PolicyCalls = {
  set: setPolicy,
  // Restores the default policy.
  remove: (topic, ctx) => unless(setPolicy(topic, '', ctx), 'NotFound'),
  async read(TopicArn, ctx) {
    const call = ctx.call('sns', 'GetTopicAttributes', { TopicArn });
    const text = (await unless(call, 'NotFound'))?.Attributes?.Policy;
    return text === undefined || text.includes(DEFAULT_STATEMENT) ? undefined : documentValue(text);
  },
};

/**
 * One policy for several topics.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topicpolicy.html
 */
export const topicPolicy: AnyResourceProvider = sharedPolicy(
  { typeName: 'AWS::SNS::TopicPolicy', model, member: 'Topics' },
  POLICIES,
);

/**
 * The policy of one topic.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topicinlinepolicy.html
 */
export const topicInlinePolicy: AnyResourceProvider = inlinePolicy(
  { typeName: 'AWS::SNS::TopicInlinePolicy', model, member: 'TopicArn' },
  POLICIES,
);
