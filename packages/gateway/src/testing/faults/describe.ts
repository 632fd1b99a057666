import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@emu/core';
import {
  copyDataDirectory,
  type Fault,
  type FaultyFileSystem,
  faultyFileSystem,
  ioError,
  noSpace,
} from '@emu/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestEmulator, type TestEmulator, type TestEmulatorOptions } from '../emulator.ts';
import { abortingHandler } from './aborting-handler.ts';
import { LeakCheck } from './leaks.ts';
import { startServerProcess } from './process.ts';
import { type FaultWorkload, Ledger, type WorkloadClient, type WorkloadClientConfig } from './workload.ts';

const HOUR = 3_600_000;
/** Rounds of the test that kills processes. */
const KILLS = Number(process.env.EMU_FAULT_KILLS ?? 4);
/** Milliseconds until the first response to a writer on a busy machine. */
const FIRST_ANSWER = 30_000;

/** A disk that fails for a while. */
interface BadDisk {
  /** Its effect on a call, by the number of earlier calls and the file's name. */
  fault(call: string, count: number, file: string): Fault | Promise<Fault>;
  /** Which requests may fail meanwhile: all, those that store bodies, or none. */
  refuses: boolean | 'bodies';
}

const DISKS: Readonly<Record<string, BadDisk>> = {
  'a full disk': { fault: (call) => (call === 'write' ? noSpace() : undefined), refuses: true },
  'a disk that fails now and then': {
    fault: (call, count) => (call === 'write' && count % 3 === 0 ? ioError() : undefined),
    refuses: true,
  },
  'a slow disk': {
    fault: (call) => (call === 'write' ? sleep(5).then(() => undefined) : undefined),
    refuses: false,
  },
  'a disk of short writes': { fault: (call) => (call === 'write' ? 7 : undefined), refuses: false },
  // A journal without its name cannot be written to. Snapshots and bodies are created beside existing files.
  'a disk of failing renames': {
    fault: (call, _, file) => (call === 'rename' && !/^(journal-|emulator\.)/.test(file) ? ioError() : undefined),
    refuses: 'bodies',
  },
};

/** Shared parts of the tests of one workload. */
interface Harness {
  /** The acknowledged work. */
  readonly ledger: () => Ledger;
  directory(): Promise<string>;
  open(dataPath: string, options?: TestEmulatorOptions): Promise<TestEmulator>;
  connect(config: WorkloadClientConfig): Promise<WorkloadClient>;
  expectNoLosses(emulator: TestEmulator): Promise<void>;
  /** Returns what a new emulator finds after a crash at this moment, on a copy of the data directory. */
  expectNoLossesOnDisk(dataPath: string): Promise<void>;
}

/** Declares the hooks around each test of a workload, which check for leaks. */
function faultHarness(workload: FaultWorkload): Harness {
  const emulators: TestEmulator[] = [];
  const directories: string[] = [];
  let leaks: LeakCheck;
  let ledger: Ledger;

  beforeEach(async () => {
    leaks = await LeakCheck.start();
    ledger = new Ledger();
  });
  afterEach(async () => {
    for (const emulator of emulators.splice(0)) await emulator.close();
    const used = directories.splice(0);
    const left = await leaks.leaks(...used);
    for (const directory of used) await rm(directory, { recursive: true, force: true });
    expect(left).toEqual([]);
  });

  const directory = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), 'emu-faults-'));
    directories.push(path);
    return path;
  };
  const open = async (dataPath: string, options: TestEmulatorOptions = {}): Promise<TestEmulator> => {
    const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
    const emulator = await createTestEmulator({ log, ...options, manifests: workload.manifests, dataPath });
    emulators.push(emulator);
    return emulator;
  };
  const connect = async (config: WorkloadClientConfig): Promise<WorkloadClient> => {
    const client = workload.connect(config);
    await client.prepare();
    return client;
  };
  const expectNoLosses = async (emulator: TestEmulator): Promise<void> => {
    const client = workload.connect(emulator.clientConfig());
    expect(ledger.losses(await client.read())).toEqual([]);
    client.destroy();
  };
  const expectNoLossesOnDisk = async (dataPath: string): Promise<void> => {
    const copy = await directory();
    await copyDataDirectory(dataPath, copy);
    await expectNoLosses(await open(copy));
  };
  return { ledger: () => ledger, directory, open, connect, expectNoLosses, expectNoLossesOnDisk };
}

