import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../src/index.ts';
import type { CallOptions, FileSystem, ServiceManifest } from '../src/service.ts';
import { copyDataDirectory, faultyFileSystem, noSpace } from '../src/testing/index.ts';
import { temporaryDirectory } from './support/directory.ts';
import { NotesState, notesManifest, notesPlugin } from './support/notes.ts';

const ACCOUNT = '000000000000';
const OTHER = '111111111111';

interface Running extends AsyncDisposable {
  kernel: Kernel;
  log: string[];
  call(operation: string, input: unknown, options?: CallOptions): Promise<Record<string, unknown>>;
  notes(options?: CallOptions): Promise<unknown>;
}

/** Creates a kernel on a data directory. */
async function open(path: string, manifest: ServiceManifest = notesManifest(), fs?: FileSystem): Promise<Running> {
  const lines: string[] = [];
  const log = createLogger({ level: 'debug', format: 'text', write: (line) => void lines.push(line) });
  const persistence = await openDiskPersistence({ path, sync: false, version: '0.1.0', log, ...(fs && { fs }) });
  const bodies = createBodyStores({ log, disk: { path, sync: false, cacheSize: 1000, persistence } });
  const kernel = new Kernel({
    manifests: [manifest],
    settings: defaultSettings({ accountId: ACCOUNT }),
    log,
    persistence,
    bodies: bodies.open,
  });
  const call = (operation: string, input: unknown, options?: CallOptions): Promise<Record<string, unknown>> =>
    kernel.callJson('notes', operation, input, options) as Promise<Record<string, unknown>>;
  return {
    kernel,
    log: lines,
    call,
    notes: async (options) => (await call('ListNotes', {}, options)).Notes,
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

async function start(path: string, manifest?: ServiceManifest, fs?: FileSystem): Promise<Running> {
  const running = await open(path, manifest, fs);
  try {
    await running.kernel.start();
    return running;
  } catch (error) {
    await running.kernel.close();
    throw error;
  }
}

/** Starts on a copy of the directory, which is what a crash would have left. */
async function startCopy(path: string): Promise<Running> {
  const copy = await temporaryDirectory();
  await copyDataDirectory(path, copy);
  return start(copy);
}

const bodyFiles = async (path: string): Promise<number> => {
  const found = await readdir(join(path, 'notes', 'bodies'), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).length;
};

describe('loading', () => {
  test('services with state are loaded at start-up, with the states that have records', async () => {
    const path = await temporaryDirectory();
    {
      await using running = await start(path);
      await running.call('PutNote', { Name: 'a', Text: '1' });
      await running.call('PutNote', { Name: 'a', Text: '2' }, { accountId: OTHER, region: 'eu-west-1' });
      // Records of a wider scope than the states' create no state.
      await running.call('PutSetting', { Name: 'a', Text: '3' }, { accountId: '222222222222' });
    }
    const made: string[] = [];
    const plugin = notesPlugin((scope) => {
      made.push(`${scope.accountId} ${scope.region}`);
      return new NotesState(scope);
    });
    await using running = await start(
      path,
      notesManifest(async () => plugin),
    );
    expect(running.kernel.loadedService('notes')).toBeDefined();
    expect(made.sort()).toEqual([`${ACCOUNT} us-east-1`, `${OTHER} eu-west-1`]);
    expect(await running.notes()).toEqual({ a: '1' });
    expect(await running.notes({ accountId: OTHER, region: 'eu-west-1' })).toEqual({ a: '2' });
  });

  test('requests during the load of a service wait for that load', async () => {
    const path = await temporaryDirectory();
    let loads = 0;
    await using running = await start(
      path,
      notesManifest(async () => {
        loads++;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return notesPlugin();
      }),
    );
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => running.call('PutNote', { Name: `${index}`, Text: '' })),
    );
    expect(loads).toBe(1);
    expect(Object.keys((await running.notes()) as object)).toHaveLength(10);
  });

  test('that is running ends before the data directory is closed', async () => {
    const path = await temporaryDirectory();
    let finish = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const running = await start(
      path,
      notesManifest(async () => {
        await released;
        return notesPlugin();
      }),
    );
    const ends: string[] = [];
    const loading = running.kernel.service('notes').then(() => ends.push('load'));
    const closing = running.kernel.close().then(() => ends.push('close'));
    // Without the wait, closing would have ended by then.
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, 100))]);
    finish();
    await Promise.all([loading, closing]);
    expect(ends).toEqual(['load', 'close']);
  });

  test('that fails is retried from the disk, without objects of the first attempt', async () => {
    const path = await temporaryDirectory();
    {
      await using running = await start(path);
      await running.call('PutBody', { Name: 'a', Text: 'body' });
      await running.call('PutNote', { Name: 'a', Text: '' }, { accountId: OTHER });
    }
    const states: NotesState[] = [];
    const plugin = notesPlugin((scope) => {
      if (states.length === 1) throw new Error('no state today');
      const state = new NotesState(scope);
      states.push(state);
      return state;
    });
    await using running = await open(
      path,
      notesManifest(async () => plugin),
    );
    await expect(running.kernel.start()).rejects.toThrow('no state today');
    expect(states.map((state) => state.closed)).toEqual([true]);
    states.push(...states);
    await running.call('PutNote', { Name: 'b', Text: '2' });
    await running.kernel.committed();
    expect((await running.call('GetBody', { Name: 'a' })).Text).toBe('body');
    await using reopened = await startCopy(path);
    expect(await reopened.notes()).toEqual({ a: '', b: '2' });
    await running.call('DeleteNote', { Name: 'a' });
    await expect.poll(() => bodyFiles(path), { interval: 1, timeout: 20_000 }).toBe(0);
  });

  test('of a service that was missing at start-up is retried, too', async () => {
    const path = await temporaryDirectory();
    let failing = 1;
    await using running = await start(
      path,
      notesManifest(async () => {
        if (failing-- > 0) throw new Error('no module today');
        return notesPlugin();
      }),
    );
    await expect(running.call('ListNotes', {})).rejects.toThrow('no module today');
    expect(await running.notes()).toEqual({});
  });

  test("of a damaged journal aborts the start with the file's name", async () => {
    const path = await temporaryDirectory();
    await mkdir(join(path, 'notes'), { recursive: true });
    await (await start(path).catch(() => undefined))?.kernel.close();
    await writeFile(join(path, 'notes', 'snapshot.json'), 'x\n');
    await expect(start(path)).rejects.toThrow(join(path, 'notes', 'snapshot.json'));
  });

  test('leaves the state of unknown services unchanged', async () => {
    const path = await temporaryDirectory();
    await (await start(path)).kernel.close();
    await mkdir(join(path, 'quantum'));
    await writeFile(join(path, 'quantum', 'snapshot.json'), 'whatever');
    await using running = await start(path);
    expect(running.log.join()).toContain('holds state of quantum');
    await running.kernel.reset();
    expect(await readFile(join(path, 'quantum', 'snapshot.json'), 'utf8')).toBe('whatever');
  });
});

