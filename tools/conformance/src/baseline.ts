import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServiceReport } from './run.ts';

const FILE = fileURLToPath(new URL('../baseline.json', import.meta.url));

/** Known results of one operation. */
export interface KnownOperation {
  variants: number;
  /** Failing variants. */
  failures: string[];
  /** Reasons of the failures, entered manually. */
  reasons?: Record<string, string>;
  doubt?: string;
}

/** Known failures: variants by operation, and operations with unproven behaviour. */
export interface Baseline {
  [service: string]: { [operation: string]: KnownOperation };
}

/** Reads the committed baseline. */
export function readBaseline(): Baseline {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Baseline) : {};
}

/**
 * Returns the baseline with the improvements of a run. Regressions are not adopted, and new operations that fail are
 * excluded.
 */
export function improvements(before: Baseline, reports: Readonly<Record<string, ServiceReport>>): Baseline {
  const after: Baseline = { ...before };
  for (const [service, report] of Object.entries(reports)) {
    const entries: Baseline[string] = {};
    for (const [operation, { variants, failures, doubt }] of Object.entries(report)) {
      const known = before[service]?.[operation];
      if (!known && (doubt !== undefined || Object.keys(failures).length)) continue;
      const still = doubt === undefined ? undefined : known?.doubt;
      const failing = Object.keys(failures).filter((variant) => known?.failures.includes(variant));
      const reasons = Object.entries(known?.reasons ?? {}).filter(([variant]) => failing.includes(variant));
      entries[operation] = {
        variants,
        failures: failing,
        ...(reasons.length && { reasons: Object.fromEntries(reasons) }),
        ...(still !== undefined && { doubt: still }),
      };
    }
    after[service] = entries;
  }
  return after;
}

/** Writes the results of a run as the baseline. */
export function writeBaseline(baseline: Baseline): void {
  writeFileSync(FILE, `${JSON.stringify(baseline, null, 2)}\n`);
}

/** Returns the regressions of a run as sentences; empty without any. */
export function losses(before: Baseline, reports: Readonly<Record<string, ServiceReport>>): string[] {
  const lost: string[] = [];
  for (const [service, operations] of Object.entries(before)) {
    const report = reports[service];
    if (!report) continue;
    for (const [operation, known] of Object.entries(operations)) {
      const now = report[operation];
      if (!now) {
        lost.push(`${service}.${operation} is gone`);
        continue;
      }
      for (const [variant, reason] of Object.entries(now.failures))
        if (!known.failures.includes(variant)) lost.push(`${service}.${operation} ${variant}: ${reason}`);
      if (now.doubt !== undefined && known.doubt === undefined) lost.push(`${service}.${operation}: ${now.doubt}`);
    }
  }
  for (const [service, report] of Object.entries(reports))
    for (const [operation, { doubt, failures }] of Object.entries(report))
      if (!before[service]?.[operation] && (doubt !== undefined || Object.keys(failures).length))
        lost.push(`${service}.${operation} is new and does not pass: ${doubt ?? Object.keys(failures)[0]}`);
  return lost;
}
