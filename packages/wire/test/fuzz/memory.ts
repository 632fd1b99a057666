import { getHeapCodeStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes by which the process may grow during one request. A short request that needs more is an attack. */
const MAX_AT_ONCE = 128 * 1024 * 1024;
/** Heap growth in bytes allowed after a run of any length. */
const MAX_KEPT = 24 * 1024 * 1024;

/** Measures the memory usage of a run's requests. */
export class Memory {
  private resident = process.memoryUsage.rss();
  private kept: number | undefined;

  /** Returns an error if the process grew too much since the last call; otherwise undefined. */
  grown(): string | undefined {
    const now = process.memoryUsage.rss();
    const growth = now - this.resident;
    this.resident = now;
    return growth > MAX_AT_ONCE ? `it took ${megabytes(growth)} of memory` : undefined;
  }

  /** Records the heap size after lazy loading and caching. */
  warm(): void {
    this.kept = heap();
  }

  /** Returns an error if the heap has grown too much since then. */
  leaked(): string | undefined {
    if (this.kept === undefined) throw new Error('the heap was not noted before');
    const growth = heap() - this.kept;
    return growth > MAX_KEPT ? `${megabytes(growth)} of heap stay after the run` : undefined;
  }
}

/**
 * Returns the used heap in bytes after a garbage collection, without compiled code: a run of a million requests compiles
 * and optimizes functions until its end.
 */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  return process.memoryUsage().heapUsed - code - bytecode;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
