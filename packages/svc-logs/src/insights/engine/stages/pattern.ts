import type { Compiled } from '../functions/function.ts';
import { Row } from '../row.ts';
import { scalarText, type Value } from '../values.ts';
import type { MakeStage, Stage, Steps } from './stage.ts';

/** Time range of a row: the query's own, or the one `diff` compares to. */
export interface Phase {
  previous: boolean;
}

/** Column slots of `pattern` and `diff`. */
export interface PatternSlots {
  readonly pattern: number;
  readonly ratio: number;
  readonly sampleCount: number;
  readonly severity: number;
  /** Of `diff` only. */
  readonly difference?: { readonly count: number; readonly percent: number; readonly description: number };
}

/** Maximum share of words that may differ between events of one pattern. */
const MAX_DIFFERENT = 0.3;
/** Number of patterns with the same word count that an event is compared to. */
const MAX_CANDIDATES = 200;
/** Number of characters of an event that its pattern considers. */
const MAX_LENGTH = 10_000;

const WORD = /[A-Za-z0-9_.:/@#%+-]+|\s+|[^\sA-Za-z0-9_.:/@#%+-]/g;
const DYNAMIC = /\d/;

/** Kinds of dynamic tokens recognised by their form. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['UUID', /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  ['IPAddress', /^(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?$/],
  ['Timestamp', /^\d{4}-\d\d-\d\d(?:T\S+)?$|^\d\d:\d\d(?::\d\d\S*)?$/],
  ['ARN', /^arn:aws/],
  ['URL', /^https?:\/\//],
  ['Number', /^[+-]?\d+(?:\.\d+)?$/],
];
const TIME_UNIT = /^(?:ms|msec|s|sec|seconds?|minutes?|milliseconds?)$/i;

const SEVERITIES: readonly (readonly [string, RegExp])[] = [
  ['Fatal', /\b(?:FATAL|CRITICAL|Fatal|Critical|fatal|critical)\b/],
  ['Error', /\b(?:ERROR|Error|error|ERR|EXCEPTION|Exception|exception)\b/],
  ['Warning', /\b(?:WARN|WARNING|Warn|Warning|warn|warning)\b/],
  ['Info', /\b(?:INFO|Info|info|NOTICE)\b/],
  ['Debug', /\b(?:DEBUG|Debug|debug)\b/],
  ['Trace', /\b(?:TRACE|Trace|trace)\b/],
];

/** A cluster of similar events. */
interface Cluster {
  /** Words; undefined for dynamic ones. */
  readonly words: (string | undefined)[];
  /** First values of dynamic places. */
  readonly samples: string[];
  readonly severity: string | undefined;
  count: number;
  previous: number;
}

/**
 * Clusters similar texts: words with digits are dynamic, and so are words that differ between otherwise equal texts.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax-Pattern.html
 */
export const patternStage =
  (of: Compiled, slots: PatternSlots, size: number, phase: Phase): MakeStage =>
  (next) =>
    new Pattern(of, slots, size, phase, next);

class Pattern implements Stage {
  private readonly byShape = new Map<string, Cluster>();
  private readonly byLength = new Map<number, Cluster[]>();
  private total = 0;

  constructor(
    private readonly of: Compiled,
    private readonly slots: PatternSlots,
    private readonly size: number,
    private readonly phase: Phase,
    private readonly next: Stage,
  ) {}

  push(row: Row): void {
    const text = scalarText(this.of.evaluate(row));
    if (text === undefined) return;
    const cluster = this.clusterOf(text.slice(0, MAX_LENGTH));
    if (this.phase.previous) cluster.previous++;
    else {
      cluster.count++;
      this.total++;
    }
  }

  *end(): Steps {
    const clusters = new Set([...this.byLength.values()].flat());
    for (const cluster of [...clusters].sort((a, b) => b.count - a.count)) {
      if (cluster.count || this.slots.difference) this.next.push(this.rowOf(cluster));
      yield;
    }
    yield* this.next.end();
  }

  private clusterOf(text: string): Cluster {
    const samples = text.match(WORD) ?? [];
    const words = samples.map((word) => (DYNAMIC.test(word) ? undefined : word));
    const shape = words.map((word) => word ?? '\0').join('');
    const known = this.byShape.get(shape);
    if (known) return known;
    const cluster = this.alike(words) ?? this.added(words, samples, text);
    this.byShape.set(shape, cluster);
    return cluster;
  }

  /** Returns a cluster that differs in few words; these become dynamic. */
  private alike(words: readonly (string | undefined)[]): Cluster | undefined {
    const most = words.filter((word) => word === undefined || /\w/.test(word)).length * MAX_DIFFERENT;
    for (const cluster of this.byLength.get(words.length)?.slice(-MAX_CANDIDATES) ?? []) {
      const different = words.flatMap((word, index) => (word === cluster.words[index] ? [] : [index]));
      if (different.length > most || !different.every((index) => isWord(words[index]) && isWord(cluster.words[index])))
        continue;
      for (const index of different) cluster.words[index] = undefined;
      return cluster;
    }
    return undefined;
  }

  private added(words: (string | undefined)[], samples: string[], text: string): Cluster {
    const severity = SEVERITIES.find(([, form]) => form.test(text))?.[0];
    const cluster = { words, samples, severity, count: 0, previous: 0 };
    const others = this.byLength.get(words.length);
    if (others) others.push(cluster);
    else this.byLength.set(words.length, [cluster]);
    return cluster;
  }

  private rowOf({ words, samples, severity, count, previous }: Cluster): Row {
    const row = new Row(undefined, new Array<Value>(this.size).fill(undefined));
    const { pattern, ratio, sampleCount, severity: label, difference } = this.slots;
    row.values[pattern] = described(words, samples);
    row.values[ratio] = this.total ? count / this.total : 0;
    row.values[sampleCount] = count;
    row.values[label] = severity;
    if (difference) {
      row.values[difference.count] = count - previous;
      row.values[difference.percent] = previous ? ((count - previous) / previous) * 100 : undefined;
      row.values[difference.description] = describe(count, previous);
    }
    return row;
  }
}

const isWord = (word: string | undefined): boolean => word === undefined || /^[\w.:/@#%+-]+$/.test(word);

function describe(count: number, previous: number): string {
  if (!previous) return 'New';
  if (!count) return 'Missing';
  if (count === previous) return 'Same';
  return count > previous ? 'More' : 'Fewer';
}

/** Words of a pattern with dynamic tokens such as `<Time-1>`. */
function described(words: readonly (string | undefined)[], samples: readonly string[]): string {
  let number = 0;
  return words
    .map((word, index) => {
      if (word !== undefined) return word;
      number++;
      return `<${kindOf(samples[index]!, words[index + 1], words[index + 2])}-${number}>`;
    })
    .join('');
}

function kindOf(sample: string, space: string | undefined, unit: string | undefined): string {
  const kind = KINDS.find(([, form]) => form.test(sample))?.[0] ?? 'Token';
  const timed = space !== undefined && /^\s+$/.test(space) && unit !== undefined && TIME_UNIT.test(unit);
  return kind === 'Number' ? (timed ? 'Time' : 'Number') : kind;
}
