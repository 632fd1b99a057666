import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Tells a process from every other, also from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Where the number counts: a machine's boot, or a container's own numbering. */
  realm: string;
  /** When the process began, in the kernel's own count; empty where the system does not tell. */
  started: string;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const PID_NAMESPACE = '/proc/self/ns/pid';
/** Places of the state and of the start time among the fields of `/proc/<pid>/stat` that follow the command. */
const STATE_FIELD = 0;
const START_FIELD = 19;
/** A process that has ended and that nobody has waited for, as it stays in a container whose first process does not. */
const ENDED = ['Z', 'X'];

/** This process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, realm: ownRealm(), started: fieldsOf(process.pid)?.[START_FIELD] ?? '' };
}

/**
 * Whether a process still runs; `unknown` for one of another machine or container, whose numbers say nothing here.
 */
export function stateOf(identity: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (identity.realm !== ownRealm()) return sameHost(identity.realm) ? 'gone' : 'unknown';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // Any other error (EPERM) means that the process is there but somebody else's.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const fields = fieldsOf(identity.pid);
  if (fields && ENDED.includes(fields[STATE_FIELD]!)) return 'gone';
  const started = fields?.[START_FIELD];
  return identity.started && started && started !== identity.started ? 'gone' : 'running';
}

/** Names the running kernel: another one has another id, also the same machine's after a restart. */
export function kernelId(): string {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    // Only Linux tells; elsewhere host names are not given to containers of the same kernel.
    return hostname();
  }
}

function ownRealm(): string {
  try {
    return `${hostname()} ${readlinkSync(PID_NAMESPACE)} ${readFileSync(BOOT_ID, 'utf8').trim()}`;
  } catch {
    // Only Linux has these files; elsewhere a machine has one numbering.
    return hostname();
  }
}

/** The same machine or container before a restart: none of its processes runs any more. */
function sameHost(realm: string): boolean {
  return realm.split(' ')[0] === hostname();
}

/** What `/proc/<pid>/stat` says after the command, which may contain anything. */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