describe('a reset', () => {
  const fill = async (running: Running): Promise<void> => {
    for (const accountId of [ACCOUNT, OTHER]) {
      await running.call('PutNote', { Name: 'a', Text: accountId }, { accountId });
      await running.call('PutBody', { Name: 'b', Text: `body of ${accountId}` }, { accountId });
    }
    await running.kernel.committed();
  };

  test.each([
    ['of all', undefined],
    ['of the service', 'notes'],
  ])('%s is on disk when it resolves, including bodies', async (_, service) => {
    const path = await temporaryDirectory();
    await using running = await start(path);
    await fill(running);
    const state = running.kernel.loadedService('notes')!.state(ACCOUNT, 'us-east-1') as NotesState;
    await running.kernel.reset(service);
    expect(state.closed).toBe(true);
    expect(await running.notes()).toEqual({});
    const snapshot = JSON.parse(await readFile(join(path, 'notes', 'snapshot.json'), 'utf8'));
    expect(snapshot.records).toEqual([]);
    expect(await bodyFiles(path)).toBe(0);
    await using reopened = await startCopy(path);
    expect(await reopened.notes({ accountId: OTHER })).toEqual({});
  });

  test('of one account keeps the others', async () => {
    const path = await temporaryDirectory();
    await using running = await start(path);
    await fill(running);
    await running.kernel.reset('notes', OTHER);
    await using reopened = await startCopy(path);
    expect(await reopened.notes({ accountId: OTHER })).toEqual({});
    expect(await reopened.notes()).toEqual({ a: ACCOUNT, b: '' });
    expect((await reopened.call('GetBody', { Name: 'b' })).Text).toBe(`body of ${ACCOUNT}`);
    expect(await bodyFiles(path)).toBe(1);
  });

  test('that cannot be written rejects', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using running = await start(path, notesManifest(), fs);
    await fill(running);
    fs.fault = (call) => (call === 'write' ? noSpace() : undefined);
    await expect(running.kernel.reset()).rejects.toThrow('ENOSPC');
    fs.fault = () => undefined;
    await running.kernel.reset();
    await using reopened = await startCopy(path);
    expect(await reopened.notes()).toEqual({});
  });
});

