import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HealthFigure, healthFigures, healthWhile } from './health.ts';
import { IdleConnections } from './idle-connections.ts';
import { type Server, startEmuOnAllCores } from './processes.ts';
import { SoakTraffic } from './soak-traffic.ts';

/** How hard and how long. */
export interface SoakOptions {
  /** Connections that keep quiet. */
  connections: number;
  /** Requests at the same time. */
  clients: number;
  seconds: number;
  /** Seconds between samples. */
  every: number;
  /** Whether emu's health is asked for during the load, and then during other large work. */
  health?: boolean;
}

/** What a moment of the soak looked like. */
export interface SoakSample {
  /** Since the beginning of the load. */
  second: number;
  /** Resident memory in MiB. */
  memory: number;
  /** Idle connections still open. */
  connections: number;
  /** Requests per second since the sample before. */
  perSecond: number;
  /** Latency in milliseconds since the sample before. */
  p50: number;
  p99: number;
  max: number;
}

/** What a soak came to. */
export interface SoakReport {
  options: SoakOptions;
  samples: SoakSample[];
  requests: number;
  /** Open files of emu before the connections came, and after they had gone; NaN where the machine does not say. */
  openFiles: { before: number; after: number };
  /** How quickly emu told its health meanwhile; none where that was not asked for. */
  health: HealthFigure[];
  /** What is wrong, as sentences; empty where all is well. */
  problems: string[];
}

/** Files that this process and emu need besides connections. */
const SPARE_FILES = 500;
const MIB = 2 ** 20;
/** Most MiB that memory may grow from the first two thirds of the load to the last, as garbage comes and goes. */
const GROWTH = 64;
/** Most MiB that emu may take at all. */
const MOST_MEMORY = 1024;

/** What the machine allows of what is asked for: no process may have more files open than its limit. */
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
 * Puts mixed load on emu in persistent mode, beside idle connections, and then looks whether everything that was
 * acknowledged is there, after a restart too.
 * @param onSample told of each sample as it is taken
 */
export async function soak(wanted: SoakOptions, onSample?: (sample: SoakSample) => void): Promise<SoakReport> {
  const options = withinLimits(wanted);
  const folder = mkdtempSync(join(tmpdir(), 'emu-bench-soak-'));
  // Whoever waits for an answer has the whole machine: what collects garbage beside emu's main thread takes time from it
  // where both keep to one core.
  const start = (): Promise<Server> => startEmuOnAllCores('--storage-mode', 'persistent', '--data-path', folder);
  const connections = new IdleConnections();
  let emu = await start();
  const traffic = new SoakTraffic(emu.url, options.clients);
  try {
    await traffic.prepare();
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
    // Its own connections stay open for a while, and are not counted.
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

/** Whether memory is bounded: it stays below a limit, and does not grow any more in the last third of a long soak. */
function growth(samples: readonly SoakSample[]): string[] {
  const peak = (part: readonly SoakSample[]): number => Math.round(Math.max(...part.map(({ memory }) => memory)));
  if (peak(samples) > MOST_MEMORY) return [`memory reached ${peak(samples)} MiB`];
  if (samples.length < 9) return [];
  const from = Math.floor((samples.length * 2) / 3);
  const [early, late] = [peak(samples.slice(0, from)), peak(samples.slice(from))];
  return late > early * 1.1 + GROWTH ? [`memory grew from ${early} to ${late} MiB in the last third`] : [];
}

function openFilesOf({ pid }: Server): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : Number.NaN;
}

/** Open files once the connections have gone; waits ten seconds at most. */
async function settled(emu: Server, before: number): Promise<number> {
  for (let attempt = 0; attempt < 100 && openFilesOf(emu) > before; attempt++) await sleep(100);
  return openFilesOf(emu);
}
