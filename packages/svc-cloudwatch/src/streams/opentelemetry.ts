/** What a stream tells of a metric in a minute. */
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
  /** Additional statistics by name, e.g. `p99`. */
  statistics: Readonly<Record<string, number>>;
}

/** Facts that every message tells of where it comes from. */
export interface StreamSource {
  accountId: string;
  region: string;
  arn: string;
}

const MINUTE = 60_000;
const FIXED64 = 1;
const BYTES = 2;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

const tag = (field: number, type: typeof FIXED64 | typeof BYTES): Buffer => varint(field * 8 + type);

function message(field: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([tag(field, BYTES), varint(body.length), body]);
}

const text = (field: number, value: string): Buffer => message(field, Buffer.from(value));

function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tag(field, FIXED64), bytes]);
}

function fixed64(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([tag(field, FIXED64), bytes]);
}

/** A `KeyValue` with a text. */
const attribute = (field: number, key: string, value: string): Buffer =>
  message(field, text(1, key), message(2, text(1, value)));

/** A `KeyValue` with a list of others. */
const attributes = (field: number, key: string, values: Readonly<Record<string, string>>): Buffer =>
  message(
    field,
    text(1, key),
    message(2, message(6, ...Object.entries(values).map(([name, value]) => attribute(1, name, value)))),
  );

/** Labels of 0.7, which are texts, or attributes of 1.0. */
function labels(version: '0.7' | '1.0', { namespace, name, dimensions }: StreamedMetric): Buffer[] {
  if (version === '1.0')
    return [
      attribute(7, 'Namespace', namespace),
      attribute(7, 'MetricName', name),
      attributes(7, 'Dimensions', dimensions),
    ];
  const all = { Namespace: namespace, MetricName: name, ...dimensions };
  return Object.entries(all).map(([key, value]) => message(1, text(1, key), text(2, value)));
}

function summary(version: '0.7' | '1.0', metric: StreamedMetric): Buffer {
  const quantile = (share: number, value: number) => message(6, double(1, share), double(2, value));
  const additional = Object.entries(metric.statistics).flatMap(([name, value]) => {
    const [, percent] = /^p(\d+(?:\.\d+)?)$/.exec(name) ?? [];
    return percent === undefined ? [] : [quantile(Number(percent) / 100, value)];
  });
  return message(
    1,
    ...labels(version, metric),
    fixed64(2, BigInt(metric.timestamp) * 1_000_000n),
    fixed64(3, BigInt(metric.timestamp + MINUTE) * 1_000_000n),
    fixed64(4, BigInt(Math.round(metric.count))),
    double(5, metric.sum),
    quantile(0, metric.min),
    ...additional,
    quantile(1, metric.max),
  );
}

/**
 * Metrics as an `ExportMetricsServiceRequest`, after its length.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-metric-streams-formats-opentelemetry-100.html
 */
export function openTelemetry(
  version: '0.7' | '1.0',
  source: StreamSource,
  metrics: readonly StreamedMetric[],
): Buffer {
  const resource = message(
    1,
    attribute(1, 'cloud.provider', 'aws'),
    attribute(1, 'cloud.account.id', source.accountId),
    attribute(1, 'cloud.region', source.region),
    attribute(1, 'aws.exporter.arn', source.arn),
  );
  const list = metrics.map((metric) =>
    message(
      2,
      text(1, `amazonaws.com/${metric.namespace}/${metric.name}`),
      text(3, metric.unit === 'None' ? '1' : `{${metric.unit}}`),
      message(11, summary(version, metric)),
    ),
  );
  const request = message(1, resource, message(2, ...list));
  return Buffer.concat([varint(request.length), request]);
}
