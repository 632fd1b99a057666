import { readdirSync, readFileSync } from 'node:fs';

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
 * Kills every process whose environment begins a variable as given, wherever it went; Linux only, elsewhere nothing.
 * @param marker `NAME=value`, or a beginning of it
 * @returns how many there were
 */
export function killMarked(marker: string): number {
  let killed = 0;
  for (const pid of markedProcesses(marker)) {
    try {
      process.kill(pid, 'SIGKILL');
      killed++;
    } catch {
      // It has ended meanwhile.
    }
  }
  return killed;
}

/** Ids of the processes that carry a marker. */
function markedProcesses(marker: string): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`\0${marker}`))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function environmentOf(pid: string): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
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
