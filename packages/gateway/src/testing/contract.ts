import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place as ResourcePlace, ServiceManifest, StateScopeKind } from '@emu/core/service';
import { copyDataDirectory } from '@emu/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestEmulator, type TestClientConfig, type TestEmulator, type TestEmulatorOptions } from './emulator.ts';

/** A service for the tests that every service passes. */
export interface ServiceContract<Memo> {
  manifest: ServiceManifest;
  /** Services that this one calls. */
  others?: readonly ServiceManifest[];
  /**
   * Scope of its state: state of one region or account is invisible in others. `session` for a service whose only state
   * is credentials, which are valid everywhere.
   */
  scope: StateScopeKind | 'session';
  /**
   * Creates state of every persistent kind, with SDK clients of the configuration.
   * @returns what `observe` needs to find the state, e.g. a queue's URL
   */
  act(config: TestClientConfig): Promise<Memo>;
  /**
   * Returns the visible part of that state as a value to compare, and another value without the state. Omits times and
   * ids that differ between calls.
   */
  observe(config: TestClientConfig, memo: Memo): Promise<unknown>;
  /** Settings and options that the service's tests need. */
  options?: TestEmulatorOptions;
}

/** An account and region to act in. */
interface Place {
  accessKeyId: string;
  region: string;
}

const HERE: Place = { accessKeyId: '000000000001', region: 'us-east-1' };
const OTHER_ACCOUNT: Place = { accessKeyId: '000000000002', region: 'us-east-1' };
const OTHER_REGION: Place = { accessKeyId: '000000000001', region: 'eu-west-1' };

/** Completes an ARN from the request. */
const withDefaults = (place: ResourcePlace, other: ResourcePlace): ResourcePlace => ({
  accountId: place.accountId || other.accountId,
  region: place.region || other.region,
});

const load = async (emulator: TestEmulator, file: AsyncIterable<Uint8Array>): Promise<unknown> =>
  emulator.kernel.loadState(file, { mode: 'replace' });

/** Emulators of one test and their data directories. */
class Workshop<Memo> {
  private readonly emulators: TestEmulator[] = [];
  private readonly directories: string[] = [];

  constructor(private readonly contract: ServiceContract<Memo>) {}

  /** Starts a persistent emulator on a new directory, or on the given one. */
  async open(dataPath?: string): Promise<{ emulator: TestEmulator; dataPath: string }> {
    const path = dataPath ?? (await this.directory());
    const { manifest, others = [], options } = this.contract;
    const emulator = await createTestEmulator({ ...options, manifests: [manifest, ...others], dataPath: path });
    this.emulators.push(emulator);
    return { emulator, dataPath: path };
  }

  /** Starts an emulator without a directory. */
  async inMemory(): Promise<TestEmulator> {
    const { manifest, others = [], options } = this.contract;
    const emulator = await createTestEmulator({ ...options, manifests: [manifest, ...others] });
    this.emulators.push(emulator);
    return emulator;
  }

  /**
   * Returns what a new emulator finds after a crash at this moment. It starts on a copy of the disk, which the running
   * emulator cannot change.
   */
  async afterDeath(dataPath: string): Promise<TestEmulator> {
    const copy = await this.directory();
    await copyDataDirectory(dataPath, copy);
    return (await this.open(copy)).emulator;
  }

  async clean(): Promise<void> {
    for (const emulator of this.emulators) await emulator.close();
    for (const directory of this.directories) await rm(directory, { recursive: true, force: true });
  }

  private async directory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'emu-contract-'));
    this.directories.push(path);
    return path;
  }
}

/**
 * Declares the tests that every service passes: acknowledged state survives a crash and a regular end of the process;
 * the three resets remove exactly their state, on disk too; checkpoints and state files restore their contents;
 * accounts and regions are isolated.
 */
