import {
  ask,
  defined,
  defineProvider,
  differs,
  identifierOf,
  omit,
  type Properties,
  run,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface FilterProperties extends Properties {
  Filter: { IpFilter: Properties; Name?: string };
}

interface RuleProperties extends Properties {
  After?: string;
  Rule: Properties & { Name?: string };
  RuleSetName: string;
}

interface SetProperties extends Properties {
  RuleSetName?: string;
}

/**
 * Receipt IP filters.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-receiptfilter.html
 */
export const receiptFilter: AnyResourceProvider = defineProvider<FilterProperties>({
  typeName: 'AWS::SES::ReceiptFilter',
  model,
  service: 'ses',
  handles: ['Filter'],
  key: ['FilterName'],
  gone: [],

  async create({ Filter }, ctx) {
    const Name = Filter.Name ?? ctx.name({ max: 64 });
    await run(ctx, 'ses', 'CreateReceiptFilter', { Filter: { ...Filter, Name } });
    return { identifier: Name, attributes: { Id: Name } };
  },

  async find({ FilterName }, ctx) {
    const { Filters } = await ctx.call('ses', 'ListReceiptFilters', {});
    return Filters?.find(({ Name }) => Name === FilterName) as Properties | undefined;
  },

  describe: (Filter, { FilterName }) => ({ properties: { Filter }, attributes: { Id: FilterName } }),
  remove: 'DeleteReceiptFilter',
  list: {
    operation: 'ListReceiptFilters',
    identifiers: ({ Filters }: { Filters?: { Name: string }[] }) => Filters?.map(({ Name }) => Name),
  },
});

/**
 * Receipt rule sets. A new one is not activated.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-receiptruleset.html
 */
export const receiptRuleSet: AnyResourceProvider = defineProvider<SetProperties>({
  typeName: 'AWS::SES::ReceiptRuleSet',
  model,
  service: 'ses',
  handles: ['RuleSetName'],
  key: ['RuleSetName'],
  gone: ['RuleSetDoesNotExist'],

  async create(properties, ctx) {
    const RuleSetName = properties.RuleSetName ?? ctx.name();
    await run(ctx, 'ses', 'CreateReceiptRuleSet', { RuleSetName });
    return RuleSetName;
  },

  find: (key, ctx) => ask(ctx, 'ses', 'DescribeReceiptRuleSet', key),
  describe: (_found, key) => ({ properties: key, attributes: {} }),
  remove: 'DeleteReceiptRuleSet',
  list: {
    operation: 'ListReceiptRuleSets',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ RuleSets }: { RuleSets?: { Name: string }[] }) => RuleSets?.map(({ Name }) => Name),
  },
});

/**
 * Receipt rules.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ses-receiptrule.html
 */
export const receiptRule: AnyResourceProvider = defineProvider<RuleProperties>({
  typeName: 'AWS::SES::ReceiptRule',
  model,
  service: 'ses',
  handles: ['After', 'Rule', 'RuleSetName'],
  key: ['RuleName', 'RuleSetName'],
  gone: ['RuleSetDoesNotExist', 'RuleDoesNotExist'],

  async create({ Rule, ...properties }, ctx) {
    const RuleName = Rule.Name ?? ctx.name({ max: 64 });
    await run(ctx, 'ses', 'CreateReceiptRule', { ...properties, Rule: { ...Rule, Name: RuleName } });
    const identifier = identifierOf(RuleName, properties.RuleSetName as string);
    return { identifier, attributes: { Id: RuleName, RuleName } };
  },

  find: async (key, ctx) => (await ask(ctx, 'ses', 'DescribeReceiptRule', key)).Rule as Properties,

  describe: (Rule, { RuleName, RuleSetName }, _ctx, applied) => ({
    properties: defined({
      After: applied?.After,
      Rule: {
        ...omit(Rule, 'Actions', 'Recipients'),
        ...defined({
          Actions: unlessEmpty(Rule.Actions as Properties[] | undefined),
          Recipients: unlessEmpty(Rule.Recipients as string[] | undefined),
        }),
      },
      RuleSetName,
    }),
    attributes: { Id: RuleName, RuleName },
  }),

  async update({ RuleName, RuleSetName }, previous, desired, ctx) {
    const { After, Rule } = desired;
    if (differs(previous, desired, 'Rule'))
      await run(ctx, 'ses', 'UpdateReceiptRule', { RuleSetName, Rule: { ...Rule, Name: RuleName } });
    if (differs(previous, desired, 'After'))
      await run(ctx, 'ses', 'SetReceiptRulePosition', { RuleName, RuleSetName, After });
  },

  remove: 'DeleteReceiptRule',
});
