import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentBytes } from '@emu/gateway/testing';
import type { FuzzReport } from './fuzz.ts';

/** Milliseconds without a new request after which the emulator hangs. A request may take 30 s. */
const MAX_PAUSE = 40_000;
/** Bytes of resident memory above which a run ends. */
const MAX_RESIDENT = 3 * 1024 ** 3;
/** Heap of the emulator in MB. */
const MAX_HEAP = 1536;
const INTERVAL = 500;
/** Length of the record of the running request. */
const RECORD = 300;

/** A run of the emulator's part. */
export interface FuzzTask {
  seed: number;
  /** Epoch milliseconds at which the run ends. */
  end: number;
  /** Number of requests after which the run ends. */
  requests: number;
}

/** Result of a run. */
export interface WatchedReport {
  requests: number;
  statuses: FuzzReport['statuses'];
  problems: string[];
  /** Largest resident memory in bytes. */
  resident: number;
}

/** Returns the record of a running request, of constant length, which replaces the one before. */
export const progressRecord = (count: number, name: string): string =>
  `${count} ${name}`.slice(0, RECORD).padEnd(RECORD);

/**
 * Runs the emulator's part in another process. A run that hangs, dies or needs too much memory ends with a problem that
 * names the operation.
 */
export async function fuzzWatched({ seed, end, requests }: FuzzTask): Promise<WatchedReport> {
  const directory = mkdtempSync(join(tmpdir(), 'emu-fuzz-'));
  const progress = join(directory, 'progress');
  const child = fork(join(import.meta.dirname, 'child.ts'), [progress, seed, end, requests].map(String), {
    execArgv: [...process.execArgv, `--max-old-space-size=${MAX_HEAP}`],
  });
  const state = { resident: 0, reason: '', report: undefined as FuzzReport | undefined };
  const running = (): string => {
    try {
      return readFileSync(progress, 'utf8').trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return '';
    }
  };
  const stop = (reason: string): void => {
    state.reason ||= reason;
    child.kill('SIGKILL');
  };
  let [last, since] = ['', performance.now()];
  const watch = setInterval(() => {
    const now = residentBytes(child.pid!);
    state.resident = Math.max(state.resident, now);
    if (now > MAX_RESIDENT) stop(`the process grew to ${Math.round(now / 1024 ** 2)} MB`);
    const current = running();
    if (current !== last) [last, since] = [current, performance.now()];
    else if (performance.now() - since > MAX_PAUSE) stop(`no request ended for ${MAX_PAUSE / 1000} s`);
  }, INTERVAL);
  child.on('message', (message) => {
    state.report = message as FuzzReport;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on('exit', (code, signal) => resolve([code, signal]));
  });
  clearInterval(watch);
  const [count = '0', ...name] = running().split(' ');
  rmSync(directory, { recursive: true, force: true });
  if (state.report) return { ...state.report, resident: state.resident };
  const reason = state.reason || `the process ended with ${signal ?? `code ${code}`}, as it does without memory`;
  const problems = [`${name.join(' ') || 'the start'}: ${reason}`];
  return { requests: Number(count), statuses: {}, problems, resident: state.resident };
}
