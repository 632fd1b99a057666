import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HealthFigure, healthFigures, healthWhile } from './health.ts';
import { IdleConnections } from './idle-connections.ts';
import { type Server, startEmuOnAllCores } from './processes.ts';
import { SoakTraffic } from './soak-traffic.ts';

/** Intensity and duration. */
export interface SoakOptions {
  /** Number of idle connections. */
  connections: number;
  /** Number of concurrent requests. */
  clients: number;
  seconds: number;
  /** Interval of samples in seconds. */
  every: number;
  /** Whether emu's health route is measured during the load, and then during other large work. */
  health?: boolean;
}

/** A sample of the soak. */
export interface SoakSample {
  /** Seconds since the start of the load. */
  second: number;
  /** Resident memory in MiB. */
  memory: number;
  /** Number of idle connections still open. */
  connections: number;
  /** Requests per second since the previous sample. */
  perSecond: number;
  /** Latency in milliseconds since the previous sample. */
  p50: number;
  p99: number;
  max: number;
}

/** Result of a soak. */
export interface SoakReport {
  options: SoakOptions;
  samples: SoakSample[];
  requests: number;
  /** Open files of emu before the connections were opened and after they were closed; NaN if unavailable. */
  openFiles: { before: number; after: number };
  /** Latencies of emu's health route; empty if not measured. */
  health: HealthFigure[];
  /** Errors as sentences; empty if everything is correct. */
  problems: string[];
}

/** Open files of this process and emu besides connections. */
const SPARE_FILES = 500;
const MIB = 2 ** 20;
/** Limit in MiB of memory growth from the first two thirds of the load to the last, because of garbage collection. */
const GROWTH = 64;
/** Limit of emu's memory in MiB. */
const MAX_MEMORY = 1024;

/** Reduces the options to the limits of the machine: no process may open more files than its limit. */
export function withinLimits(options: SoakOptions): SoakOptions {
  const text =
    process.platform === 'win32' ? '' : execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  // Node raises its own limit to the hard one.
  const limit = /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  const share = Math.min(1, (limit - SPARE_FILES) / (options.connections + options.clients));
  return {
    ...options,
    connections: Math.floor(options.connections * share),
    clients: Math.floor(options.clients * share),
  };
}

/**
 * Puts mixed load on emu in persistent mode, besides idle connections, and then checks that all acknowledged data
 * exists, including after a restart.
 * @param onSample called with each sample
 */
export async function soak(wanted: SoakOptions, onSample?: (sample: SoakSample) => void): Promise<SoakReport> {
  const options = withinLimits(wanted);
  const folder = mkdtempSync(join(tmpdir(), 'emu-bench-soak-'));
  // Latency is measured on the whole machine, because the garbage collector's threads would take time from emu's main
  // thread on a shared core.
  const start = (): Promise<Server> => startEmuOnAllCores('--storage-mode', 'persistent', '--data-path', folder);
  const connections = new IdleConnections();
  let emu = await start();
  const traffic = new SoakTraffic(emu.url, options.clients);
  try {
    await traffic.prepare();
    // A while after the first service, emu starts a thread.
    await sleep(1000);
    const before = openFilesOf(emu);
    await connections.add(Number(new URL(emu.url).port), options.connections);
    const samples: SoakSample[] = [];
    const health: HealthFigure[] = [];
    const run = async (): Promise<void> => {
      const load = traffic.run(performance.now() + options.seconds * 1000);
      samples.push(...(await sampleWhile(load, { emu, traffic, connections, every: options.every, onSample })));
    };
    if (options.health) health.push(await healthWhile(emu, `${options.clients} clients work`, run));
    else await run();
    const problems = emu.running() ? [] : ['emu ended'];
    if (traffic.failed) problems.push(`${traffic.failed} requests failed: ${traffic.failures.join('; ')}`);
    if (connections.open < options.connections)
      problems.push(`${options.connections - connections.open} idle connections were cut`);
    problems.push(...growth(samples));
    connections.close();
    traffic.close();
    const after = await settled(emu, before);
    if (after > before) problems.push(`${after} files are open, ${before} were before`);
    // Its own connections remain open for a while and do not count.
    if (options.health) health.push(...(await healthFigures(emu)));
    await emu.stop();
    emu = await start();
    traffic.moveTo(emu.url);
    problems.push(...(await traffic.losses()));
    return { options, samples, requests: traffic.requests, openFiles: { before, after }, health, problems };
  } finally {
    connections.close();
    traffic.close();
    await emu.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Watched {
  emu: Server;
  traffic: SoakTraffic;
  connections: IdleConnections;
  every: number;
  onSample?: (sample: SoakSample) => void;
}

async function sampleWhile(load: Promise<void>, watched: Watched): Promise<SoakSample[]> {
  const { emu, traffic, connections, every, onSample } = watched;
  const samples: SoakSample[] = [];
  const start = performance.now();
  let last = start;
  let requests = traffic.requests;
  const take = (): void => {
    if (!emu.running()) return;
    const now = performance.now();
    const { latency } = traffic;
    const sample: SoakSample = {
      second: (now - start) / 1000,
      memory: emu.memory() / MIB,
      connections: connections.open,
      perSecond: ((traffic.requests - requests) * 1000) / (now - last),
      p50: latency.percentile(50) / 1000,
      p99: latency.percentile(99) / 1000,
      max: latency.max / 1000,
    };
    latency.reset();
    requests = traffic.requests;
    last = now;
    samples.push(sample);
    onSample?.(sample);
  };
  const timer = setInterval(take, every * 1000);
  await load;
  clearInterval(timer);
  return samples;
}

/** Whether memory is bounded: it stays below a limit, and does not grow in the last third of a long soak. */
function growth(samples: readonly SoakSample[]): string[] {
  const peak = (part: readonly SoakSample[]): number => Math.round(Math.max(...part.map(({ memory }) => memory)));
  if (peak(samples) > MAX_MEMORY) return [`memory reached ${peak(samples)} MiB`];
  if (samples.length < 9) return [];
  const from = Math.floor((samples.length * 2) / 3);
  const [early, late] = [peak(samples.slice(0, from)), peak(samples.slice(from))];
  return late > early * 1.1 + GROWTH ? [`memory grew from ${early} to ${late} MiB in the last third`] : [];
}

function openFilesOf({ pid }: Server): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : Number.NaN;
}

/** Returns the number of open files after the connections were closed; waits ten seconds at most. */
async function settled(emu: Server, before: number): Promise<number> {
  for (let attempt = 0; attempt < 100 && openFilesOf(emu) > before; attempt++) await sleep(100);
  return openFilesOf(emu);
}
