import protobuf from 'protobufjs/light.js';

/** A metric of a stream in a minute. */
export interface StreamedMetric {
  namespace: string;
  name: string;
  dimensions: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  timestamp: number;
  unit: string;
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Additional statistics by name, for example `p99`. */
  statistics: Readonly<Record<string, number>>;
}

/** Origin of a stream's messages. */
export interface StreamSource {
  accountId: string;
  region: string;
  arn: string;
}

const MINUTE = 60_000;
const NANOS = 1_000_000n;

const field = (type: string, id: number, rule?: 'repeated') => ({ type, id, ...(rule && { rule }) });
const namedValue = (value: string) => ({ fields: { key: field('string', 1), value: field(value, 2) } });

/**
 * The used part of OpenTelemetry's metrics messages. Summaries of version 0.7 have text labels instead of the
 * attributes of 1.0.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto
 */
const messages = protobuf.Root.fromJSON({
  nested: {
    AnyValue: { fields: { stringValue: field('string', 1), kvlistValue: field('KeyValueList', 6) } },
    KeyValue: namedValue('AnyValue'),
    KeyValueList: { fields: { values: field('KeyValue', 1, 'repeated') } },
    StringKeyValue: namedValue('string'),
    Quantile: { fields: { quantile: field('double', 1), value: field('double', 2) } },
    DataPoint: {
      fields: {
        labels: field('StringKeyValue', 1, 'repeated'),
        startTimeUnixNano: field('fixed64', 2),
        timeUnixNano: field('fixed64', 3),
        count: field('fixed64', 4),
        sum: field('double', 5),
        quantileValues: field('Quantile', 6, 'repeated'),
        attributes: field('KeyValue', 7, 'repeated'),
      },
    },
    Summary: { fields: { dataPoints: field('DataPoint', 1, 'repeated') } },
    Metric: { fields: { name: field('string', 1), unit: field('string', 3), summary: field('Summary', 11) } },
    Resource: { fields: { attributes: field('KeyValue', 1, 'repeated') } },
    ScopeMetrics: { fields: { metrics: field('Metric', 2, 'repeated') } },
    ResourceMetrics: { fields: { resource: field('Resource', 1), scopeMetrics: field('ScopeMetrics', 2, 'repeated') } },
    Request: { fields: { resourceMetrics: field('ResourceMetrics', 1, 'repeated') } },
  },
});
const request = messages.lookupType('Request');

/** Returns a `KeyValue` with text. */
const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** Converts a 64-bit integer, which may exceed JavaScript's safe integers. */
const long = (value: bigint) => {
  const bits = BigInt.asUintN(64, value);
  return { low: Number(bits & 0xffff_ffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: true };
};

/** Returns the name of a metric as labels of version 0.7 or attributes of 1.0. */
function naming(version: '0.7' | '1.0', { namespace, name, dimensions }: StreamedMetric) {
  if (version === '0.7')
    return {
      labels: Object.entries({ Namespace: namespace, MetricName: name, ...dimensions }).map(([key, value]) => ({
        key,
        value,
      })),
    };
  const values = Object.entries(dimensions).map(([key, value]) => attribute(key, value));
  return {
    attributes: [
      attribute('Namespace', namespace),
      attribute('MetricName', name),
      { key: 'Dimensions', value: { kvlistValue: { values } } },
    ],
  };
}

function dataPoint(version: '0.7' | '1.0', metric: StreamedMetric) {
  const additional = Object.entries(metric.statistics).flatMap(([name, value]) => {
    const [, percent] = /^p(\d+(?:\.\d+)?)$/.exec(name) ?? [];
    return percent === undefined ? [] : [{ quantile: Number(percent) / 100, value }];
  });
  return {
    ...naming(version, metric),
    startTimeUnixNano: long(BigInt(metric.timestamp) * NANOS),
    timeUnixNano: long(BigInt(metric.timestamp + MINUTE) * NANOS),
    count: long(BigInt(Math.round(metric.count))),
    sum: metric.sum,
    quantileValues: [{ quantile: 0, value: metric.min }, ...additional, { quantile: 1, value: metric.max }],
  };
}

/**
 * Encodes metrics as an `ExportMetricsServiceRequest` with length prefix.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-metric-streams-formats-opentelemetry-100.html
 */
export function openTelemetry(
  version: '0.7' | '1.0',
  source: StreamSource,
  metrics: readonly StreamedMetric[],
): Uint8Array {
  const attributes = [
    attribute('cloud.provider', 'aws'),
    attribute('cloud.account.id', source.accountId),
    attribute('cloud.region', source.region),
    attribute('aws.exporter.arn', source.arn),
  ];
  const list = metrics.map((metric) => ({
    name: `amazonaws.com/${metric.namespace}/${metric.name}`,
    unit: metric.unit === 'None' ? '1' : `{${metric.unit}}`,
    summary: { dataPoints: [dataPoint(version, metric)] },
  }));
  const content = { resourceMetrics: [{ resource: { attributes }, scopeMetrics: [{ metrics: list }] }] };
  return request.encodeDelimited(content).finish();
}
