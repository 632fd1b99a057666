import { readdirSync, readFileSync } from 'node:fs';
import type { Mark } from './mark.ts';
import { type ProcessTable, readProcesses } from './process-table.ts';

/** Sends a signal to a process group. @returns whether it existed */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: processes remain that we may not signal (a set-uid program).
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Sends a signal to a process. @returns whether it existed */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // It has ended meanwhile, or runs as another user (a set-uid program).
    return false;
  }
}

/** Sends a signal to the members of a process group, except the first one. */
export function signalMembers(group: number, signal: NodeJS.Signals, table: ProcessTable): void {
  for (const { pid, group: own } of table.values()) if (own === group && pid !== group) signalProcess(pid, signal);
}

/** Returns the id of the first child of a process; undefined if it has none. */
export function childOf(pid: number): number | undefined {
  try {
    return Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'), 10) || undefined;
  } catch {
    // The process has ended, or the kernel does not list children.
    for (const entry of readProcesses().values()) if (entry.parent === pid) return entry.pid;
    return undefined;
  }
}

/**
 * Kills every process with a mark. Works on Linux only.
 * @returns the number of processes
 */
export function killMarked(mark: Mark): number {
  return markedProcesses(mark).filter((pid) => signalProcess(pid, 'SIGKILL')).length;
}

/** Returns the ids of processes with a mark in their environment or limits. */
function markedProcesses({ variable, limit }: Mark): number[] {
  const line = new RegExp(limit, 'm');
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return (
    entries
      .filter((name) => /^\d+$/.test(name))
      .filter(
        (name) =>
          `\0${readProcFile(name, 'environ')}`.includes(`\0${variable}`) || line.test(readProcFile(name, 'limits')),
      )
      // A zombie has no environment, but keeps its limits until its parent reaps it.
      .filter((name) => !/^State:\s+Z/m.test(readProcFile(name, 'status')))
      .map(Number)
      .filter((pid) => pid !== process.pid)
  );
}

function readProcFile(pid: string, file: 'environ' | 'limits' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It has ended meanwhile or belongs to another user.
    return '';
  }
}

/** Returns the current and peak memory usage of a process in bytes; undefined if the system does not report it. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const read = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    return { now: read('VmRSS'), peak: read('VmHWM') };
  } catch {
    return undefined;
  }
}
