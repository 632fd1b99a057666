import { readdirSync, readFileSync } from 'node:fs';
import type { Mark } from './mark.ts';

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

/**
 * Kills every process with a mark. Works on Linux only.
 * @returns the number of processes
 */
export function killMarked(mark: Mark): number {
  let killed = 0;
  for (const pid of markedProcesses(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
      killed++;
    } catch {
      // It has ended meanwhile.
    }
  }
  return killed;
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
  return entries
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (name) =>
        `\0${readProcFile(name, 'environ')}`.includes(`\0${variable}`) || line.test(readProcFile(name, 'limits')),
    )
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function readProcFile(pid: string, file: 'environ' | 'limits'): string {
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
