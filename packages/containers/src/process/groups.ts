import { readdirSync, readFileSync } from 'node:fs';
import type { Mark } from './mark.ts';

/** Sends a signal to a process group. @returns whether there was one */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    // EPERM: something is left, but not ours to signal (a set-uid program).
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Kills every process that carries a mark, wherever it went; Linux only, elsewhere nothing.
 * @returns how many there were
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

/** Ids of the processes that carry a mark, in their environment or their limits. */
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
    .filter((name) => `\0${textOf(name, 'environ')}`.includes(`\0${variable}`) || line.test(textOf(name, 'limits')))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function textOf(pid: string, file: 'environ' | 'limits'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // Ended meanwhile, or another user's.
    return '';
  }
}

/** Bytes of memory a process has in use, and the most it ever had; undefined where the system does not tell. */
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
