import {
  defined,
  defineProvider,
  differs,
  type Properties,
  refuseExisting,
  run,
  type TaggedProperties,
  unless,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { dashboardType, insightRuleType } from '../resources.ts';
import { tagsOf } from './tags.ts';

const GONE = ['ResourceNotFound', 'DashboardNotFoundError'];

interface DashboardProperties extends TaggedProperties {
  DashboardBody: string;
  DashboardName?: string;
}

interface RuleProperties extends TaggedProperties {
  RuleBody: string;
  RuleName: string;
  RuleState: string;
}

/**
 * Dashboards.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-dashboard.html
 */
export const dashboard: AnyResourceProvider = defineProvider<
  DashboardProperties,
  { DashboardBody?: string | undefined }
>({
  typeName: 'AWS::CloudWatch::Dashboard',
  model,
  service: 'cloudwatch',
  handles: ['DashboardBody', 'DashboardName', 'Tags'],
  key: ['DashboardName'],
  gone: GONE,

  async create(properties, ctx) {
    const DashboardName = properties.DashboardName ?? ctx.name();
    const existing = await unless(ctx.call('cloudwatch', 'GetDashboard', { DashboardName }), ...GONE);
    refuseExisting('AWS::CloudWatch::Dashboard', DashboardName, existing);
    await run(ctx, 'cloudwatch', 'PutDashboard', { ...properties, DashboardName });
    return DashboardName;
  },

  find: ({ DashboardName }, ctx) => ctx.call('cloudwatch', 'GetDashboard', { DashboardName: DashboardName! }),

  describe: async ({ DashboardBody }, { DashboardName }, ctx) => ({
    properties: defined({
      DashboardBody,
      DashboardName,
      Tags: await tagsOf(dashboardType.arn({ name: DashboardName! }, ctx), ctx),
    }),
    attributes: {},
  }),

  async update({ DashboardName: name }, previous, desired, ctx) {
    const { DashboardBody } = desired;
    const DashboardName = name!;
    if (differs(previous, desired, 'DashboardBody'))
      await ctx.call('cloudwatch', 'PutDashboard', { DashboardName, DashboardBody });
    await changeTagsOf(dashboardType.arn({ name: DashboardName }, ctx), previous, desired, ctx);
  },

  remove: ({ DashboardName }, _properties, ctx) =>
    ctx.call('cloudwatch', 'DeleteDashboards', { DashboardNames: [DashboardName!] }),

  list: {
    operation: 'ListDashboards',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ DashboardEntries }: { DashboardEntries?: { DashboardName: string }[] }) =>
      DashboardEntries?.map(({ DashboardName }) => DashboardName),
  },
});

const ruleNameOf = (arn: string): string => insightRuleType.parse(arn)?.key.name ?? '';

/**
 * Contributor Insights rules.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-insightrule.html
 */
export const insightRule: AnyResourceProvider = defineProvider<RuleProperties>({
  typeName: 'AWS::CloudWatch::InsightRule',
  model,
  service: 'cloudwatch',
  handles: ['ApplyOnTransformedLogs', 'RuleBody', 'RuleName', 'RuleState', 'Tags'],
  key: ['Arn'],
  gone: ['ResourceNotFoundException'],

  async create({ RuleBody: RuleDefinition, ...properties }, ctx) {
    await run(ctx, 'cloudwatch', 'PutInsightRule', { ...properties, RuleDefinition });
    return insightRuleType.arn({ name: properties.RuleName as string }, ctx);
  },

  async find({ Arn }, ctx) {
    let token: string | undefined;
    do {
      const page = await ctx.call('cloudwatch', 'DescribeInsightRules', defined({ NextToken: token }));
      const found = page.InsightRules?.find(({ Name }) => Name === ruleNameOf(Arn!));
      if (found) return found as unknown as Properties;
      token = page.NextToken;
    } while (token !== undefined);
    return undefined;
  },

  describe: async (found, { Arn }, ctx) => ({
    properties: defined({
      ApplyOnTransformedLogs: found.ApplyOnTransformedLogs,
      RuleBody: found.Definition,
      RuleName: found.Name,
      RuleState: found.State,
      Tags: await tagsOf(Arn!, ctx),
    }),
    attributes: { Arn, RuleName: found.Name },
  }),

  async update({ Arn }, previous, desired, ctx) {
    const { RuleBody: RuleDefinition, RuleState, ApplyOnTransformedLogs = false } = desired;
    if (differs(previous, desired, 'RuleBody', 'RuleState', 'ApplyOnTransformedLogs'))
      await run(ctx, 'cloudwatch', 'PutInsightRule', {
        ApplyOnTransformedLogs,
        RuleDefinition,
        RuleName: ruleNameOf(Arn!),
        RuleState,
      });
    await changeTagsOf(Arn!, previous, desired, ctx);
  },

  remove: ({ Arn }, _properties, ctx) =>
    ctx.call('cloudwatch', 'DeleteInsightRules', { RuleNames: [ruleNameOf(Arn!)] }),
});
