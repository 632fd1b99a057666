import type { ProcessTable } from './process-table.ts';

/** What is told of processes that come and go below one. */
export interface DescendantListener {
  found(pid: number): void;
  gone(pid: number): void;
}

/**
 * The processes that a process started, and those that they started, whatever they did to their group, session or
 * environment. One is known from the first look on at which its parents were there.
 */
export class Descendants {
  /** When each was started, by its id. */
  private readonly known = new Map<number, string>();

  constructor(
    private readonly root: number,
    private readonly listener: DescendantListener,
  ) {}

  /** Looks who is there. */
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

  /** Kills all that are there. @returns whether there were any */
  kill(table: ProcessTable): boolean {
    this.look(table);
    for (const pid of this.known.keys()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile, or runs as another user: a set-uid program.
      }
    }
    return this.known.size > 0;
  }
}
