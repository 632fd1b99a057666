import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import {
  createBodyStores,
  createIds,
  createLogger,
  defaultSettings,
  Kernel,
  openDiskPersistence,
} from '../src/index.ts';
import { ACCOUNT, type Found, look, run } from './support/crash-commands.ts';
import { type CommandTaker, CrashWorkload } from './support/crash-workload.ts';
import { temporaryDirectory } from './support/directory.ts';
import { MemoryDisk } from './support/memory-disk.ts';
import { notesManifest } from './support/notes.ts';

const KILLS = 50;
/** Small, so that some processes crash while they fold journals. */
const FOLD_SIZE = 20_000;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

class Writer implements CommandTaker {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<string, () => void>();
  readonly found: Promise<Found>;
  readonly ended: Promise<unknown>;
  stderr = '';

  constructor(program: string, path: string) {
    this.child = spawn(process.execPath, [program, path, String(FOLD_SIZE)]);
    this.ended = once(this.child, 'close');
    createInterface({ input: this.child.stderr }).on('line', (line) => {
      // An interrupted write; nothing of it was acknowledged.
      if (!line.includes('bytes are dropped')) this.stderr += `${line}\n`;
    });
    // A write to a killed process is not an error of the test.
    this.child.stdin.on('error', () => undefined);
    let first: (found: Found) => void;
    this.found = new Promise((resolve, reject) => {
      first = resolve;
      void this.ended.then(() => reject(new Error(`the writer ended at its start: ${this.stderr}`)));
    });
    this.found.catch(() => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      if (line.startsWith('{')) first(JSON.parse(line) as Found);
      else this.waiting.get(line.slice('ok '.length))?.();
    });
  }

  send(id: string, command: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.child.stdin.write(`${id} ${command}\n`);
    });
  }

  kill(): Promise<unknown> {
    this.child.kill('SIGKILL');
    return this.ended;
  }

  /** Ends the process regularly. */
  end(): Promise<unknown> {
    this.child.stdin.end();
    return this.ended;
  }
}

/** Milliseconds in which a busy machine starts all the processes. */
const PROCESSES_TIMEOUT = 240_000;

test(`a process killed ${KILLS} times loses nothing that it acknowledged and invents nothing`, {
  timeout: PROCESSES_TIMEOUT,
}, async () => {
  const path = await temporaryDirectory();
  const program = join(await temporaryDirectory(), 'writer.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'programs', 'writer.ts')],
    outfile: program,
    bundle: true,
    // Engines of containers are unused, and one has a native part.
    external: ['dockerode', '@kubernetes/client-node'],
    platform: 'node',
    format: 'cjs',
    conditions: ['emu-source'],
    logLevel: 'error',
  });
  const ids = createIds('crash test');
  const shares = { pair: 0.2, bodyPair: 0, delete: 0.15, body: 0.15 };
  const workload = new CrashWorkload(ids, shares, (command) => `${command}-${ids.hex(Math.floor(ids.random() * 300))}`);

  for (let round = 0; round < KILLS; round++) {
    const writer = new Writer(program, path);
    if (round % 8 === 7) {
      // During its start, possibly before it is ready.
      await Promise.race([writer.found.then((found) => workload.check(found)), pause(20 + workload.upTo(150))]);
      await writer.kill();
      continue;
    }
    workload.check(await writer.found);
    let killed = false;
    workload.write(writer, () => killed);
    await pause(workload.upTo(120));
    await pause(ids.random());
    killed = true;
    await writer.kill();
    expect(writer.stderr).toBe('');
  }

  // An acknowledged reset is durable; any other may be.
  for (let round = 0; round < 4; round++) {
    const writer = new Writer(program, path);
    workload.check(await writer.found);
    await workload.putAll(writer, `before-reset-${round}`);
    const reset = workload.reset(writer);
    await (round % 2 ? reset : pause(workload.upTo(5)));
    await writer.kill();
  }

  const last = new Writer(program, path);
  workload.check(await last.found);
  await last.end();
  expect(last.stderr).toBe('');
  // After a regular end, a snapshot, the referenced bodies and the orphans of earlier crashes remain.
  const names = (await readdir(join(path, 'notes'))).filter((name) => name !== 'bodies' && name !== 'orphans');
  expect(names).toEqual(['snapshot.json']);
  expect(workload.acknowledged).toBeGreaterThan(1000);
  expect(workload.sent - workload.acknowledged).toBeGreaterThan(KILLS);
  console.log(`${workload.sent} sent, ${workload.acknowledged} acknowledged`);
});