export function describeServiceContract<Memo>(contract: ServiceContract<Memo>): void {
  const { manifest, scope } = contract;
  const { name } = manifest;
  let shop: Workshop<Memo>;
  const act = (emulator: TestEmulator, place: Place) => contract.act(emulator.clientConfig(place));
  const observe = (emulator: TestEmulator, place: Place, memo: Memo) =>
    contract.observe(emulator.clientConfig(place), memo);

  /** The observation without any state. */
  const nothing = async (place: Place, memo: Memo) => observe((await shop.open()).emulator, place, memo);

  /** Creates state in a place and checks that it is visible. */
  const made = async (emulator: TestEmulator, place: Place) => {
    const memo = await act(emulator, place);
    const seen = await observe(emulator, place, memo);
    const empty = await nothing(place, memo);
    expect(seen).not.toEqual(empty);
    return { memo, seen, empty };
  };

  describe(`service contract of ${name}`, () => {
    beforeEach(() => {
      shop = new Workshop(contract);
    });
    afterEach(() => shop.clean());

    it('keeps acknowledged state after a crash', async () => {
      const { emulator, dataPath } = await shop.open();
      const { memo, seen } = await made(emulator, HERE);
      expect(await observe(await shop.afterDeath(dataPath), HERE, memo)).toEqual(seen);
    });

    it('keeps acknowledged state after a regular end', async () => {
      const { emulator, dataPath } = await shop.open();
      const { memo, seen } = await made(emulator, HERE);
      await emulator.close();
      expect(await observe((await shop.open(dataPath)).emulator, HERE, memo)).toEqual(seen);
    });

    for (const path of [`/_emulator/reset/${name}`, '/_reset'])
      it(`POST ${path} removes the state of every account, on disk too`, async () => {
        const { emulator, dataPath } = await shop.open();
        const here = await made(emulator, HERE);
        const there = await made(emulator, OTHER_ACCOUNT);
        expect(await emulator.control('POST', path)).toEqual({ status: 200, json: { reset: true } });
        for (const after of [emulator, await shop.afterDeath(dataPath)]) {
          expect(await observe(after, HERE, here.memo)).toEqual(here.empty);
          expect(await observe(after, OTHER_ACCOUNT, there.memo)).toEqual(there.empty);
        }
      });

    if (scope !== 'global')
      it('a reset of one account removes only its state, on disk too', async () => {
        const { emulator, dataPath } = await shop.open();
        const here = await made(emulator, HERE);
        const there = await made(emulator, OTHER_ACCOUNT);
        const reset = await emulator.control('POST', `/_emulator/reset/${name}/${HERE.accessKeyId}`);
        expect(reset).toEqual({ status: 200, json: { reset: true } });
        for (const after of [emulator, await shop.afterDeath(dataPath)]) {
          expect(await observe(after, HERE, here.memo)).toEqual(here.empty);
          expect(await observe(after, OTHER_ACCOUNT, there.memo)).toEqual(there.seen);
        }
      });

    it('finds each of its resources by its ARN', async () => {
      const { emulator } = await shop.open();
      await act(emulator, HERE);
      const service = await emulator.kernel.service(name);
      const types = service.plugin.resources ?? [];
      const listed: string[] = [];
      for (const { accountId, region, state } of [...service.states()])
        for (const type of types)
          for (const key of type.list(state)) {
            const place = { accountId: accountId || HERE.accessKeyId, region: region || HERE.region };
            const arn = type.arn(key, place);
            const address = type.parse(arn);
            expect(address, arn).toBeDefined();
            const located = type.locate(service, { key: address!.key, place: withDefaults(address!.place, place) });
            expect(located?.state, arn).toBe(state);
            expect(type.arn(type.find(state, address!.key) ?? {}, place)).toBe(arn);
            listed.push(arn);
          }
      expect(new Set(listed).size).toBe(listed.length);
      if (types.length > 0) expect(listed).not.toEqual([]);
    });

    it('restores a checkpoint, on disk too, without later changes', async () => {
      const { emulator, dataPath } = await shop.open();
      const before = emulator.kernel.snapshot();
      const { memo, seen, empty } = await made(emulator, HERE);
      const after = emulator.kernel.snapshot();
      await emulator.kernel.reset();
      await emulator.kernel.restore(after);
      for (const running of [emulator, await shop.afterDeath(dataPath)])
        expect(await observe(running, HERE, memo)).toEqual(seen);
      await emulator.kernel.restore(before);
      for (const running of [emulator, await shop.afterDeath(dataPath)])
        expect(await observe(running, HERE, memo)).toEqual(empty);
    });

    it('restores a state file that was saved in memory or on disk', async () => {
      const memory = await shop.inMemory();
      const { memo, seen } = await made(memory, HERE);
      const { emulator, dataPath } = await shop.open();
      // The file replaces existing state.
      await act(emulator, OTHER_ACCOUNT);
      await load(emulator, await memory.kernel.saveState());
      for (const running of [emulator, await shop.afterDeath(dataPath)])
        expect(await observe(running, HERE, memo)).toEqual(seen);
      const saved = await emulator.kernel.saveState({ services: [name], accounts: [HERE.accessKeyId] });
      await load(memory, saved);
      expect(await observe(memory, HERE, memo)).toEqual(seen);
    });

    it('works as before after a reset', async () => {
      const { emulator, dataPath } = await shop.open();
      await act(emulator, HERE);
      await emulator.control('POST', `/_emulator/reset/${name}`);
      const { memo, seen } = await made(emulator, HERE);
      expect(await observe(await shop.afterDeath(dataPath), HERE, memo)).toEqual(seen);
    });

    const others = scope === 'region' ? [OTHER_ACCOUNT, OTHER_REGION] : scope === 'account' ? [OTHER_ACCOUNT] : [];
    for (const other of others)
      it(`keeps its state from ${other === OTHER_ACCOUNT ? 'other accounts' : 'other regions'}`, async () => {
        const { emulator } = await shop.open();
        const { memo } = await made(emulator, HERE);
        expect(await observe(emulator, other, memo)).toEqual(await nothing(other, memo));
      });

    const shared = scope === 'global' ? [OTHER_ACCOUNT, OTHER_REGION] : scope === 'account' ? [OTHER_REGION] : [];
    for (const other of shared)
      it(`shows its state to ${other === OTHER_ACCOUNT ? 'other accounts' : 'other regions'}`, async () => {
        const { emulator } = await shop.open();
        const { memo, seen } = await made(emulator, HERE);
        expect(await observe(emulator, other, memo)).toEqual(seen);
      });
  });
}