/** Declares the test that kills a process during writes for a number of rounds and looks for its acknowledged work. */
function itSurvivesKills(workload: FaultWorkload, harness: Harness, kills: number): void {
  const { directory, open, connect, expectNoLosses } = harness;
  const times = kills === 1 ? 'a sudden death' : `${kills} sudden deaths`;
  it(`loses nothing in ${times} of the process`, { timeout: 120_000 }, async () => {
    const ledger = harness.ledger();
    const dataPath = await directory();
    for (let round = 0; round < kills; round++) {
      const server = await startServerProcess(workload.program, dataPath);
      const client = await connect(clientConfigOf(server.url));
      let killed = false;
      const writer = async (): Promise<void> => {
        while (!killed) await ledger.write(client);
      };
      const before = ledger.size;
      const writers = Array.from({ length: 8 }, writer);
      // On a busy machine the first response takes long. A crash before it would test nothing.
      const deadline = performance.now() + FIRST_ANSWER;
      while (ledger.size === before && performance.now() < deadline) await sleep(1);
      await sleep(Math.random() * 300);
      await server.kill();
      killed = true;
      await Promise.all(writers);
      client.destroy();
      expect(ledger.size, `pieces acknowledged before death ${round + 1}`).toBeGreaterThan(before);
    }
    await expectNoLosses(await open(dataPath));
  });
}

/**
 * Declares one test: a process that is killed during writes keeps its acknowledged work. For services whose state takes
 * the same way as that of services with `describeFaults`.
 */
export function describeKill(name: string, workload: FaultWorkload): void {
  describe(`${name} under faults`, () => itSurvivesKills(workload, faultHarness(workload), 1));
}

/**
 * Declares the tests of a service under failures of the disk, the clock, clients and the process: acknowledged work is
 * kept, no other work appears, the emulator continues, and nothing leaks.
 */
export function describeFaults(name: string, workload: FaultWorkload): void {
  describe(`${name} under faults`, () => {
    const harness = faultHarness(workload);
    const { directory, open, connect, expectNoLossesOnDisk } = harness;
    let ledger: Ledger;
    beforeEach(() => {
      ledger = harness.ledger();
    });

    for (const [disk, { fault, refuses }] of Object.entries(DISKS))
      it(`loses nothing on ${disk}`, async () => {
        const dataPath = await directory();
        const fs: FaultyFileSystem = faultyFileSystem();
        const emulator = await open(dataPath, { fs, foldSize: 5000 });
        const client = await connect(emulator.clientConfig());
        await ledger.writeMany(client, 40);
        expect(ledger.size).toBe(40);
        let calls = 0;
        let hits = 0;
        fs.fault = (call, file) => {
          const effect = fault(call, calls++, file);
          if (effect !== undefined) hits++;
          return effect;
        };
        await ledger.writeMany(client, 80);
        // A fold begins after the responses to the writes that made it due.
        for (let round = 0; hits === 0 && round < 100; round++) await ledger.writeMany(client, 10);
        expect(hits).toBeGreaterThan(0);
        expect(ledger.refusals.length > 0).toBe(refuses === 'bodies' ? workload.storesBodies === true : refuses);
        fs.fault = () => undefined;
        const before = ledger.size;
        await ledger.writeMany(client, 40);
        // The emulator continues as soon as the disk works.
        expect(ledger.size).toBe(before + 40);
        client.destroy();
        await fs.quietly(() => expectNoLossesOnDisk(dataPath));
      });

    it('loses nothing when the clock jumps', async () => {
      const dataPath = await directory();
      const emulator = await open(dataPath);
      const client = await connect(emulator.clientConfig());
      const start = emulator.kernel.clock.now();
      const work = ledger.writeMany(client, 150);
      for (const hours of [1, -2, 3, 0, -1, 2]) {
        await emulator.kernel.clock.set(start + hours * HOUR);
        await sleep(2);
      }
      await work;
      expect(ledger.refusals).toEqual([]);
      client.destroy();
      await expectNoLossesOnDisk(dataPath);
    });

    it('ignores a request whose client disconnects in the middle of it', async () => {
      const dataPath = await directory();
      const emulator = await open(dataPath);
      const listener = await emulator.gateway.listen({});
      const client = await connect(emulator.clientConfig());
      const leaving = workload.connect({
        ...emulator.clientConfig(),
        requestHandler: abortingHandler(listener.port),
      });
      const aborted = new Ledger(1_000_000);
      await Promise.all([ledger.writeMany(client, 100), aborted.writeMany(leaving, 60)]);
      expect(aborted.size).toBe(0);
      expect(aborted.refusals).toContainEqual(expect.objectContaining({ code: 'ECONNRESET' }));
      expect(ledger.size).toBe(100);
      client.destroy();
      leaving.destroy();
      await listener.close();
      // Half of a request would leave a piece that is not in the ledger.
      await expectNoLossesOnDisk(dataPath);
    });

    itSurvivesKills(workload, harness, KILLS);
  });
}

/** Returns a client's configuration for an emulator in another process. */
function clientConfigOf(endpoint: string): WorkloadClientConfig {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
}