const SLOW_KILLS = 200;
/** Number of emulators that are killed at the same time, each with its own disk: only the disks are slow. */
const EMULATORS = 8;
/** Few names, so that bodies are released and written repeatedly. */
const TEXTS = 40;
/** Maximum number of acknowledged commands before a kill. */
const MAX_ACKNOWLEDGED = 80;
/** The longest delays of a slow disk, in milliseconds. */
const WRITE_DELAY = 10;
const SYNC_DELAY = 60;

/** An emulator in this process, with a slow disk. */
class SlowEmulator implements CommandTaker {
  private isSlow = false;
  private isDead = false;
  private kernel!: Kernel;

  /** Starts one in a directory of a disk; the directory also exists on this machine, for the lock. */
  static async start(path: string, disk: MemoryDisk, sync: boolean, random: () => number): Promise<SlowEmulator> {
    const emulator = new SlowEmulator();
    const delay = (longest: number) => (): number => (emulator.isSlow ? random() * longest : 0);
    const delays = { write: delay(WRITE_DELAY), sync: delay(SYNC_DELAY) };
    const fs = disk.fileSystem(delays, () => !emulator.isDead);
    const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
    const persistence = await openDiskPersistence({ path, sync, version: '0.1.0', log, fs, foldSize: FOLD_SIZE });
    const bodies = createBodyStores({ log, fs, disk: { path, sync, cacheSize: 0, persistence } });
    const settings = defaultSettings({ accountId: ACCOUNT });
    const manifests = [notesManifest()];
    emulator.kernel = new Kernel({ manifests, settings, log, persistence, bodies: bodies.open });
    await emulator.kernel.start();
    return emulator;
  }

  /** Returns what it finds on disk. The disk is slow afterwards. */
  async look(): Promise<Found> {
    const found = await look(this.kernel);
    this.isSlow = true;
    return found;
  }

  async send(_id: string, command: string): Promise<void> {
    const failed = await run(this.kernel, command).then(
      () => false,
      () => true,
    );
    if (failed || this.isDead) await new Promise(() => undefined);
  }

  /** Crashes: pending writes are lost. */
  async kill(): Promise<void> {
    this.isDead = true;
    await this.kernel.close().catch(() => undefined);
  }
}

/** Kills one emulator after the other; each continues with the state of the previous one. */
async function killSlowEmulators(number: number, sync: boolean): Promise<CrashWorkload> {
  const path = await temporaryDirectory();
  const disk = new MemoryDisk();
  const ids = createIds(`slow disk ${number}`);
  const random = (): number => ids.random();
  const shares = { pair: 0.1, bodyPair: 0.2, delete: 0.2, body: 0.4 };
  const texts = Array.from({ length: TEXTS }, () => ids.hex(20));
  const workload = new CrashWorkload(ids, shares, (command) => texts[command % TEXTS]!);
  for (let round = 0; round < SLOW_KILLS / EMULATORS; round++) {
    const emulator = await SlowEmulator.start(path, disk, sync, random);
    workload.check(await emulator.look());
    let killed = false;
    // Sometimes it crashes right after its start.
    const enough = workload.acknowledged + Math.max(0, workload.upTo(MAX_ACKNOWLEDGED * 1.5) - MAX_ACKNOWLEDGED / 2);
    workload.write(emulator, () => killed);
    if (round % 2) void emulator.send('clear-out', 'clear-out');
    while (workload.acknowledged < enough) await pause(1);
    // A command is acknowledged at the end of a sync; most other moments are between a write and its sync.
    if (random() < 0.7) await pause(workload.upTo(WRITE_DELAY + SYNC_DELAY));
    killed = true;
    await emulator.kill();
    if (sync && random() < 0.5) disk.cutPower(random);
  }
  return workload;
}

test.each([
  ['a slow disk', false],
  ['a slow disk that is synced, and power cuts', true],
])(`an emulator with %s, killed ${SLOW_KILLS} times, loses nothing that it acknowledged`, async (_, sync) => {
  const workloads = Array.from({ length: EMULATORS }, (_, number) => killSlowEmulators(number, sync));
  let acknowledged = 0;
  for (const workload of await Promise.all(workloads)) acknowledged += workload.acknowledged;
  expect(acknowledged).toBeGreaterThan(SLOW_KILLS);
  console.log(`${acknowledged} acknowledged`);
});