describe('bodies', () => {
  test('are deleted with the last record that refers to them, and restored with records that do', async () => {
    const path = await temporaryDirectory();
    {
      await using running = await start(path);
      await running.call('PutBody', { Name: 'a', Text: 'shared' });
      await running.call('PutBody', { Name: 'b', Text: 'shared' });
      await running.call('PutBody', { Name: 'c', Text: 'changed' });
      await running.call('PutBody', { Name: 'c', Text: 'changed again' });
      await running.call('DeleteNote', { Name: 'a' });
      await running.kernel.committed();
    }
    await writeFile(join(path, 'notes', 'bodies', 'incoming-0'), 'half');
    await using running = await start(path);
    expect(await bodyFiles(path)).toBe(2);
    expect((await running.call('GetBody', { Name: 'b' })).Text).toBe('shared');
    expect((await running.call('GetBody', { Name: 'c' })).Text).toBe('changed again');
    await running.call('DeleteNote', { Name: 'b' });
    await running.call('DeleteNote', { Name: 'c' });
    await expect.poll(() => bodyFiles(path), { interval: 1, timeout: 20_000 }).toBe(0);
  });
});

describe('a failing disk', () => {
  test('fails requests that change something, and later ones run nothing until it works', async () => {
    const path = await temporaryDirectory();
    const fs = faultyFileSystem();
    await using running = await start(path, notesManifest(), fs);
    const { kernel } = running;
    await running.call('PutNote', { Name: 'a', Text: '1' });
    const { store } = kernel.loadedService('notes')!;
    expect(store.dirty).toBe(false);
    fs.fault = (call) => (call === 'write' ? noSpace() : undefined);
    await expect(running.call('PutNote', { Name: 'b', Text: '2' })).rejects.toThrow('ENOSPC');
    await expect(running.call('PutNote', { Name: 'c', Text: '3' })).rejects.toThrow('ENOSPC');
    expect(store.dirty).toBe(true);
    fs.fault = () => undefined;
    expect(await running.notes()).toEqual({ a: '1', b: '2' });
    expect(store.dirty).toBe(false);
    await using reopened = await startCopy(path);
    expect(await reopened.notes()).toEqual({ a: '1', b: '2' });
  });
});

test('credentials survive', async () => {
  const path = await temporaryDirectory();
  {
    await using running = await start(path);
    running.kernel.credentials.put({
      accessKeyId: 'AKIA1',
      secretAccessKey: 's',
      active: true,
      principal: { type: 'user', accountId: OTHER, arn: `arn:aws:iam::${OTHER}:user/a`, userId: 'AIDA1' },
    });
    await running.kernel.committed();
  }
  await using running = await start(path);
  expect(running.kernel.credentials.get('AKIA1')?.principal.accountId).toBe(OTHER);
  await running.kernel.reset(undefined, OTHER);
  await using reopened = await startCopy(path);
  expect(reopened.kernel.credentials.get('AKIA1')).toBeUndefined();
});
