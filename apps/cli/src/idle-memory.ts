import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** Interval of the checks in milliseconds. */
const INTERVAL = 5000;
/** Share of an interval in which the event loop of an idle process works, at most. */
const MAX_IDLE_WORK = 0.02;
const MIB = 2 ** 20;
/** Growth in bytes that is worth a garbage collection. */
const MIN_GROWTH = 8 * MIB;
/** Bytes outside of its heap for which V8 begins a garbage collection: more than 64 MiB. */
const PRESSURE = 72 * MIB;

/** Decides when an idle process has V8 release the memory of earlier work. */
export class IdleMemory {
  private hasWorked = false;

  /**
   * @param known bytes of the heap at the start
   * @param release has V8 release memory
   */
  constructor(
    private known: number,
    private readonly release: () => void,
  ) {}

  /**
   * Checks an interval.
   * @param work share in which the event loop worked
   * @param size bytes of the heap and of memory outside of it
   */
  check(work: number, size: number): void {
    if (work > MAX_IDLE_WORK) {
      this.hasWorked = true;
      return;
    }
    // Once after each period of work: what remains then is in use.
    if (this.hasWorked && size > this.known + MIN_GROWTH) this.release();
    this.hasWorked = false;
    this.known = size;
  }
}

/**
 * Releases memory of past requests while the process is idle. V8 collects garbage only when something is allocated, so
 * that otherwise a process stays at the size of its greatest load.
 */
export function releaseMemoryWhenIdle(): void {
  const memory = new IdleMemory(size(), press);
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    memory.check(performance.eventLoopUtilization(now, last).utilization, size());
    last = now;
  }, INTERVAL).unref();
}

function size(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * Has V8 begin a garbage collection and then shrink its heap, in small steps. The buffer is never written, so that the
 * system provides no memory for it.
 */
function press(): void {
  try {
    new ArrayBuffer(PRESSURE);
  } catch (error) {
    // The system provides no address space. V8 then collects garbage anyway.
    if (!(error instanceof RangeError)) throw error;
  }
}
