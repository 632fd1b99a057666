import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectTraffic } from './object-traffic.ts';
import { startEmuOnAllCores } from './processes.ts';
import { SoakTraffic } from './soak-traffic.ts';

/** Intensity and duration. */
export interface FloodOptions {
  /** Mixed requests, or objects of 1 MiB. */
  of: 'requests' | 'objects';
  /** Number of concurrent requests. */
  clients: number;
  seconds: number;
}

/** Resident memory of emu around a flood of requests, in MiB. */
export interface FloodReport {
  requests: number;
  /** Before the flood, after a few requests. */
  before: number;
  /** At the end of the flood. */
  peak: number;
  /** A minute later. */
  after: number;
}

const MIB = 2 ** 20;
/** Milliseconds after a flood. */
const WAIT = 60_000;
/** Limit in MiB of the memory that remains a minute after a flood. */
const MAX_REMAINING = 30;

/** Sends many requests to emu in memory mode, and measures its memory before, at the end, and a minute later. */
export async function flood({ of, clients, seconds }: FloodOptions): Promise<FloodReport> {
  const emu = await startEmuOnAllCores();
  const traffic = of === 'requests' ? new SoakTraffic(emu.url, clients) : new ObjectTraffic(emu.url, clients);
  try {
    await traffic.prepare();
    const before = emu.memory() / MIB;
    await traffic.run(performance.now() + seconds * 1000);
    const peak = emu.memory() / MIB;
    traffic.close();
    await sleep(WAIT);
    return { requests: traffic.requests, before, peak, after: emu.memory() / MIB };
  } finally {
    traffic.close();
    await emu.stop();
  }
}

/** Whether the memory of a flood remains. */
export const remains = ({ before, after }: FloodReport): boolean => after > before + MAX_REMAINING;

/** Formats the result of a flood. */
export const floodSummary = ({ requests, before, peak, after }: FloodReport): string =>
  `${requests.toLocaleString('en-US')} requests: ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at the end, ` +
  `${after.toFixed(0)} MiB a minute later (at most ${(before + MAX_REMAINING).toFixed(0)})`;
