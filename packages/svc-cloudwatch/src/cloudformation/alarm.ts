import {
  defined,
  defineProvider,
  everyItem,
  omit,
  type Properties,
  pick,
  refuseExisting,
  run,
  sameValue,
  type TaggedProperties,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { tagsOf } from './tags.ts';

interface AlarmProperties extends TaggedProperties {
  AlarmName?: string;
}

const ACTIONS = ['ActionsEnabled', 'AlarmActions', 'AlarmDescription', 'InsufficientDataActions', 'OKActions'];
const METRIC = [
  'ComparisonOperator',
  'DatapointsToAlarm',
  'Dimensions',
  'EvaluateLowSampleCountPercentile',
  'EvaluationPeriods',
  'ExtendedStatistic',
  'MetricName',
  'Metrics',
  'Namespace',
  'Period',
  'Statistic',
  'Threshold',
  'ThresholdMetricId',
  'TreatMissingData',
  'Unit',
];
const COMPOSITE = ['ActionsSuppressor', 'ActionsSuppressorExtensionPeriod', 'ActionsSuppressorWaitPeriod', 'AlarmRule'];

async function alarmOf(name: string, ctx: ProviderContext) {
  const AlarmTypes = ['CompositeAlarm' as const, 'MetricAlarm' as const];
  const found = await ctx.call('cloudwatch', 'DescribeAlarms', { AlarmNames: [name], AlarmTypes });
  return found.MetricAlarms?.[0] ?? found.CompositeAlarms?.[0];
}

/** Returns the provider for a kind of alarms, which are put as a whole. */
function alarmTypeOf(
  typeName: string,
  operation: 'PutMetricAlarm' | 'PutCompositeAlarm',
  members: readonly string[],
): AnyResourceProvider {
  return defineProvider<AlarmProperties>({
    typeName,
    model,
    handles: [...members, 'AlarmName', 'Tags'],

    async create(properties, ctx) {
      const AlarmName = properties.AlarmName ?? ctx.name();
      if (properties.AlarmName) refuseExisting(typeName, AlarmName, await alarmOf(AlarmName, ctx));
      await run(ctx, 'cloudwatch', operation, { ...properties, AlarmName });
      return { identifier: AlarmName };
    },

    async read(AlarmName, ctx) {
      const found = await alarmOf(AlarmName, ctx);
      if (!found) return undefined;
      const Tags = await tagsOf(found.AlarmArn!, ctx);
      const current = Object.entries(pick(found as Properties, members)).filter(
        ([, value]) => !(Array.isArray(value) && value.length === 0) && value !== '',
      );
      return {
        properties: defined({ AlarmName, ...Object.fromEntries(current), Tags }),
        attributes: { Arn: found.AlarmArn },
      };
    },

    async update(AlarmName, previous, desired, ctx) {
      if (!sameValue(omit(previous, 'Tags'), omit(desired, 'Tags')))
        await run(ctx, 'cloudwatch', operation, { ...omit(desired, 'Tags'), AlarmName });
      if (sameValue(previous.Tags, desired.Tags)) return;
      const ResourceARN = (await alarmOf(AlarmName, ctx))!.AlarmArn!;
      await changeTagsOf(ResourceARN, previous, desired, ctx);
    },

    async delete(AlarmName, _properties, ctx) {
      if (await alarmOf(AlarmName, ctx)) await ctx.call('cloudwatch', 'DeleteAlarms', { AlarmNames: [AlarmName] });
    },

    list: (ctx) =>
      everyItem(async (NextToken) => {
        const AlarmTypes = [operation === 'PutMetricAlarm' ? ('MetricAlarm' as const) : ('CompositeAlarm' as const)];
        const page = await ctx.call('cloudwatch', 'DescribeAlarms', defined({ AlarmTypes, NextToken }));
        const alarms = [...(page.MetricAlarms ?? []), ...(page.CompositeAlarms ?? [])];
        return [alarms.map((found) => found.AlarmName!), page.NextToken] as const;
      }),
  });
}

/**
 * Metric alarms.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-alarm.html
 */
export const alarm: AnyResourceProvider = alarmTypeOf('AWS::CloudWatch::Alarm', 'PutMetricAlarm', [
  ...ACTIONS,
  ...METRIC,
]);

/**
 * Composite alarms.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-compositealarm.html
 */
export const compositeAlarm: AnyResourceProvider = alarmTypeOf('AWS::CloudWatch::CompositeAlarm', 'PutCompositeAlarm', [
  ...ACTIONS,
  ...COMPOSITE,
]);
