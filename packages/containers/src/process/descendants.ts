import { signalProcess } from './groups.ts';
import type { ProcessTable } from './process-table.ts';

/** Receives the descendants of a process that start and end. */
export interface DescendantListener {
  found(pid: number): void;
  gone(pid: number): void;
}

/**
 * Descendants of a process, even if they change their group, session or environment. A process is found if its parents
 * existed at one of the scans.
 */
export class Descendants {
  /** Start times by process id. */
  private readonly known = new Map<number, string>();

  constructor(
    private readonly root: number,
    private readonly listener: DescendantListener,
  ) {}

  /** Scans the processes. */
  look(table: ProcessTable): void {
    for (const [pid, start] of this.known)
      if (table.get(pid)?.start !== start) {
        this.known.delete(pid);
        this.listener.gone(pid);
      }
    let before: number;
    do {
      before = this.known.size;
      for (const { pid, parent, start } of table.values())
        if (!this.known.has(pid) && (parent === this.root || this.known.has(parent))) {
          this.known.set(pid, start);
          this.listener.found(pid);
        }
    } while (this.known.size > before);
  }

  /** Kills all descendants. @returns whether any existed */
  kill(table: ProcessTable): boolean {
    this.look(table);
    for (const pid of this.known.keys()) signalProcess(pid, 'SIGKILL');
    return this.known.size > 0;
  }
}
