import { defined, defineProvider, documentValue, everyItem, unless } from '@emu/core/providers';
import { type AnyResourceProvider, type ProviderContext, parseArn } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { attributeTexts, changedTexts } from './texts.ts';

const TYPE = 'AWS::SNS::Subscription';

interface SubscriptionProperties {
  TopicArn: string;
  Protocol: string;
  Endpoint?: string;
  /** Region of the topic, if it differs. */
  Region?: string;
  [attribute: string]: unknown;
}

/** Properties that are attributes of the same name, with their defaults. */
const DEFAULTS: Readonly<Record<string, string>> = {
  DeliveryPolicy: '',
  FilterPolicy: '{}',
  FilterPolicyScope: 'MessageAttributes',
  RawMessageDelivery: 'false',
  RedrivePolicy: '',
  ReplayPolicy: '',
  SubscriptionRoleArn: '',
};
const DOCUMENTS: readonly string[] = ['DeliveryPolicy', 'FilterPolicy', 'RedrivePolicy', 'ReplayPolicy'];

/** Subscriptions are in the region of their topic, which may differ from the stack's. */
const place = (arn: string, ctx: ProviderContext) => ({ region: parseArn(arn)?.region || ctx.region });

/**
 * Subscriptions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-subscription.html
 */
export const subscription: AnyResourceProvider = defineProvider<SubscriptionProperties>({
  typeName: TYPE,
  model,
  handles: ['TopicArn', 'Protocol', 'Endpoint', 'Region', ...Object.keys(DEFAULTS)],

  async create(properties, ctx) {
    const { TopicArn, Protocol, Endpoint, Region } = properties;
    const { SubscriptionArn } = await ctx.call(
      'sns',
      'Subscribe',
      defined({
        TopicArn,
        Protocol,
        Endpoint,
        Attributes: attributeTexts(properties, Object.keys(DEFAULTS)),
        ReturnSubscriptionArn: true,
      }),
      { region: Region || place(TopicArn, ctx).region },
    );
    return { identifier: SubscriptionArn!, attributes: { Arn: SubscriptionArn } };
  },

  async read(arn, ctx) {
    const call = ctx.call('sns', 'GetSubscriptionAttributes', { SubscriptionArn: arn }, place(arn, ctx));
    const all = (await unless(call, 'NotFound'))?.Attributes;
    if (!all) return undefined;
    const attributes = Object.entries(all)
      .filter(([name]) => name in DEFAULTS)
      .map(([name, text]): [string, unknown] => [name, fromText(name, text!)]);
    const { TopicArn, Protocol, Endpoint } = all;
    return {
      properties: defined({ TopicArn: TopicArn!, Protocol: Protocol!, Endpoint, ...Object.fromEntries(attributes) }),
      attributes: { Arn: arn },
    };
  },

  async update(SubscriptionArn, previous, desired, ctx) {
    const changes = changedTexts(previous, desired, DEFAULTS);
    // The scope determines the valid filter policies. A wider scope is set before the policy, a narrower one after it.
    if (desired.FilterPolicyScope === 'MessageBody') changes.reverse();
    for (const [AttributeName, AttributeValue] of changes)
      await ctx.call(
        'sns',
        'SetSubscriptionAttributes',
        { SubscriptionArn, AttributeName, AttributeValue },
        place(SubscriptionArn, ctx),
      );
  },

  async delete(SubscriptionArn, _properties, ctx) {
    await unless(ctx.call('sns', 'Unsubscribe', { SubscriptionArn }, place(SubscriptionArn, ctx)), 'NotFound');
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('sns', 'ListSubscriptions', NextToken ? { NextToken } : {});
      // A pending subscription has no ARN in responses.
      const arns = page.Subscriptions?.map(({ SubscriptionArn }) => SubscriptionArn!).filter((arn) => parseArn(arn));
      return [arns, page.NextToken] as const;
    }),
});

function fromText(name: string, text: string): unknown {
  if (name === 'RawMessageDelivery') return text === 'true';
  if (!DOCUMENTS.includes(name)) return text;
  const document = documentValue(text);
  if (name !== 'DeliveryPolicy' || typeof document !== 'object' || document === null) return document;
  // Members that SNS adds to a delivery policy without them.
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null && value !== false));
}
