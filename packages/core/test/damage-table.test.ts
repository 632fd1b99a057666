import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inspectDataDirectory } from '../src/doctor/index.ts';
import { createBodyStores, createLogger, defaultSettings, Kernel, openDiskPersistence } from '../src/index.ts';
import { copyDataDirectory, DAMAGES, faultyFileSystem, ioError } from '../src/testing/index.ts';
import { notesManifest } from './support/notes.ts';

const ACCOUNT = '000000000000';
const BODY = 'a body of some length';
const EXPECTED = { one: '1', body: '', two: '2', three: '3', four: '4', five: '5', six: '6' };

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'emu-test-'));
  await Promise.all([false, true].map(template));
});
afterAll(() => rm(root, { recursive: true }));

const templateOf = (sync: boolean): string => join(root, sync ? 'synced' : 'unsynced');
const earlierOf = (sync: boolean): string => `${templateOf(sync)}-earlier`;

async function open(path: string, sync: boolean, fs = faultyFileSystem()) {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  const persistence = await openDiskPersistence({ path, sync, version: '0.1.0', log, fs });
  const bodies = createBodyStores({ log, fs, disk: { path, sync, cacheSize: 0, persistence } });
  const settings = defaultSettings({ accountId: ACCOUNT });
  const kernel = new Kernel({ manifests: [notesManifest()], settings, log, persistence, bodies: bodies.open });
  try {
    await kernel.start();
  } catch (error) {
    await kernel.close();
    throw error;
  }
  const put = async (operation: string, Name: keyof typeof EXPECTED, Text: string): Promise<unknown> =>
    kernel.callJson('notes', operation, { Name, Text });
  return { kernel, lines, fs, put };
}

/**
 * Creates a directory with a snapshot, two journals that are not in it, a body, and a manifest of all of it. Keeps its
 * earlier state next to it.
 */
async function template(sync: boolean): Promise<void> {
  const path = `${templateOf(sync)}-running`;
  const earlier = earlierOf(sync);
  const { kernel, fs, put } = await open(path, sync);
  const { store } = await kernel.service('notes');
  await put('PutNote', 'one', '1');
  await store.rewrite();
  await copyDataDirectory(path, earlier);
  await put('PutBody', 'body', BODY);
  await put('PutNote', 'two', '2');
  await store.rewrite();
  await put('PutNote', 'three', '3');
  await cp(join(path, 'notes', 'journal-3.jsonl'), join(earlier, 'notes', 'journal-3.jsonl'));
  await put('PutNote', 'four', '4');
  // From here on no snapshot is written.
  fs.fault = (call, file) => (call === 'rename' && file === 'snapshot.json' ? ioError() : undefined);
  await expect(store.rewrite()).rejects.toThrow('EIO');
  await put('PutNote', 'five', '5');
  const last = join('notes', 'journal-4.jsonl');
  await cp(join(path, last), join(earlier, last));
  await put('PutNote', 'six', '6');
  const { size } = await stat(join(path, last));
  const marked = `"journal":{"number":4,"size":${size},`;
  const manifest = join(path, 'emulator.manifest.json');
  await vi.waitFor(async () => expect(await readFile(manifest, 'utf8')).toContain(marked), { timeout: 20_000 });
  await copyDataDirectory(path, templateOf(sync));
  await kernel.close();
}

async function bodyIn(path: string): Promise<string> {
  const [folder] = await readdir(join(path, 'notes', 'bodies'));
  const [id] = await readdir(join(path, 'notes', 'bodies', folder!));
  return join('notes', 'bodies', folder!, id!);
}

/** Effect of a damaged directory: `silent` is a defect. */
type Outcome = 'whole' | 'refused' | 'warned' | 'refused when read' | 'silent';

/** Starts with a directory and reads everything in it. @param named required part of the path in the message */
async function outcomeOf(path: string, sync: boolean, named: string): Promise<Outcome> {
  let running: Awaited<ReturnType<typeof open>>;
  try {
    running = await open(path, sync);
  } catch (error) {
    expect(String(error)).toContain(join(path, named));
    // A valid version file of another version cannot be repaired.
    if (named !== 'emulator.version.toml') expect(String(error)).toContain(`emu doctor --data-path ${path}`);
    return 'refused';
  }
  const { kernel, lines } = running;
  try {
    const { Notes } = (await kernel.callJson('notes', 'ListNotes', {})) as { Notes: Record<string, string> };
    let text: string | undefined;
    try {
      ({ Text: text } = (await kernel.callJson('notes', 'GetBody', { Name: 'body' })) as { Text: string });
    } catch (error) {
      expect(error).toMatchObject({ name: 'AwsError', status: 500 });
      expect(String(error)).toContain(join(path, named));
      expect(lines.join('')).toContain(`a stored body is lost: ${join(path, named)}`);
      return 'refused when read';
    }
    if (lines.some((line) => line.includes(` WARN  ${join(path, named)}`))) return 'warned';
    const same = JSON.stringify(Notes) === JSON.stringify(EXPECTED) && text === BODY;
    return same ? 'whole' : 'silent';
  } finally {
    await kernel.close();
  }
}

/** Returns every file below a directory with its content. */
async function contentOf(path: string): Promise<Map<string, string>> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')] as const)));
}

