import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes by which the process may grow during one request: a short one that takes more is an attack. */
const MOST_AT_ONCE = 128 * 1024 * 1024;
/** Bytes of heap that may stay after a run, however long it was. */
const MOST_KEPT = 24 * 1024 * 1024;

/** Watches what the requests of a run cost in memory. */
export class Memory {
  private resident = process.memoryUsage.rss();
  private kept: number | undefined;

  /** Says what is wrong with what the process took since it was last asked; undefined where nothing is. */
  grown(): string | undefined {
    const now = process.memoryUsage.rss();
    const growth = now - this.resident;
    this.resident = now;
    return growth > MOST_AT_ONCE ? `it took ${megabytes(growth)} of memory` : undefined;
  }

  /** Notes the heap as it is when everything that is loaded and cached once has been. */
  warm(): void {
    this.kept = heap();
  }

  /** Says how much more heap is kept than when it was warm, where it is too much. */
  leaked(): string | undefined {
    if (this.kept === undefined) throw new Error('the heap was not noted before');
    const growth = heap() - this.kept;
    return growth > MOST_KEPT ? `${megabytes(growth)} of heap stay after the run` : undefined;
  }
}

/** Bytes of the heap in use after a collection of garbage. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
