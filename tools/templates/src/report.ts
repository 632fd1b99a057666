import { readFileSync } from 'node:fs';
import type { Outcome } from './run.ts';

/** Causes with a common reason why emu need not deploy their templates. */
export interface KnownCauses {
  readonly reason: string;
  readonly causes: readonly string[];
}

/** Reads a table of known causes. @param path of a JSON file with a list of `KnownCauses` */
export const readKnown = (path: string): KnownCauses[] => JSON.parse(readFileSync(path, 'utf8')) as KnownCauses[];

/** A cause with its templates. */
export interface Cause {
  readonly cause: string;
  /** Steps that failed for it; none if the templates passed with placeholders. */
  readonly steps: readonly string[];
  readonly templates: readonly string[];
  /** The reason in the table of known causes. */
  readonly reason: string | undefined;
}

/** Groups outcomes by cause; the most frequent first. */
export function causesIn(outcomes: readonly Outcome[], known: readonly KnownCauses[]): Cause[] {
  const reasons = new Map(known.flatMap(({ reason, causes }) => causes.map((cause) => [cause, reason] as const)));
  const names = [...new Set(outcomes.flatMap(({ causes }) => causes))];
  const found = names.map((cause): Cause => {
    const those = outcomes.filter(({ causes }) => causes.includes(cause));
    return {
      cause,
      steps: [...new Set(those.flatMap(({ failed }) => failed ?? []))],
      templates: those.map(({ name }) => name),
      reason: reasons.get(cause),
    };
  });
  return found.sort((a, b) => b.templates.length - a.templates.length || (a.cause < b.cause ? -1 : 1));
}

/** Returns the causes in a table that no outcome has. */
export function staleCauses(outcomes: readonly Outcome[], known: readonly KnownCauses[]): string[] {
  const found = new Set(outcomes.flatMap(({ causes }) => causes));
  return known.flatMap(({ causes }) => causes.filter((cause) => !found.has(cause)));
}

/** Number of templates in a line of the report. */
const SHOWN = 3;

/** Returns the report by cause as text. @param all whether to list all templates of a cause */
export function reportOf(outcomes: readonly Outcome[], known: readonly KnownCauses[], all: boolean): string {
  const passed = outcomes.filter(({ failed }) => failed === undefined).length;
  const lines = causesIn(outcomes, known).flatMap(({ cause, steps, templates, reason }) => {
    const shown = all ? templates : templates.slice(0, SHOWN);
    const more = templates.length > shown.length ? ` and ${templates.length - shown.length} more` : '';
    return [
      `${String(templates.length).padStart(4)}  ${steps.length ? `${steps.join(', ')}: ` : ''}${cause}`,
      `      ${shown.join(', ')}${more}`,
      ...(reason === undefined ? [] : [`      known: ${reason}`]),
    ];
  });
  return [...lines, `${passed} of ${outcomes.length} templates pass all steps.`].join('\n');
}
