import { defined, defineProvider, everyItem, type Properties, pick, run, sameValue } from '@emu/core/providers';
import { type AnyResourceProvider, isBlank, type ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface Configuration {
  readonly ExcludedTimeRanges?: readonly { readonly EndTime: string; readonly StartTime: string }[];
  readonly MetricTimeZone?: string;
}

interface DetectorProperties extends Properties {
  Configuration?: Configuration;
  Dimensions?: readonly Properties[];
  MetricMathAnomalyDetector?: Properties;
  SingleMetricAnomalyDetector?: Properties;
}

const METRIC = ['Dimensions', 'MetricName', 'Namespace', 'Stat'] as const;

const metricOf = (values: Properties, withAccount = false): Properties =>
  Object.fromEntries(
    [...METRIC, ...(withAccount ? ['AccountId'] : [])]
      .map((name) => [name, values[name]])
      .filter(([, value]) => value !== undefined),
  );

/** Returns the subject of a detector in the form of operations. */
function subjectOf(properties: DetectorProperties): Properties {
  const { MetricMathAnomalyDetector, SingleMetricAnomalyDetector } = properties;
  if (!isBlank(MetricMathAnomalyDetector ?? {})) return { MetricMathAnomalyDetector };
  const isSingle = !isBlank(SingleMetricAnomalyDetector ?? {});
  return { SingleMetricAnomalyDetector: isSingle ? SingleMetricAnomalyDetector : metricOf(properties) };
}

const withoutEmpty = (value: Properties): Properties =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => !(Array.isArray(item) && item.length === 0)));

const isOf = (found: Properties, subject: Properties): boolean =>
  Object.entries(subject).every(([name, value]) => {
    const other = found[name] as Properties | undefined;
    const given = withoutEmpty(value as Properties);
    // Detectors of metrics also return their account.
    const described = name === 'SingleMetricAnomalyDetector' && other ? metricOf(other, 'AccountId' in given) : other;
    return described !== undefined && sameValue(withoutEmpty(described), given);
  });

/** Converts the configuration, whose time zone has another name in templates. */
const configurationIn = ({ ExcludedTimeRanges, MetricTimeZone }: Configuration): Properties =>
  defined({ ExcludedTimeRanges, MetricTimezone: MetricTimeZone });

const timeText = (value: unknown): string => new Date(value as Date).toISOString().slice(0, 19);

function configurationOut(found: Properties | undefined): Configuration | undefined {
  const { ExcludedTimeRanges, MetricTimezone } = found ?? {};
  const ranges = (ExcludedTimeRanges as Properties[] | undefined)?.map(({ StartTime, EndTime }) => ({
    StartTime: timeText(StartTime),
    EndTime: timeText(EndTime),
  }));
  const configuration = defined({
    ExcludedTimeRanges: ranges?.length ? ranges : undefined,
    MetricTimeZone: MetricTimezone as string | undefined,
  });
  return Object.keys(configuration).length ? (configuration as Configuration) : undefined;
}

const put = (properties: DetectorProperties, ctx: ProviderContext) =>
  run(ctx, 'cloudwatch', 'PutAnomalyDetector', {
    ...subjectOf(properties),
    MetricCharacteristics: properties.MetricCharacteristics,
    Configuration: configurationIn(properties.Configuration ?? {}),
  });

/**
 * Anomaly detectors, which have no ids and are identified by their subject.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-anomalydetector.html
 */
export const anomalyDetector: AnyResourceProvider = defineProvider<DetectorProperties>({
  typeName: 'AWS::CloudWatch::AnomalyDetector',
  model,
  service: 'cloudwatch',
  handles: [
    'Configuration',
    'Dimensions',
    'MetricCharacteristics',
    'MetricMathAnomalyDetector',
    'MetricName',
    'Namespace',
    'SingleMetricAnomalyDetector',
    'Stat',
  ],
  key: ['Id'],
  gone: ['ResourceNotFoundException'],

  async create(properties, ctx) {
    await put(properties, ctx);
    const identifier = ctx.name();
    return { identifier, attributes: { Id: identifier } };
  },

  async find(_key, ctx, applied) {
    if (!applied) return undefined;
    const all = await everyItem(async (NextToken) => {
      const page = await run(ctx, 'cloudwatch', 'DescribeAnomalyDetectors', {
        AnomalyDetectorTypes: ['SINGLE_METRIC', 'METRIC_MATH'],
        NextToken,
      });
      return [page.AnomalyDetectors as unknown as Properties[], page.NextToken] as const;
    });
    return all.find((found) => isOf(found, subjectOf(applied)));
  },

  describe: (found, { Id }, _ctx, applied) => ({
    properties: defined({
      ...pick(applied!, [...METRIC, 'MetricMathAnomalyDetector', 'SingleMetricAnomalyDetector'] as never[]),
      Configuration: configurationOut(found.Configuration as Properties | undefined),
      MetricCharacteristics: found.MetricCharacteristics,
    }),
    attributes: { Id },
  }),

  update: (_key, _previous, desired, ctx) => put(desired, ctx),
  remove: (_key, properties, ctx) => run(ctx, 'cloudwatch', 'DeleteAnomalyDetector', subjectOf(properties)),
});
