import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Baseline } from './baseline.ts';
import type { KnownMembers, MemberBaseline } from './members.ts';

const DOCUMENT = fileURLToPath(new URL('../../../docs/conformance.md', import.meta.url));
const [BEGIN, END] = ['<!-- figures: made by `pnpm conformance --update` -->', '<!-- end of figures -->'];

/** Returns the figures of the committed baselines as a table for the documentation. */
export function figuresOf(baseline: Baseline, members: MemberBaseline): string {
  const rows = Object.entries(baseline).map(([service, operations]) => {
    const known = Object.values(members[service] ?? {});
    const sum = (count: (entry: KnownMembers) => number): number =>
      known.reduce((total, entry) => total + count(entry), 0);
    const all = Object.values(operations);
    const variants = all.reduce((total, entry) => total + entry.variants, 0);
    const failures = all.reduce((total, entry) => total + entry.failures.length, 0);
    const weak = [
      sum(({ echoed = [] }) => echoed.length),
      sum(({ read = [] }) => read.length),
      sum(({ untried = [] }) => untried.length),
      sum(({ unread = {} }) => Object.keys(unread).length),
    ];
    const total = sum(({ members: count }) => count);
    const shown = total - weak.reduce((left, right) => left + right);
    return { service, cells: [all.length, variants, variants - failures, total, shown, ...weak] };
  });
  rows.sort((a, b) => a.service.localeCompare(b.service));
  const totals = rows[0]!.cells.map((_, index) => rows.reduce((total, { cells }) => total + cells[index]!, 0));
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(['Service', 'Operations', 'Requests', 'Pass', 'Members', 'Shown', 'Echoed', 'Read', 'Untried', 'Unread']),
    line(['---', ...totals.map(() => '---:')]),
    ...rows.map(({ service, cells }) => line([service, ...cells])),
    line(['all', ...totals]),
  ].join('\n');
}

/** Returns the figures in the documentation. */
export function documentedFigures(): string {
  const [, figures] = parts(readFileSync(DOCUMENT, 'utf8'));
  return figures;
}

/** Replaces the figures in the documentation. */
export function documentFigures(figures: string): void {
  const [before, , after] = parts(readFileSync(DOCUMENT, 'utf8'));
  writeFileSync(DOCUMENT, `${before}${BEGIN}\n${figures}\n${END}${after}`);
}

/** Returns the documentation before, in and after the figures. @throws Error without a place for them */
function parts(text: string): [before: string, figures: string, after: string] {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no figures between ${BEGIN} and ${END}`);
  return [text.slice(0, begin), text.slice(begin + BEGIN.length, end).trim(), text.slice(end + END.length)];
}
