import { basename, join } from 'node:path';
import { isStateFile, journalNumber } from '../persistence/service-files.ts';
import type { DamagedData } from '../storage/damage.ts';
import { type InspectedPlace, inspectState, type StateFindings } from './service-inspection.ts';
import type { Aside } from './set-aside.ts';

/** Result of a repair. */
export interface Repaired {
  /** Damage and its repair, a sentence each. */
  findings: string[];
  /** The remaining state. */
  state: StateFindings;
}

/** Sets aside damaged files of a service's snapshot and journals, until the rest is intact. */
export async function repairState(place: InspectedPlace, first: StateFindings, aside: Aside): Promise<Repaired> {
  const findings: string[] = [];
  // No file is required from here on: missing files cannot be set aside.
  const left: InspectedPlace = { ...place, mark: undefined };
  let state = first.damage ? await inspectState(left) : first;
  if (first.damage && state.damage?.message !== first.damage.message)
    findings.push(`${first.damage.message}; nothing can be done about it`);
  while (state.damage) {
    findings.push(`${state.damage.message}; ${await setAside(left, state.damage, aside)}`);
    state = await inspectState(left);
  }
  if (state.found?.loss) findings.push(state.found.loss);
  const last = state.found?.journals.at(-1);
  if (last && last.sequence === undefined) await aside.move(last.path);
  return { findings, state };
}

/** @returns what is lost */
async function setAside(
  { fileSystem, directory, service }: InspectedPlace,
  { path, whole }: DamagedData,
  aside: Aside,
): Promise<string> {
  const names = (await fileSystem.list(directory)).filter(isStateFile);
  const number = journalNumber(basename(path));
  if (!number) {
    // Journals contain changes to the snapshot: without it they are useless.
    for (const name of names) await aside.move(join(directory, name));
    return `all records of ${service} were set aside`;
  }
  const damaged = basename(path);
  const later = names.filter((name) => journalNumber(name) > number);
  for (const name of later) await aside.move(join(directory, name));
  const rest = later.length ? `; ${later.join(', ')} were set aside` : '';
  if (!names.includes(damaged)) return `the changes in it are lost${rest}`;
  if (whole && whole >= (await fileSystem.status(path)).size) return `what followed is lost${rest}`;
  if (whole) await aside.keepBeginning(path, whole);
  else await aside.move(path);
  return `the changes from byte ${whole ?? 0} on were set aside${rest}`;
}
