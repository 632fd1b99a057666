import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isWeaker, type MemberProofs, type Proof, suffices } from './proof.ts';
import type { ServiceReport } from './run.ts';

const FILE = fileURLToPath(new URL('../members.json', import.meta.url));
const UNTRIED = new URL('../untried.json', import.meta.url);

/** Members of an operation without proof of an effect. */
export interface KnownMembers {
  /** Number of its members, including nested ones. */
  members: number;
  /** Members that are only returned as sent. */
  echoed?: string[];
  /** Members that a handler reads without a visible effect. */
  read?: string[];
  /** Members without a successful or possible request. */
  untried?: string[];
  /** Members that no handler reads, each with the reason. */
  unread?: Record<string, string>;
}

/** Members without proof of an effect, by service and operation. */
export type MemberBaseline = Record<string, Record<string, KnownMembers>>;

/** A reason why members are in no successful request. */
interface UntriedReason {
  /** Kind and reason: `not emulated`, `out of reach`, `excluded`, `state`, `values` or `client`. */
  readonly reason: string;
  /** Beginnings of `<operation>.<member>`; `*` stands for any text. */
  readonly members: readonly string[];
}

/** Committed reasons of untried members, by service. */
export const readUntried = (): Readonly<Record<string, readonly UntriedReason[]>> =>
  JSON.parse(readFileSync(UNTRIED, 'utf8')) as Readonly<Record<string, readonly UntriedReason[]>>;

/** Whether a beginning in `UntriedReason.members` includes a member. @param name `<operation>.<member>` */
export function includesUntried(beginning: string, name: string): boolean {
  const parts = beginning.split('*').map((part) => part.replace(/[.[\]]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}`).test(name);
}

/** Committed baseline of members. */
export const readMembers = (): MemberBaseline => JSON.parse(readFileSync(FILE, 'utf8')) as MemberBaseline;

/** Writes the results of a run as the baseline. */
export function writeMembers(baseline: MemberBaseline): void {
  writeFileSync(FILE, `${JSON.stringify(baseline, null, 2)}\n`);
}

/** Returns the baseline's entry of a member; undefined for one that must have an effect. */
function knownOf(known: KnownMembers | undefined, member: string): Proof | undefined {
  if (known?.unread && Object.hasOwn(known.unread, member)) return 'unread';
  return (['untried', 'read', 'echoed'] as const).find((proof) => known?.[proof]?.includes(member));
}

const WORDS: Readonly<Record<Proof, string>> = {
  effect: 'acts',
  echoed: 'is only told again',
  read: 'is read, but nothing follows from it',
  untried: 'is in no request that succeeds',
  unread: 'is read by no handler',
};

/** Returns the members whose proof in a run is weaker than in the baseline, as sentences; empty without any. */
export function memberLosses(before: MemberBaseline, reports: Readonly<Record<string, ServiceReport>>): string[] {
  const lost: string[] = [];
  for (const [service, report] of Object.entries(reports))
    for (const [operation, { members }] of Object.entries(report))
      for (const [member, proof] of Object.entries(members)) {
        const known = knownOf(before[service]?.[operation], member);
        if (known ? isWeaker(proof, known) : !suffices(member, proof))
          lost.push(`${service}.${operation} ${member} ${WORDS[proof]}`);
      }
  return lost;
}

/**
 * Returns the baseline with stronger proofs of a run. Unread members are added manually only, each with its reason;
 * others are added with a new operation.
 */
export function memberImprovements(
  before: MemberBaseline,
  reports: Readonly<Record<string, ServiceReport>>,
): MemberBaseline {
  const after: MemberBaseline = { ...before };
  for (const [service, report] of Object.entries(reports))
    after[service] = Object.fromEntries(
      Object.entries(report)
        .filter(([, { members }]) => Object.keys(members).length > 0)
        .map(([operation, { members }]) => [operation, improved(before[service]?.[operation], members)]),
    );
  return after;
}

function improved(known: KnownMembers | undefined, members: MemberProofs): KnownMembers {
  const after: KnownMembers = { members: Object.keys(members).length };
  for (const [member, proof] of Object.entries(members)) {
    const before = knownOf(known, member);
    // Members with a proven effect, now or before, are not listed.
    if (suffices(member, proof) || (known && before === undefined)) continue;
    const listed = before !== undefined && isWeaker(proof, before) ? before : proof;
    if (listed === 'effect') continue;
    if (listed !== 'unread') after[listed] = [...(after[listed] ?? []), member];
    else if (known?.unread?.[member] !== undefined) after.unread = { ...after.unread, [member]: known.unread[member] };
  }
  return after;
}
