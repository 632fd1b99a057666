import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, defaultSettings } from '@emu/core';
import type { ContainerVolumes } from '@emu/core/service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DriverContainers } from '../src/backends.ts';
import { openVolumeScope } from '../src/volume-scope.ts';

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'emu-test-')));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const settingsOf = (path: string | undefined) => {
  const settings = defaultSettings();
  const values = {
    ...settings.values,
    EMULATOR_STORAGE_MODE: path ? 'persistent' : 'memory',
    EMULATOR_DATA_PATH: path,
  };
  return { ...settings, values: values as typeof settings.values };
};
const scopeOf = (path: string | undefined, run = 'run-1') => openVolumeScope(settingsOf(path), run);

/** Returns in-memory volumes of an engine. */
function volumesOf(...names: string[]): ContainerVolumes & { labels: Map<string, Readonly<Record<string, string>>> } {
  const labels = new Map<string, Readonly<Record<string, string>>>(names.map((name) => [name, {}]));
  return {
    labels,
    ensure: async (name, given = {}) => void labels.set(name, labels.get(name) ?? given),
    exists: async (name) => labels.has(name),
    list: async (wanted = {}) =>
      [...labels]
        .map(([name, given]) => ({ name, labels: given }))
        .filter(({ labels: given }) => Object.entries(wanted).every(([key, value]) => given[key] === value)),
    remove: async (name) => void labels.delete(name),
  };
}

describe('the scope of data volumes', () => {
  it('writes a random id into a data directory at first use, and keeps it', async () => {
    const first = await scopeOf(home);
    const id = await readFile(join(home, 'data-volume-scope'), 'utf8');
    expect(id).toMatch(/^[0-9a-f-]{36}\n$/);
    expect((await scopeOf(home, 'run-2')).hash).toBe(first.hash);
    expect(await readFile(join(home, 'data-volume-scope'), 'utf8')).toBe(id);
  });

  it('names volumes by a hash of id and path, and labels them with the path', async () => {
    const scope = await scopeOf(home);
    expect(scope.hash).toMatch(/^[0-9a-f]{12}$/);
    expect(scope.name('rds', '123456789012-db-ABC')).toBe(`emulator-rds-data-${scope.hash}-123456789012-db-ABC`);
    const volumes = volumesOf();
    const name = await scope.ensure(volumes, 'rds', '123456789012-db-ABC');
    expect(volumes.labels.get(name)).toEqual({ 'emulator-data-path': home });
    expect(await scope.list(volumes)).toEqual([name]);
    const link = `${home}-link`;
    await symlink(home, link);
    expect((await scopeOf(link)).hash).toBe(scope.hash);
    await rm(link);
  });

  it('creates valid and distinct names from any key', async () => {
    const scope = await scopeOf(undefined);
    const [one, other] = ['arn:aws:elasticache:x/1', 'arn:aws:elasticache:x:1'].map((key) =>
      scope.name('elasticache', key),
    );
    expect(one).not.toBe(other);
    for (const name of [one!, other!, scope.name('rds', 'x'.repeat(300))]) {
      expect(name).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/);
      expect(name.length).toBeLessThan(200);
    }
  });

  it('differs for a copy, a moved directory, and the same path after deletion', async () => {
    const { hash } = await scopeOf(home);
    const copy = `${home}-copy`;
    await cp(home, copy, { recursive: true });
    expect((await scopeOf(copy)).hash).not.toBe(hash);
    await rm(copy, { recursive: true });
    const moved = `${home}-moved`;
    await rename(home, moved);
    expect((await scopeOf(moved)).hash).not.toBe(hash);
    await rm(moved, { recursive: true });
    home = await mkdtemp(home);
    const made = await scopeOf(home);
    await rm(join(home, 'data-volume-scope'));
    expect((await scopeOf(home)).hash).not.toBe(made.hash);
  });

  it('belongs to the process in memory mode and ends with it', async () => {
    const scope = await scopeOf(undefined);
    expect(scope.persistent).toBe(false);
    expect(Object.keys(scope.labels)).toEqual(['emulator-owner', 'emulator-run']);
    expect((await scopeOf(undefined, 'run-2')).hash).not.toBe(scope.hash);
    expect((await scopeOf(undefined, 'run-1')).hash).toBe(scope.hash);
  });

  it('lets one resource adopt older volumes', async () => {
    const scope = await scopeOf(home);
    const volumes = volumesOf('emulator-rds-data-1-a', 'emulator-elasticache-data-shared');
    const warnings: string[] = [];
    const adopted = await scope.adopt(
      volumes,
      [
        { resource: 'a', volume: 'emulator-rds-data-1-a' },
        { resource: 'gone', volume: 'emulator-rds-data-1-gone' },
        { resource: 'account 1', volume: 'emulator-elasticache-data-shared' },
        { resource: 'account 2', volume: 'emulator-elasticache-data-shared' },
      ],
      (message) => warnings.push(message),
    );
    expect([...adopted]).toEqual([['a', 'emulator-rds-data-1-a']]);
    expect(warnings).toEqual([
      'the volume emulator-elasticache-data-shared is claimed by 2 resources: each starts on an empty one',
    ]);
    const silent = { ...volumes, list: () => Promise.reject(new Error('the engine does not answer')) };
    await expect(scope.adopt(silent, [{ resource: 'a', volume: 'x' }], () => undefined)).rejects.toThrow('not answer');
  });

  it('is one per emulator, and is retried if the directory cannot be used', async () => {
    const log = createLogger({ level: 'error', format: 'text' });
    const path = join(home, 'later');
    const containers = new DriverContainers({ settings: settingsOf(path), log });
    await expect(containers.volumeScope()).rejects.toThrow('ENOENT');
    expect(existsSync(path)).toBe(false);
    const other = new DriverContainers({ settings: settingsOf(home), log });
    expect(await other.volumeScope()).toBe(await other.volumeScope());
  });
});
