import {
  ask,
  defined,
  defineProvider,
  differs,
  omit,
  type Properties,
  pick,
  refuseExisting,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { muteRuleType } from '../resources.ts';
import { tagsOf } from './tags.ts';

const GONE = ['ResourceNotFoundException'];
const STREAM = [
  'ExcludeFilters',
  'FirehoseArn',
  'IncludeFilters',
  'IncludeLinkedAccountsMetrics',
  'OutputFormat',
  'RoleArn',
  'StatisticsConfigurations',
] as const;

interface StreamProperties extends TaggedProperties {
  Name?: string;
}

interface MuteProperties extends TaggedProperties {
  ExpireDate?: string;
  Name?: string;
  StartDate?: string;
}

const isoText = (value: unknown): string | undefined =>
  value === undefined ? undefined : new Date(value as Date).toISOString();

/**
 * Metric streams.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-metricstream.html
 */
export const metricStream: AnyResourceProvider = defineProvider<StreamProperties>({
  typeName: 'AWS::CloudWatch::MetricStream',
  model,
  service: 'cloudwatch',
  handles: [...STREAM, 'Name', 'Tags'],
  key: ['Name'],
  gone: GONE,

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    const existing = await unless(ctx.call('cloudwatch', 'GetMetricStream', { Name }), ...GONE);
    refuseExisting('AWS::CloudWatch::MetricStream', Name, existing);
    await run(ctx, 'cloudwatch', 'PutMetricStream', { ...properties, Name });
    return Name;
  },

  find: (key, ctx) => ask(ctx, 'cloudwatch', 'GetMetricStream', key),

  async describe(found, key, ctx) {
    const { Arn, CreationDate, LastUpdateDate, State } = found;
    const settings = Object.entries(pick(found, STREAM)).filter(
      ([, value]) => typeof value !== 'object' || unlessEmpty(value as object),
    );
    return {
      properties: defined({ ...key, ...Object.fromEntries(settings), Tags: await tagsOf(Arn as string, ctx) }),
      attributes: { Arn, CreationDate: isoText(CreationDate), LastUpdateDate: isoText(LastUpdateDate), State },
    };
  },

  async update(key, previous, desired, ctx) {
    // An update resets missing members to their defaults.
    if (differs(previous, desired, ...STREAM))
      await run(ctx, 'cloudwatch', 'PutMetricStream', { ...omit(desired, 'Tags'), ...key });
    const { Arn } = await ctx.call('cloudwatch', 'GetMetricStream', { Name: key.Name! });
    await changeTagsOf(Arn!, previous, desired, ctx);
  },

  remove: 'DeleteMetricStream',
  list: {
    operation: 'ListMetricStreams',
    token: ['NextToken', 'NextToken'],
    identifiers: ({ Entries }: { Entries?: { Name: string }[] }) => Entries?.map(({ Name }) => Name),
  },
});

const nameOf = (arn: string): string => muteRuleType.parse(arn)?.key.name ?? '';

/** Returns a time as written in the template if it is equal. */
const asApplied = (found: unknown, applied: string | undefined): string | undefined => {
  const text = isoText(found);
  return text !== undefined && applied !== undefined && isoText(applied) === text ? applied : text;
};

/**
 * Alarm mute rules.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-alarmmuterule.html
 */
export const alarmMuteRule: AnyResourceProvider = defineProvider<MuteProperties>({
  typeName: 'AWS::CloudWatch::AlarmMuteRule',
  model,
  service: 'cloudwatch',
  handles: ['Description', 'ExpireDate', 'MuteTargets', 'Name', 'Rule', 'StartDate', 'Tags'],
  key: ['Arn'],
  gone: GONE,

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    await run(ctx, 'cloudwatch', 'PutAlarmMuteRule', { ...properties, Name });
    return muteRuleType.arn({ name: Name }, ctx);
  },

  find: ({ Arn }, ctx) => ask(ctx, 'cloudwatch', 'GetAlarmMuteRule', { AlarmMuteRuleName: nameOf(Arn!) }),

  describe: async (found, { Arn }, ctx, applied) => ({
    properties: defined({
      ...pick(found, ['Description', 'MuteTargets', 'Name', 'Rule']),
      ExpireDate: asApplied(found.ExpireDate, applied?.ExpireDate),
      StartDate: asApplied(found.StartDate, applied?.StartDate),
      Tags: await tagsOf(Arn!, ctx),
    }),
    attributes: {
      Arn,
      LastUpdatedTimestamp: isoText(found.LastUpdatedTimestamp),
      MuteType: found.MuteType,
      Status: found.Status,
    },
  }),

  async update({ Arn }, previous, desired, ctx) {
    const Name = nameOf(Arn!);
    await run(ctx, 'cloudwatch', 'PutAlarmMuteRule', { ...omit(desired, 'Tags'), Name });
    await changeTagsOf(Arn!, previous, desired, ctx);
  },

  remove: ({ Arn }, _properties, ctx) =>
    ctx.call('cloudwatch', 'DeleteAlarmMuteRule', { AlarmMuteRuleName: nameOf(Arn!) }),
});

/**
 * OpenTelemetry enrichment, an account setting.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-otelenrichment.html
 */
export const otelEnrichment: AnyResourceProvider = defineProvider({
  typeName: 'AWS::CloudWatch::OTelEnrichment',
  model,
  service: 'cloudwatch',
  handles: [],
  key: ['AccountId'],
  gone: GONE,

  async create(_properties, ctx) {
    await ctx.call('cloudwatch', 'StartOTelEnrichment', {});
    return ctx.accountId;
  },

  async find(_key, ctx) {
    const found = await ask(ctx, 'cloudwatch', 'GetOTelEnrichment', {});
    return String(found.Status).toUpperCase() === 'RUNNING' ? found : undefined;
  },

  describe: ({ Status }: Properties, { AccountId }) => ({ properties: {}, attributes: { AccountId, Status } }),
  remove: (_key, _properties, ctx) => ctx.call('cloudwatch', 'StopOTelEnrichment', {}),
});
