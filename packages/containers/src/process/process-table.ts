import { readdirSync, readFileSync } from 'node:fs';

/** A process as the system tells of it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** When it was started, in ticks since the machine was: an id may soon be another process's. */
  readonly start: string;
}

/** Every process of the machine, by its id; empty where the system has no /proc. The dead are left out. */
export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

/** Processes that are read before other work has its turn. */
const SLICE = 50;

/** Reads every process now. */
export function readProcesses(): ProcessTable {
  const table = new Map<number, ProcessEntry>();
  for (const pid of ids()) addTo(table, pid);
  return table;
}

/** Reads every process with turns for other work in between. */
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
  // The name in parentheses may have spaces; the state follows it, then the parent, and 18 fields later the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] !== 'Z') table.set(pid, { pid, parent: Number(fields[1]), start: fields[19]! });
}
