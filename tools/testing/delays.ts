const INTERVAL = 5;
/** Minimum number of samples, so that a single pause is not the 99th percentile. */
const MIN_SAMPLES = 300;

/**
 * Returns the 99th percentile of how long this process delays its own timers while `work` runs, in milliseconds. Time in
 * which a busy machine runs other processes does not count. A pause counts as many samples as timers fell due in it.
 */
export async function timerDelay(work: () => Promise<unknown>): Promise<number> {
  const delays: number[] = [];
  let due = performance.now() + INTERVAL;
  let before = process.cpuUsage();
  const sample = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    const delay = Math.min(now - due, (user + system) / 1000);
    delays.push(delay);
    for (let later = delay - INTERVAL; later > 0; later -= INTERVAL) delays.push(later);
    due = now + INTERVAL;
  };
  const timer = setInterval(sample, INTERVAL);
  try {
    await work();
    while (delays.length < MIN_SAMPLES) await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  } finally {
    clearInterval(timer);
  }
  delays.sort((left, right) => left - right);
  return delays[Math.floor(delays.length * 0.99)]!;
}

/** Returns the CPU time of synchronous work in milliseconds, without that of other processes. */
export function cpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the CPU time of the longest turn of the event loop while `work` runs, in milliseconds. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let running = true;
  let before = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    running = false;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return longest;
}
