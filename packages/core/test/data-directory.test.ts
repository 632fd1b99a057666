import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from '@iarna/toml';
import { describe, expect, test } from 'vitest';
import { ownIdentity, stateOf } from '../src/persistence/process-identity.ts';
import { copyDataDirectory } from '../src/testing/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { openDiskStore } from './support/disk-store.ts';

describe('the version file', () => {
  test('is made with a new directory, and those above it', async () => {
    const path = join(await temporaryDirectory(), 'a', 'b');
    await using _disk = await openDiskStore(path);
    const text = await readFile(join(path, 'emulator.version.toml'), 'utf8');
    expect(parse(text)).toEqual({
      format_version: 1,
      created_by: '0.1.0',
      arn_partitions_migrated: true,
      manifest: true,
    });
  });

  test('is not waited for where nothing can be made', async () => {
    await expect(openDiskStore('/proc/emu/data')).rejects.toThrow(/ENOENT|EACCES|EPERM|EROFS/);
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    await expect(openDiskStore(file)).rejects.toThrow('EEXIST');
    await expect(openDiskStore(join(file, 'below'))).rejects.toThrow('ENOTDIR');
  });

  test('of the same format is accepted, whichever version made it', async () => {
    const path = await temporaryDirectory();
    await (await openDiskStore(path, { version: '0.1.0' })).close();
    await (await openDiskStore(path, { version: '0.2.0' })).close();
    expect(await readFile(join(path, 'emulator.version.toml'), 'utf8')).toContain('0.1.0');
  });

  test.each([
    ['another format', 'format_version = 2\ncreated_by = "9.9.9"\n', 'has format 2, made by version 9.9.9'],
    ['no format', 'created_by = "9.9.9"\n', 'does not say its format_version'],
    ['no TOML', 'format_version = = 2', 'is no valid TOML'],
    ['an older state', 'format_version = 1\ncreated_by = "0.1.0"\n', 'does not say arn_partitions_migrated = true'],
  ])('with %s stops start-up, pointing at the file', async (_, content, message) => {
    const path = await temporaryDirectory();
    const file = join(path, 'emulator.version.toml');
    await writeFile(file, content);
    const opening = openDiskStore(path);
    await expect(opening).rejects.toThrow(file);
    await expect(opening).rejects.toThrow(message);
    // The lock is given back, and nothing else was made.
    expect(await readdir(path)).toEqual(['emulator.version.toml']);
  });

  test('may not be missing where there is state', async () => {
    const path = await temporaryDirectory();
    const disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.close();
    await rm(join(path, 'emulator.version.toml'));
    await expect(openDiskStore(path)).rejects.toThrow('emulator.version.toml is missing');
  });

  test('is made anew where its writing was interrupted', async () => {
    const path = await temporaryDirectory();
    await writeFile(join(path, 'emulator.version.toml.tmp'), 'format_v');
    await (await openDiskStore(path)).close();
    expect((await readdir(path)).sort()).toEqual(['emulator.manifest.json', 'emulator.version.toml']);
  });
});

describe('the lock', () => {
  test('keeps a second user out until the first ends, also by another path', async () => {
    const path = await temporaryDirectory();
    const first = await openDiskStore(path);
    await expect(openDiskStore(path)).rejects.toThrow(`in use by process ${process.pid}`);
    const link = join(await temporaryDirectory(), 'link');
    await symlink(path, link);
    await expect(openDiskStore(link)).rejects.toThrow('in use');
    await first.close();
    await (await openDiskStore(path)).close();
    expect(await readdir(path)).not.toContain('emulator.lock');
  });

  test('of a running process holds, of a killed one does not', async () => {
    const path = await temporaryDirectory();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    await (await openDiskStore(path)).close();
    const started = (await readStat(child.pid!)) ?? '';
    const lock = { ...ownIdentity(), pid: child.pid, started, path, token: 'x' };
    await writeFile(join(path, 'emulator.lock'), JSON.stringify(lock));
    await expect(openDiskStore(path)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await openDiskStore(path)).close();
  });

  test('of a process whose number another one has now does not hold', async () => {
    const own = ownIdentity();
    expect(stateOf(own)).toBe('running');
    if (own.started) expect(stateOf({ ...own, started: '1' })).toBe('gone');
    expect(stateOf({ ...own, realm: 'another-machine pid:[1] boot' })).toBe('unknown');
    expect(stateOf({ ...own, realm: `${own.realm.split(' ')[0]} before the restart` })).toBe('gone');
  });

  test.runIf(process.platform === 'linux')('of a dead process that nobody waits for does not hold', async () => {
    // `exec` leaves a parent that does not know of its child.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(String(line));
      await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
      expect(stateOf({ ...ownIdentity(), pid, started: '' })).toBe('gone');
    } finally {
      parent.kill();
    }
  });

  test('of another machine does not hold, but is mentioned', async () => {
    const path = await temporaryDirectory();
    await writeFile(
      join(path, 'emulator.lock'),
      JSON.stringify({ ...ownIdentity(), realm: 'elsewhere', path, token: 'x' }),
    );
    await using disk = await openDiskStore(path);
    expect(disk.log.join()).toContain('of another machine or container');
  });

  test.each(['', '{"pid":', 'null'])('that was not wholly written (%j) does not hold', async (content) => {
    const path = await temporaryDirectory();
    await writeFile(join(path, 'emulator.lock'), content);
    await (await openDiskStore(path)).close();
  });

  test('is not copied with the directory', async () => {
    const path = await temporaryDirectory();
    const copy = await temporaryDirectory();
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.persistence.committed();
    await copyDataDirectory(path, copy);
    await using copied = await openDiskStore(copy);
    expect(copied.contents()).toEqual([['a', 1]]);
  });

  test('goes to one of many that want it at once', async () => {
    const path = await temporaryDirectory();
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'emulator.lock'), JSON.stringify({ ...ownIdentity(), started: '1', path, token: 'x' }));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDiskStore(path)));
    const opened = results.filter((result) => result.status === 'fulfilled');
    expect(opened).toHaveLength(1);
    await opened[0]!.value.close();
  });
});

async function readStat(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
