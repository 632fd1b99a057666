import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from '@iarna/toml';
import { describe, expect, test, vi } from 'vitest';
import { ownIdentity, stateOf } from '../src/persistence/process-identity.ts';
import { copyDataDirectory, faultyFileSystem, ioError } from '../src/testing/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { openCopy, openDiskStore } from './support/disk-store.ts';

describe('the version file', () => {
  test('is created with a new directory and its parents', async () => {
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

  test('fails at once in a directory that accepts no entries', async () => {
    await expect(openDiskStore('/proc/emu/data')).rejects.toThrow(/ENOENT|EACCES|EPERM|EROFS/);
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    await expect(openDiskStore(file)).rejects.toThrow('EEXIST');
    await expect(openDiskStore(join(file, 'below'))).rejects.toThrow('ENOTDIR');
  });

  test('of the same format is accepted from any version', async () => {
    const path = await temporaryDirectory();
    await (await openDiskStore(path, { version: '0.1.0' })).close();
    await (await openDiskStore(path, { version: '0.2.0' })).close();
    expect(await readFile(join(path, 'emulator.version.toml'), 'utf8')).toContain('0.1.0');
  });

  test.each([
    ['another format', 'format_version = 2\ncreated_by = "9.9.9"\n', 'has format 2, made by version 9.9.9'],
    ['no format', 'created_by = "9.9.9"\n', 'has no format_version'],
    ['no TOML', 'format_version = = 2', 'is not valid TOML'],
  ])("with %s aborts the start with the file's name", async (_, content, message) => {
    const path = await temporaryDirectory();
    const file = join(path, 'emulator.version.toml');
    await writeFile(file, content);
    const opening = openDiskStore(path);
    await expect(opening).rejects.toThrow(file);
    await expect(opening).rejects.toThrow(message);
    // The lock is released, and nothing else was created.
    expect(await readdir(path)).toEqual(['emulator.version.toml']);
  });

  test('is required if state exists', async () => {
    const path = await temporaryDirectory();
    const disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.close();
    await rm(join(path, 'emulator.version.toml'));
    await expect(openDiskStore(path)).rejects.toThrow('emulator.version.toml is missing');
  });

  test('is created again after an interrupted write', async () => {
    const path = await temporaryDirectory();
    await writeFile(join(path, 'emulator.version.toml.tmp'), 'format_v');
    await (await openDiskStore(path)).close();
    expect((await readdir(path)).sort()).toEqual(['emulator.manifest.json', 'emulator.version.toml']);
  });
});

describe('the manifest', () => {
  const VERSION = 'format_version = 1\ncreated_by = "0.0.9"\narn_partitions_migrated = true\n';
  const contents = [
    ['a', 1],
    ['b', 2],
  ];

  /** Creates a directory of a version of emu without manifests. */
  async function firstForm(): Promise<string> {
    const path = await temporaryDirectory();
    {
      const made = await temporaryDirectory();
      await using disk = await openDiskStore(made);
      disk.items.put('a', { value: 1 });
      await disk.store.rewrite();
      disk.items.put('b', { value: 2 });
      await disk.persistence.committed();
      await copyDataDirectory(join(made, 'things'), join(path, 'things'));
    }
    await writeFile(join(path, 'emulator.version.toml'), VERSION, { mode: 0o600 });
    return path;
  }

  test('is created for a directory of the first format, whose content is kept', async () => {
    const path = await firstForm();
    for (let start = 0; start < 2; start++) {
      await using disk = await openDiskStore(path);
      expect(disk.contents()).toEqual(contents);
      expect(disk.log).toEqual([]);
    }
    expect(parse(await readFile(join(path, 'emulator.version.toml'), 'utf8'))).toEqual({
      ...parse(VERSION),
      manifest: true,
    });
    await rm(join(path, 'things', 'snapshot.json'));
    await expect(openDiskStore(path)).rejects.toThrow(
      `${join(path, 'things', 'snapshot.json')} is missing. Restore it from a backup, or run \`emu doctor --data-path ${path}\``,
    );
  });

  test('is created after an earlier start was interrupted while creating it', async () => {
    const path = await firstForm();
    const fs = faultyFileSystem();
    // The manifest exists by then, but the version file does not mention it.
    fs.fault = (call, file) => (call === 'rename' && file === 'emulator.version.toml' ? ioError() : undefined);
    await expect(openDiskStore(path, { fs })).rejects.toThrow('EIO');
    expect(await readdir(path)).toContain('emulator.manifest.json');
    await using disk = await openDiskStore(path);
    expect(disk.contents()).toEqual(contents);
  });

  test('treats a journal without its first line, as left by a crash in the first format, as empty', async () => {
    const path = await firstForm();
    await writeFile(join(path, 'things', 'journal-3.jsonl'), '["1234');
    await using disk = await openDiskStore(path);
    expect(disk.contents()).toEqual(contents);
    expect(disk.log.join()).toContain('journal-3.jsonl has not even its first line');
    disk.items.put('c', { value: 3 });
    await disk.persistence.committed();
    await using copy = await openCopy(path, await temporaryDirectory());
    expect(copy.contents()).toEqual([...contents, ['c', 3]]);
  });

  test('that cannot be written is logged once, and blocks nothing', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    const disk = await openDiskStore(path, { fs });
    fs.fault = (_, file) => (file.startsWith('emulator.manifest.json') ? ioError() : undefined);
    for (const key of ['a', 'b']) {
      disk.items.put(key, { value: key });
      await disk.persistence.committed();
      await disk.store.rewrite();
    }
    await disk.close();
    expect(disk.log.filter((line) => line.includes('emulator.manifest.json could not be written'))).toHaveLength(1);
    await using again = await openDiskStore(path);
    expect([...again.items.keys()]).toEqual(['a', 'b']);
  });

  test('with --sync contains what had reached the device, and the directory is synced before a commit', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using disk = await openDiskStore(path, { fs, sync: true });
    fs.calls.length = 0;
    disk.items.put('a', { value: 1 });
    await disk.persistence.committed();
    const own = fs.calls.filter((call) => /(journal|things)/.test(call) || call.startsWith('syncDirectory'));
    const made = own.slice(0, own.indexOf('datasync journal-1.jsonl'));
    expect(made.filter((call) => /^(sync|rename|syncDirectory) /.test(call) && !call.includes('manifest'))).toEqual([
      expect.stringMatching(/^syncDirectory emu-test-/),
      'sync journal-1.jsonl.tmp',
      'rename journal-1.jsonl',
      'syncDirectory things',
    ]);
  });
});

