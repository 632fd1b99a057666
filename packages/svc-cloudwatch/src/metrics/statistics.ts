/** Aggregated values of a period. */
export interface Aggregate {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** Count of each value; undefined if some values are unknown. */
  values: Map<number, number> | undefined;
}

/** Computes a statistic; undefined if required values are unknown. */
export type Statistic = (aggregate: Aggregate) => number | undefined;

/** Bound of a range: a percentage, or a value. */
interface Bound {
  value: number;
  percent: boolean;
}

const BASIC: Readonly<Record<string, Statistic>> = {
  SampleCount: ({ count }) => count,
  Average: ({ sum, count }) => sum / count,
  Sum: ({ sum }) => sum,
  Minimum: ({ min }) => min,
  Maximum: ({ max }) => max,
};

/** Statistics valid in the member `Statistic`. */
export const BASIC_STATISTICS: readonly string[] = Object.keys(BASIC);

const NUMBER = String.raw`\d+(?:\.\d{0,10})?(?:[Ee][+-]?\d+)?`;
const SHORT = /^(p|tm|tc|ts|wm)(\d{1,2}(?:\.\d{0,10})?|100)$/;
const RANGE = new RegExp(`^(PR|TM|TC|TS|WM)\\((${NUMBER}%?)?:(${NUMBER}%?)?\\)$`);
const PERCENTILE_IN_BRACKETS = /^p\((\d{1,2}(?:\.\d{0,10})?|100)\)$/;

type Rows = [value: number, count: number][];

/**
 * Returns a statistic by name: `Sum`, `p99.9`, `tm90`, `TM(10%:90%)`, `PR(:300)`, `IQM`.
 * @returns undefined for an unknown name
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Statistics-definitions.html
 */
export function statisticOf(name: string): Statistic | undefined {
  const basic = BASIC[name];
  if (basic) return basic;
  if (name === 'IQM') return ranged('TM', { value: 25, percent: true }, { value: 75, percent: true });
  const percentile = PERCENTILE_IN_BRACKETS.exec(name);
  const [, kind = '', cut = ''] = SHORT.exec(name) ?? (percentile ? ['', 'p', percentile[1]!] : []);
  if (kind === 'p') return ofRows((rows, count) => percentileOf(rows, count, Number(cut)));
  if (kind) return ranged(kind.toUpperCase(), undefined, { value: Number(cut), percent: true });
  const [, range = '', low, high] = RANGE.exec(name) ?? [];
  if (!range || (low === undefined && high === undefined)) return undefined;
  const [from, to] = [boundOf(low), boundOf(high)];
  if (from?.percent && to && !to.percent) return undefined;
  if (to?.percent && from && !from.percent) return undefined;
  if (range === 'PR' && (from?.percent || to?.percent)) return undefined;
  return ranged(range, from, to);
}

function boundOf(text: string | undefined): Bound | undefined {
  return text === undefined ? undefined : { value: Number.parseFloat(text), percent: text.endsWith('%') };
}

/** Returns a statistic that requires all values. */
function ofRows(compute: (rows: Rows, count: number) => number | undefined): Statistic {
  return ({ values, count }) => {
    if (!values) return undefined;
    return compute(
      [...values].sort(([a], [b]) => a - b),
      count,
    );
  };
}

/** Returns a percentile, interpolated between the two nearest values. */
function percentileOf(rows: Rows, count: number, percent: number): number {
  const rank = (percent / 100) * (count - 1);
  const below = valueAt(rows, Math.floor(rank));
  const above = valueAt(rows, Math.ceil(rank));
  return below + (above - below) * (rank - Math.floor(rank));
}

function valueAt(rows: Rows, rank: number): number {
  let seen = 0;
  for (const [value, count] of rows) {
    seen += count;
    if (rank < seen) return value;
  }
  return rows.at(-1)![0];
}

/** Returns a statistic of the values between two bounds. */
function ranged(kind: string, low: Bound | undefined, high: Bound | undefined): Statistic {
  return ofRows((rows, count) => {
    const kept = low?.percent || high?.percent ? cutByShare(rows, count, low, high) : cutByValue(rows, low, high);
    const size = kept.reduce((total, [, weight]) => total + weight, 0);
    const sum = kept.reduce((total, [value, weight]) => total + value * weight, 0);
    switch (kind) {
      case 'PR':
        return (100 * size) / count;
      case 'TC':
        return size;
      case 'TS':
        return sum;
      case 'TM':
        return size ? sum / size : undefined;
      default:
        return winsorized(rows, count, kept, low, high);
    }
  });
}

/** Selects values above the lower bound, up to the upper one. */
function cutByValue(rows: Rows, low: Bound | undefined, high: Bound | undefined): Rows {
  return rows.filter(
    ([value]) => (low === undefined || value > low.value) && (high === undefined || value <= high.value),
  );
}

/** Selects values between two percentages, with fractional counts at the edges. */
function cutByShare(rows: Rows, count: number, low: Bound | undefined, high: Bound | undefined): Rows {
  const from = ((low?.value ?? 0) / 100) * count;
  const to = ((high?.value ?? 100) / 100) * count;
  const kept: Rows = [];
  let seen = 0;
  for (const [value, weight] of rows) {
    const part = Math.min(seen + weight, to) - Math.max(seen, from);
    if (part > 0) kept.push([value, part]);
    seen += weight;
  }
  return kept;
}

/** Returns the mean with values beyond the bounds replaced by the bounds. */
function winsorized(rows: Rows, count: number, kept: Rows, low: Bound | undefined, high: Bound | undefined) {
  const first = kept[0];
  const last = kept.at(-1);
  if (!first || !last) return undefined;
  const floor = low === undefined ? undefined : low.percent ? first[0] : low.value;
  const ceiling = high === undefined ? undefined : high.percent ? last[0] : high.value;
  const sum = rows.reduce((total, [value, weight]) => {
    const raised = floor === undefined ? value : Math.max(value, floor);
    return total + (ceiling === undefined ? raised : Math.min(raised, ceiling)) * weight;
  }, 0);
  return sum / count;
}
