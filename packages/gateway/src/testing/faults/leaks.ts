import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What of a process may leak, by kind. */
type Held = Map<string, number>;

/** Milliseconds after which what is still held counts as leaked. */
const PATIENCE = 5000;
/** How often the beginning is looked at. */
const LOOKS = 10;

function held(): Held {
  const counts: Held = new Map();
  const add = (kind: string): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  // Sockets, servers, timers, child processes and calls under way that keep the process running.
  for (const resource of process.getActiveResourcesInfo()) add(resource);
  for (const path of openFiles()) add(`open file ${path}`);
  return counts;
}

/**
 * Paths of the files that are open, where the machine shows them. By path and not by number, as a file of an earlier
 * test that is closed meanwhile would hide one that is left.
 */
function openFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', descriptor));
      return path.startsWith('/') ? [path] : [];
    } catch (error) {
      // Closed since it was listed, as the descriptor of the listing itself is.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Looks for what is left behind between now and the end of a test. */
export class LeakCheck {
  private constructor(private readonly before: Held) {}

  /** Begins a check. What is held for a moment only, such as a test runner's own timers, is no part of the beginning. */
  static async start(): Promise<LeakCheck> {
    const least = held();
    for (let look = 0; look < LOOKS; look++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const now = held();
      for (const [kind, count] of least) least.set(kind, Math.min(count, now.get(kind) ?? 0));
    }
    return new LeakCheck(least);
  }

  /**
   * What is held now and was not at the beginning, as sentences; waits for what ends by itself.
   * @param directories data directories, in which no temporary file may be left
   */
  async leaks(...directories: string[]): Promise<string[]> {
    const deadline = performance.now() + PATIENCE;
    let grown = this.grown();
    while (grown.length && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      grown = this.grown();
    }
    return [...grown, ...directories.flatMap(temporaryFiles)];
  }

  private grown(): string[] {
    return [...held()]
      .filter(([kind, count]) => count > (this.before.get(kind) ?? 0))
      .map(([kind, count]) => `${count} of ${kind}, ${this.before.get(kind) ?? 0} before`);
  }
}

/** Files of a data directory that are only there while something is written. */
function temporaryFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tmp|part|spool)(\W|$)|(^|[\\/])(lock|emulator\.lock)$/.test(name))
    .map((name) => `${join(directory, name)} is left`);
}
