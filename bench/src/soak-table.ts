import type { HealthFigure } from './health.ts';
import type { SoakReport, SoakSample } from './soak.ts';

const HEAD = ['second', 'memory MiB', 'idle connections', 'requests/s', 'p50 ms', 'p99 ms', 'max ms'];

const row = ({ second, memory, connections, perSecond, p50, p99, max }: SoakSample): string[] => [
  second.toFixed(1),
  memory.toFixed(0),
  String(connections),
  perSecond.toFixed(0),
  ...[p50, p99, max].map((value) => value.toFixed(1)),
];

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell, column) => cell.padStart(HEAD[column]!.length)).join(' | ')} |`;

/** Header of the table of samples, as Markdown. */
export const soakHead = (): string =>
  `${line(HEAD)}\n|${HEAD.map((cell) => `${'-'.repeat(cell.length + 1)}:`).join('|')}|`;

/** Formats a sample as a table row. */
export const soakRow = (sample: SoakSample): string => line(row(sample));

/** Formats the result of a soak in a few lines. */
export function soakSummary({ options, requests, openFiles, problems }: SoakReport): string {
  return [
    `${requests.toLocaleString('en-US')} requests of ${options.clients} clients beside ${options.connections} idle connections`,
    `open files of emu: ${openFiles.before} before the connections, ${openFiles.after} after them`,
    ...(problems.length
      ? problems.slice(0, 20)
      : ['nothing acknowledged is lost, and all of it is there after a restart']),
  ].join('\n');
}

const HEALTH_HEAD = ['health while', 'seconds', 'p50 ms', 'p99 ms', 'max ms', 'p99 at most'];

/** Formats latencies of the health route as a Markdown table. */
export function healthTable(figures: readonly HealthFigure[]): string {
  const rows = figures.map(({ during, seconds, p50, p99, max, limit }) => [
    during,
    seconds.toFixed(2),
    ...[p50, p99, max].map((value) => value.toFixed(1)),
    limit === undefined ? 'none' : `${limit}${isSlow({ p99, limit }) ? ' (missed)' : ''}`,
  ]);
  const all = [HEALTH_HEAD, HEALTH_HEAD.map((_, column) => (column ? '---:' : '---')), ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Whether the health route exceeded its limit. */
export const isSlow = ({ p99, limit }: Pick<HealthFigure, 'p99' | 'limit'>): boolean =>
  limit !== undefined && p99 > limit;
