/** One figure: measured value, reference and target. */
export interface Figure {
  name: string;
  /** Measured value and its reference. */
  value: number;
  reference: number;
  unit: string;
  /** value / reference, the median over the rounds. */
  ratio: number;
  /**
   * For load: reference / value of the server's CPU time per request, which other work on the machine disturbs less
   * than requests per second.
   */
  processorRatio?: number | undefined;
  /** Target of `processorRatio` where it was measured, otherwise of `ratio`; undefined for a figure without a target. */
  target?: { atLeast: number } | { atMost: number };
  rounds: number;
}

/** Returns the median of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Measures two things in turns, so that other work on the machine affects both. The ratio is the rounds' median. */
export async function alternate(
  rounds: number,
  value: () => Promise<number>,
  reference: () => Promise<number>,
): Promise<Pick<Figure, 'value' | 'reference' | 'ratio' | 'rounds'>> {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that neither always starts after the other.
    if (round % 2) {
      const second = await reference();
      pairs.push([await value(), second]);
    } else pairs.push([await value(), await reference()]);
  }
  return {
    value: median(pairs.map(([one]) => one)),
    reference: median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([one, other]) => one / other)),
    rounds,
  };
}

/** Whether a figure meets its target. */
export const holds = ({ ratio, processorRatio = ratio, target }: Figure): boolean =>
  !target || ('atLeast' in target ? processorRatio >= target.atLeast : processorRatio <= target.atMost);

function aim({ target }: Figure): string {
  if (!target) return '';
  return 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
}

const shown = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 100 ? 0 : 1);

/** Formats the figures as a Markdown table, the most reliable ratio first. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    figure.processorRatio?.toFixed(2) ?? '',
    figure.ratio.toFixed(2),
    `${shown(figure.value)} ${figure.unit}`,
    `${shown(figure.reference)} ${figure.unit}`,
    aim(figure),
    figure.target ? (holds(figure) ? 'yes' : 'NO') : '',
  ]);
  const all = [['figure', 'ratio by CPU time', 'ratio', 'measured', 'compared with', 'target', 'met'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}
