import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isWeaker, type MemberProofs, type Proof, suffices } from './proof.ts';
import type { ServiceReport } from './run.ts';

const FILE = fileURLToPath(new URL('../members.json', import.meta.url));

/** What is known not to be shown of an operation's members. */
export interface KnownMembers {
  /** Number of its members, those that it nests among them. */
  members: number;
  /** Members that are told again as they were sent, and nothing else. */
  echoed?: string[];
  /** Members that a handler reads, to no effect that shows. */
  read?: string[];
  /** Members with which no request succeeds or could be made. */
  untried?: string[];
  /** Members that no handler reads, each with the reason. */
  unread?: Record<string, string>;
}

/** What is known not to be shown of members, by service and operation. */
export type MemberBaseline = Record<string, Record<string, KnownMembers>>;

/** The committed baseline of members. */
export const readMembers = (): MemberBaseline => JSON.parse(readFileSync(FILE, 'utf8')) as MemberBaseline;

/** Commits to what a run found. */
export function writeMembers(baseline: MemberBaseline): void {
  writeFileSync(FILE, `${JSON.stringify(baseline, null, 2)}\n`);
}

/** What the baseline says of a member; undefined where that it must be shown to act. */
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

/** Members of which a run shows less than the baseline says, in words; empty where none. */
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
 * The baseline with members of which a run shows more. Members that nobody reads are added by hand only, each with its
 * reason; others are added with a new operation.
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
    // What is shown to act now, or was before, is not listed.
    if (suffices(member, proof) || (known && before === undefined)) continue;
    const listed = before !== undefined && isWeaker(proof, before) ? before : proof;
    if (listed === 'effect') continue;
    if (listed !== 'unread') after[listed] = [...(after[listed] ?? []), member];
    else if (known?.unread?.[member] !== undefined) after.unread = { ...after.unread, [member]: known.unread[member] };
  }
  return after;
}
