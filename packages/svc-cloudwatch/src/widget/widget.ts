import type { Dimension, MetricDataQuery } from '@emu/service-types/cloudwatch';
import { isObject, parseJson } from '@emu/wire';
import { invalid } from '../errors.ts';

/** The drawn parts of a metric widget. */
export interface Widget {
  width: number;
  height: number;
  /** Epoch milliseconds. */
  start: number;
  end: number;
  queries: MetricDataQuery[];
}

const DEFAULT_WIDTH = 600;
const DEFAULT_HEIGHT = 400;
const MAX = 2000;
const DEFAULT_PERIOD = 300;
const DEFAULT_STATISTIC = 'Average';
const UNITS: Readonly<Record<string, number>> = { M: 60_000, H: 3_600_000, D: 86_400_000, W: 604_800_000 };
const SAME = '.';

type Json = Record<string, unknown>;

const invalidWidget = (reason: string) => invalid(`Invalid MetricWidget: ${reason}`);

/**
 * Parses a metric widget.
 * @param now epoch milliseconds
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Metric-Widget-Structure.html
 */
export function parseWidget(text: string, now: number): Widget {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    json = undefined;
  }
  if (!isObject(json)) throw invalidWidget('it is not a JSON object.');
  const { metrics, width = DEFAULT_WIDTH, height = DEFAULT_HEIGHT, start = '-PT3H', end = 'PT0H' } = json;
  if (!Array.isArray(metrics)) throw invalidWidget('metrics must be an array.');
  return {
    width: sizeOf(width, 'width'),
    height: sizeOf(height, 'height'),
    start: boundOf(start, now),
    end: boundOf(end, now),
    queries: queriesOf(metrics, json),
  };
}

function sizeOf(value: unknown, member: string): number {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MAX)
    throw invalidWidget(`${member} must be between 1 and ${MAX}.`);
  return value as number;
}

/** Parses a time, absolute or relative: `-PT3H`, `-P7D`. */
function boundOf(value: unknown, now: number): number {
  const text = String(value);
  const [, sign, amount, unit] = /^(-?)PT?(\d+)([MHDW])$/.exec(text) ?? [];
  if (amount !== undefined) return now + (sign ? -1 : 1) * Number(amount) * UNITS[unit!]!;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidWidget(`${text} is not a valid time.`);
  return time;
}

/**
 * Returns the queries of lines such as `["AWS/SQS", "SentMessageSize", "QueueName", "q", {"stat": "p90"}]`; dots repeat
 * the previous line's values.
 */
function queriesOf(metrics: readonly unknown[], widget: Json): MetricDataQuery[] {
  let before: string[] = [];
  return metrics.map((metric, index) => {
    if (!Array.isArray(metric)) throw invalidWidget(`metrics[${index}] must be an array.`);
    const last: unknown = metric.at(-1);
    const options = isObject(last) ? last : {};
    const Id = typeof options.id === 'string' ? options.id : `w${index}`;
    const shown = { Id, ReturnData: options.visible !== false };
    const label = typeof options.label === 'string' ? { Label: options.label } : {};
    if (typeof options.expression === 'string') return { ...shown, ...label, Expression: options.expression };
    const words = metric.filter((word): word is string => typeof word === 'string');
    const parts = words.flatMap((word, place) =>
      word === '...'
        ? before.slice(place, before.length - (words.length - place - 1))
        : [word === SAME ? (before[place] ?? '') : word],
    );
    before = parts;
    const [Namespace, MetricName, ...rest] = parts;
    const Dimensions: Dimension[] = [];
    for (let place = 0; place + 1 < rest.length; place += 2)
      Dimensions.push({ Name: rest[place]!, Value: rest[place + 1]! });
    return {
      ...shown,
      ...label,
      MetricStat: {
        Metric: { Namespace, MetricName, Dimensions },
        Period: Number(options.period ?? widget.period ?? DEFAULT_PERIOD),
        Stat: String(options.stat ?? widget.stat ?? DEFAULT_STATISTIC),
      },
    };
  });
}
