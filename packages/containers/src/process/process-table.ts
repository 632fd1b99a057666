import { readdirSync, readFileSync } from 'node:fs';

/** A process in the process table. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Start time in clock ticks since boot. It distinguishes processes that reuse an id. */
  readonly start: string;
}

/** Processes of the machine by id, without zombies; empty if the system has no /proc. */
export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

/** Number of processes after which other work is handled. */
const SLICE = 50;

/** Reads all processes synchronously. */
export function readProcesses(): ProcessTable {
  const table = new Map<number, ProcessEntry>();
  for (const pid of ids()) addTo(table, pid);
  return table;
}

/** Reads all processes and yields to other work in between. */
export async function readProcessesSoon(): Promise<ProcessTable> {
  const table = new Map<number, ProcessEntry>();
  for (const [index, pid] of ids().entries()) {
    addTo(table, pid);
    if (index % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return table;
}

function ids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function addTo(table: Map<number, ProcessEntry>, pid: number): void {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // It has ended meanwhile.
    return;
  }
  // The name in parentheses may contain spaces. State, parent, group and, 17 fields later, the start time follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] !== 'Z')
    table.set(pid, { pid, parent: Number(fields[1]), group: Number(fields[2]), start: fields[19]! });
}