async function inspect(directory: string, repair: boolean) {
  const log = createLogger({ level: 'error', format: 'text' });
  return inspectDataDirectory({
    directory,
    version: '0.1.0',
    manifests: [notesManifest()],
    repair,
    log,
    now: Date.UTC(2026, 0, 1),
  });
}

let count = 0;

/** Damages a copy of the template and returns the effect; checks that the doctor detects it and sets it aside. */
async function examine(sync: boolean, named: string, damage: (path: string) => Promise<void>): Promise<Outcome> {
  const path = join(root, `case-${count++}`);
  const copy = `${path}-copy`;
  await cp(templateOf(sync), path, { recursive: true });
  await damage(path);
  await cp(path, copy, { recursive: true });
  const outcome = await outcomeOf(copy, sync, named);
  const before = await contentOf(path);
  const report = (await inspect(path, false).catch((error: unknown) => {
    // A valid version file of another version is not damage.
    expect(String(error)).toContain(join(path, 'emulator.version.toml'));
    return 'refused' as const;
  }))!;
  if (report === 'refused') return outcome === report ? outcome : 'silent';
  expect(await contentOf(path)).toEqual(before);
  expect(report.starts).toBe(outcome !== 'refused');
  if (outcome === 'whole') expect(report.services.map(({ damage }) => damage)).toEqual([[]]);
  else {
    expect(JSON.stringify(report)).toContain(join(path, named));
    await inspect(path, true);
    const { kernel, lines } = await open(path, sync);
    await kernel.close();
    // The end of an interrupted write needs no repair.
    expect(lines.filter((line) => !line.includes('bytes are dropped'))).toEqual([]);
    const after = (await inspect(path, false))!;
    const missing = after.services.flatMap(({ damage }) => damage).filter((text) => !text.endsWith('is missing'));
    expect([...after.damage, ...missing]).toEqual([]);
  }
  await rm(path, { recursive: true });
  await rm(copy, { recursive: true });
  return outcome;
}

/** A file, the effect of most damages to it, and that of the others. */
interface Row {
  file: string;
  sync: boolean;
  otherwise: Outcome;
  except: Readonly<Record<string, Outcome>>;
}

const TAILS = { 'with rubbish at its end': 'warned', 'with zeros at its end': 'warned' } as const;
const CUTS = Object.fromEntries(
  ['emptied', ...Object.keys(DAMAGES).filter((damage) => damage.startsWith('cut '))].map((damage) => [
    damage,
    'warned',
  ]),
) as Record<string, Outcome>;

const ROWS: readonly Row[] = [
  {
    file: 'emulator.version.toml',
    sync: false,
    otherwise: 'refused',
    // Its last line is still true: the manifest exists.
    except: {
      'cut before its last line': 'whole',
      'cut before its last byte': 'whole',
      'with a byte of its last line flipped': 'whole',
      'with its last two lines swapped': 'whole',
    },
  },
  { file: 'emulator.manifest.json', sync: false, otherwise: 'refused', except: {} },
  { file: 'notes/snapshot.json', sync: false, otherwise: 'refused', except: {} },
  { file: 'notes/journal-3.jsonl', sync: false, otherwise: 'refused', except: {} },
  // A power failure may be the cause: the last journal had not reached the device.
  {
    file: 'notes/journal-4.jsonl',
    sync: false,
    otherwise: 'refused',
    except: { ...TAILS, ...CUTS, 'replaced by an earlier one': 'warned' },
  },
  { file: 'notes/journal-4.jsonl', sync: true, otherwise: 'refused', except: TAILS },
  { file: 'a body', sync: false, otherwise: 'refused when read', except: {} },
];

describe.each(ROWS)('damage of $file (synced: $sync)', ({ file, sync, otherwise, except }) => {
  test('is never silent', async () => {
    const name = file === 'a body' ? await bodyIn(templateOf(sync)) : file;
    const target = (path: string): string => join(path, name);
    const whole = await readFile(target(templateOf(sync)));
    const outcomes: Record<string, Outcome> = {};
    for (const [damage, change] of Object.entries(DAMAGES)) {
      const damaged = change(whole);
      // In a file of one line some are equal.
      if (damaged.equals(whole)) continue;
      outcomes[damage] = await examine(sync, name, (path) => writeFile(target(path), damaged));
    }
    outcomes.deleted = await examine(sync, name, (path) => rm(target(path)));
    const earlier = target(earlierOf(sync));
    if (name.startsWith('notes/') && file !== 'a body')
      outcomes['replaced by an earlier one'] = await examine(sync, name, (path) => cp(earlier, target(path)));
    expect(outcomes).toEqual(
      Object.fromEntries(Object.keys(outcomes).map((damage) => [damage, except[damage] ?? otherwise])),
    );
    expect(Object.keys(outcomes).length).toBeGreaterThan(15);
  });
});

test.each(['deleted', 'emptied'])("detects a service's directory that was %s", async (what) => {
  const outcome = await examine(false, 'notes', async (path) => {
    await rm(join(path, 'notes'), { recursive: true });
    if (what === 'emptied') await mkdir(join(path, 'notes'));
  });
  expect(outcome).toBe('refused');
});

test('detects a deleted directory of bodies when they are read', async () => {
  const named = await bodyIn(templateOf(false));
  const outcome = await examine(false, named, (path) => rm(join(path, 'notes', 'bodies'), { recursive: true }));
  expect(outcome).toBe('refused when read');
});
