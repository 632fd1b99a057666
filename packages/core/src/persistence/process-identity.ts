import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identity of a process, different from that of a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** Scope of the process number: a machine's boot, or a container's own numbering. */
  realm: string;
  /** Start of the process, in the kernel's unit; empty if the system does not report it. */
  started: string;
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const PID_NAMESPACE = '/proc/self/ns/pid';
/** Positions of the state and of the start time among the fields of `/proc/<pid>/stat` after the command. */
const STATE_FIELD = 0;
const START_FIELD = 19;
/** State of a zombie, which remains in a container whose first process does not reap it. */
const ENDED = ['Z', 'X'];

/** Returns the identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, realm: ownRealm(), started: fieldsOf(process.pid)?.[START_FIELD] ?? '' };
}

/**
 * Whether a process still runs; `unknown` for one of another machine or container, whose numbers have no meaning here.
 */
export function stateOf(identity: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (identity.realm !== ownRealm()) return sameHost(identity.realm) ? 'gone' : 'unknown';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // Any other error (EPERM) means that the process belongs to another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const fields = fieldsOf(identity.pid);
  if (fields && ENDED.includes(fields[STATE_FIELD]!)) return 'gone';
  const started = fields?.[START_FIELD];
  return identity.started && started && started !== identity.started ? 'gone' : 'running';
}

/** Returns the id of the running kernel; it changes with each restart of a machine. */
export function kernelId(): string {
  try {
    return readFileSync(BOOT_ID, 'utf8').trim();
  } catch {
    // Only Linux has this id; elsewhere containers of one kernel do not share host names.
    return hostname();
  }
}

function ownRealm(): string {
  try {
    return `${hostname()} ${readlinkSync(PID_NAMESPACE)} ${readFileSync(BOOT_ID, 'utf8').trim()}`;
  } catch {
    // Only Linux has these files; elsewhere a machine has a single numbering.
    return hostname();
  }
}

/** Whether a realm is this machine or container before a restart: none of its processes runs any more. */
function sameHost(realm: string): boolean {
  return realm.split(' ')[0] === hostname();
}

/** Returns the fields of `/proc/<pid>/stat` after the command, which may contain anything. */
function fieldsOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
