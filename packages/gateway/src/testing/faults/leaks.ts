import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Resources of a process that may leak, by kind. */
type Held = Map<string, number>;

/** Milliseconds after which a resource counts as leaked. */
const PATIENCE = 5000;
/** Number of observations before the test. */
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
 * Returns the paths of open files, where the system lists them. Paths are compared instead of descriptors, because a
 * file that an earlier test closes meanwhile would hide a leaked one.
 */
function openFiles(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', descriptor));
      return path.startsWith('/') ? [path] : [];
    } catch (error) {
      // It has been closed since, like the descriptor of the listing.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

/** Finds resources that leak during a test. */
export class LeakCheck {
  private constructor(private readonly before: Held) {}

  /** Begins a check. Resources in use for a moment, such as a test runner's timers, are excluded. */
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
   * Returns the additional resources as sentences, after waiting for those that end by themselves.
   * @param directories data directories, which must not contain temporary files
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

/** Returns the temporary files of a data directory. */
function temporaryFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tmp|part|spool)(\W|$)|(^|[\\/])(lock|emulator\.lock)$/.test(name))
    .map((name) => `${join(directory, name)} is left`);
}