// Windows cannot remove an open file.
describe.runIf(process.platform !== 'win32')("removing a service's directory in use", () => {
  test('is detected within a second of a change, and later changes fail', async () => {
    const path = await temporaryDirectory();
    const disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.persistence.committed();
    await rm(join(path, 'things'), { recursive: true });
    const message = `${join(path, 'things', 'journal-1.jsonl')} was removed`;
    await vi.waitFor(() => expect(disk.log.join()).toContain(message), { timeout: 20_000 });
    disk.items.put('b', { value: 2 });
    await expect(disk.persistence.committed()).rejects.toThrow(message);
    expect(disk.store.congested).toBe(true);
    await expect(disk.persistence.committed()).rejects.toThrow(message);
    await expect(disk.close()).rejects.toThrow(message);
    await expect(openDiskStore(path)).rejects.toThrow('journal-1.jsonl is missing');
  });

  test('is detected by the first change after a start', async () => {
    const path = await temporaryDirectory();
    {
      await using disk = await openDiskStore(path);
      disk.items.put('a', { value: 1 });
    }
    const disk = await openDiskStore(path);
    await rm(join(path, 'things'), { recursive: true });
    disk.items.put('b', { value: 2 });
    const message = `${join(path, 'things', 'snapshot.json')} was removed`;
    await expect(disk.persistence.committed()).rejects.toThrow(message);
    await expect(disk.close()).rejects.toThrow(message);
    await expect(openDiskStore(path)).rejects.toThrow('snapshot.json is missing');
  });
});

