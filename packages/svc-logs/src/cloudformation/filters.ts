import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  lowerNames,
  type Properties,
  run,
  unless,
  unlessEmpty,
  upperNames,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';

interface FilterProperties extends Properties {
  FilterName?: string;
  LogGroupName: string;
}

interface Dimension {
  Key: string;
  Value: string;
}

interface Transformation extends Properties {
  Dimensions?: readonly Dimension[];
}

/** Dimensions are a list in templates and a map in the API; their names stay the same. */
const transformationIn = ({ Dimensions, ...rest }: Transformation): Properties =>
  defined({
    ...(lowerNames(rest) as Properties),
    dimensions: Dimensions && Object.fromEntries(Dimensions.map(({ Key, Value }) => [Key, Value])),
  });

const transformationOut = ({ dimensions, ...rest }: { dimensions?: object } & Properties): Properties =>
  defined({
    ...(upperNames(rest) as Properties),
    Dimensions: unlessEmpty(Object.entries(dimensions ?? {}).map(([Key, Value]) => ({ Key, Value }))),
  });

/** Creates a filter or replaces it completely. */
async function putMetricFilter(filterName: string, properties: FilterProperties, ctx: ProviderContext): Promise<void> {
  const { MetricTransformations, ...rest } = properties;
  await run(ctx, 'logs', 'PutMetricFilter', {
    ...(lowerNames(rest) as Properties),
    filterName,
    metricTransformations: (MetricTransformations as Transformation[]).map(transformationIn),
  });
}

/**
 * Metric filters.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-metricfilter.html
 */
export const metricFilter: AnyResourceProvider = defineProvider<FilterProperties>({
  typeName: 'AWS::Logs::MetricFilter',
  model,
  handles: [
    'ApplyOnTransformedLogs',
    'EmitSystemFieldDimensions',
    'FieldSelectionCriteria',
    'FilterName',
    'FilterPattern',
    'LogGroupName',
    'MetricTransformations',
  ],

  async create(properties, ctx) {
    const filterName = properties.FilterName ?? ctx.name();
    await putMetricFilter(filterName, properties, ctx);
    return { identifier: identifierOf(properties.LogGroupName, filterName) };
  },

  async read(identifier, ctx) {
    const [logGroupName, filterName] = identifierParts(identifier, 2) as [string, string];
    const call = ctx.call('logs', 'DescribeMetricFilters', { logGroupName, filterNamePrefix: filterName });
    const found = (await unless(call, GONE))?.metricFilters?.find((one) => one.filterName === filterName);
    if (!found) return undefined;
    const { metricTransformations, creationTime: _, ...rest } = found;
    return {
      properties: {
        ...(upperNames(rest) as FilterProperties),
        MetricTransformations: metricTransformations?.map((one) => transformationOut({ ...one })),
      },
      attributes: {},
    };
  },

  async update(identifier, _previous, desired, ctx) {
    const [, filterName] = identifierParts(identifier, 2) as [string, string];
    await putMetricFilter(filterName, desired, ctx);
  },

  async delete(identifier, _properties, ctx) {
    const [logGroupName, filterName] = identifierParts(identifier, 2) as [string, string];
    await unless(ctx.call('logs', 'DeleteMetricFilter', { logGroupName, filterName }), GONE);
  },
});

/**
 * Subscription filters.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-logs-subscriptionfilter.html
 */
export const subscriptionFilter: AnyResourceProvider = defineProvider<FilterProperties>({
  typeName: 'AWS::Logs::SubscriptionFilter',
  model,
  handles: [
    'ApplyOnTransformedLogs',
    'DestinationArn',
    'Distribution',
    'EmitSystemFields',
    'FieldSelectionCriteria',
    'FilterName',
    'FilterPattern',
    'LogGroupName',
    'RoleArn',
  ],

  async create(properties, ctx) {
    const FilterName = properties.FilterName ?? ctx.name();
    const input = lowerNames({ ...properties, FilterName }) as Properties;
    await run(ctx, 'logs', 'PutSubscriptionFilter', input);
    return { identifier: identifierOf(FilterName, properties.LogGroupName) };
  },

  async read(identifier, ctx) {
    const [filterName, logGroupName] = identifierParts(identifier, 2) as [string, string];
    const call = ctx.call('logs', 'DescribeSubscriptionFilters', { logGroupName, filterNamePrefix: filterName });
    const found = (await unless(call, GONE))?.subscriptionFilters?.find((one) => one.filterName === filterName);
    if (!found) return undefined;
    const { creationTime: _, ...rest } = found;
    return { properties: upperNames(rest) as FilterProperties, attributes: {} };
  },

  async update(identifier, _previous, desired, ctx) {
    const [FilterName] = identifierParts(identifier, 2) as [string];
    await run(ctx, 'logs', 'PutSubscriptionFilter', lowerNames({ ...desired, FilterName }) as Properties);
  },

  async delete(identifier, _properties, ctx) {
    const [filterName, logGroupName] = identifierParts(identifier, 2) as [string, string];
    await unless(ctx.call('logs', 'DeleteSubscriptionFilter', { logGroupName, filterName }), GONE);
  },
});