describe.runIf(process.platform !== 'win32')('other users', () => {
  const modesBelow = async (path: string): Promise<Record<string, string>> => {
    // A file that is being created may be renamed at any time.
    const names = ['', ...(await readdir(path, { recursive: true }))].filter((name) => !name.endsWith('.tmp'));
    const modes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mode & 0o777));
    return Object.fromEntries(names.map((name, index) => [name, modes[index]!.toString(8)]));
  };
  const MODES: Record<string, string> = {
    '': '700',
    'emulator.manifest.json': '600',
    'emulator.version.toml': '600',
    things: '700',
    'things/snapshot.json': '600',
    'things/bodies': '700',
    'things/bodies/body': '600',
  };
  /** Creates a directory of an earlier version. */
  const openToAll = async (): Promise<string> => {
    const path = join(await temporaryDirectory(), 'data');
    const disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.close();
    await mkdir(join(path, 'things', 'bodies'));
    await writeFile(join(path, 'things', 'bodies', 'body'), '');
    for (const name of Object.keys(MODES)) {
      const file = join(path, name);
      await chmod(file, (await stat(file)).isDirectory() ? 0o755 : 0o644);
    }
    return path;
  };

  test('cannot read new files', async () => {
    const path = join(await temporaryDirectory(), 'above', 'data');
    await using disk = await openDiskStore(path);
    disk.items.put('a', { value: 1 });
    await disk.store.rewrite();
    disk.items.put('b', { value: 1 });
    await disk.persistence.committed();
    const modes = await modesBelow(path);
    expect(modes).toMatchObject({ '': '700', things: '700', 'things/snapshot.json': '600' });
    expect(Object.keys(modes)).toHaveLength(8);
    for (const [name, mode] of Object.entries(modes)) expect([name, mode]).toEqual([name, MODES[name] ?? '600']);
  });

  test('can no longer read files of an earlier version', async () => {
    const path = await openToAll();
    const disk = await openDiskStore(path);
    expect(disk.log.filter((line) => line.includes('removed the access of other users'))).toHaveLength(1);
    await disk.close();
    expect(await modesBelow(path)).toEqual(MODES);
    const again = await openDiskStore(path);
    expect(again.log.join()).not.toContain('other users');
    await again.close();
  });

  test('keep access to files of others, and to their directory', async () => {
    const path = await openToAll();
    await writeFile(join(path, 'notes.txt'), '');
    await chmod(join(path, 'notes.txt'), 0o644);
    await (await openDiskStore(path)).close();
    expect(await modesBelow(path)).toEqual({ ...MODES, '': '755', 'notes.txt': '644' });
  });
});

describe('the lock', () => {
  test('rejects a second user until the first ends, also by another path', async () => {
    const path = await temporaryDirectory();
    const first = await openDiskStore(path);
    await expect(openDiskStore(path)).rejects.toThrow(`in use by process ${process.pid}`);
    const link = join(await temporaryDirectory(), 'link');
    await symlink(path, link);
    await expect(openDiskStore(link)).rejects.toThrow('in use');
    await first.close();
    await (await openDiskStore(path)).close();
    expect((await readdir(path)).filter((name) => /lock|sock/.test(name))).toEqual([]);
  });

  test('is valid for a running process and invalid for a killed one', async () => {
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

  test('is invalid if another process has the number of its process', async () => {
    const own = ownIdentity();
    expect(stateOf(own)).toBe('running');
    if (own.started) expect(stateOf({ ...own, started: '1' })).toBe('gone');
    expect(stateOf({ ...own, realm: 'another-machine pid:[1] boot' })).toBe('unknown');
    expect(stateOf({ ...own, realm: `${own.realm.split(' ')[0]} before the restart` })).toBe('gone');
  });

  test.runIf(process.platform === 'linux')('is invalid for a zombie process', async () => {
    // `exec` leaves a parent that does not wait for its child.
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

  test.each(['', '{"pid":', 'null'])('is invalid if incomplete (%j)', async (content) => {
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

  test('belongs to one of many concurrent contenders', async () => {
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
