import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectDataDirectory } from '../src/doctor/index.ts';
import {
  type Change,
  createBodyStores,
  createLogger,
  defaultSettings,
  Kernel,
  openDiskPersistence,
} from '../src/index.ts';
import { withPartitions } from '../src/migration/arn-partitions.ts';
import { RegionalSplit } from '../src/migration/regional-split.ts';
import { defineCollection, type FileSystem } from '../src/service.ts';
import { copyDataDirectory } from '../src/testing/copy-directory.ts';
import { faultyFileSystem, ioError } from '../src/testing/faulty-file-system.ts';
import { rewriteSnapshot } from '../src/testing/rewrite-snapshot.ts';
import { temporaryDirectory } from './support/directory.ts';
import { type NotesState, notesManifest } from './support/notes.ts';

const ACCOUNT = '123456789012';
const CHINA = 'cn-north-1';

interface Running extends AsyncDisposable {
  kernel: Kernel;
  log: string[];
  /** Texts of a region's notes by name. */
  notes(region: string): Promise<Record<string, string>>;
}

async function start(path: string, options: { region?: string; fs?: FileSystem } = {}): Promise<Running> {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', format: 'text', write: (line) => void lines.push(line) });
  const { region = 'us-east-1', fs } = options;
  const persistence = await openDiskPersistence({ path, sync: false, version: '0.2.0', log, ...(fs && { fs }) });
  const bodies = createBodyStores({ log, disk: { path, sync: false, cacheSize: 1000, persistence } });
  const settings = defaultSettings({ accountId: ACCOUNT, region });
  const kernel = new Kernel({ manifests: [notesManifest()], settings, log, persistence, bodies: bodies.open });
  try {
    await kernel.start();
  } catch (error) {
    await kernel.close();
    throw error;
  }
  return {
    kernel,
    log: lines,
    notes: async (where) => {
      const { state } = { state: (await kernel.service('notes')).state(ACCOUNT, where) as NotesState };
      return Object.fromEntries([...state.notes.entries()].map(([name, { text }]) => [name, text]));
    },
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

/** Inspects a directory as `emu doctor` and its `--repair` do, which must not find damage. */
async function expectWhole(directory: string): Promise<void> {
  const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
  for (const repair of [false, true]) {
    const options = { directory, version: '0.2.0', manifests: [notesManifest()], repair, log, now: 0 };
    const report = (await inspectDataDirectory(options))!;
    expect(report).toMatchObject({ damage: [], setAside: undefined, starts: true });
    expect(report.services.find(({ service }) => service === 'notes')!.records).toBeGreaterThan(1);
    for (const { damage } of report.services) expect(damage).toEqual([]);
  }
}

/**
 * Starts on a directory, and copies it before each change of a file, which is what a crash would leave.
 * @returns the copies
 */
async function crashesWhileStarting(path: string): Promise<string[]> {
  const copies: string[] = [];
  const fs = faultyFileSystem();
  let starting = true;
  fs.fault = async (call) => {
    if (!starting || call === 'open') return undefined;
    const copy = await temporaryDirectory();
    await copyDataDirectory(path, copy);
    copies.push(copy);
    return undefined;
  };
  await using _running = await start(path, { fs });
  starting = false;
  return copies;
}

const arnIn = (partition: string, region: string): string => `arn:${partition}:sqs:${region}:${ACCOUNT}:q`;

describe('ARNs of one partition', () => {
  const own = defineCollection('things', 'region', { content: ['body'] });
  const rewrite = (value: unknown, region = CHINA, homeRegion = 'us-east-1'): unknown =>
    withPartitions({ op: 'put', collection: 'things', accountId: ACCOUNT, region, key: 'k', value }, own, homeRegion)
      .value;

  test.each([
    ['of a region of another', arnIn('aws', CHINA), arnIn('aws-cn', CHINA)],
    ['of a government region', arnIn('aws', 'us-gov-west-1'), arnIn('aws-us-gov', 'us-gov-west-1')],
    ['of an isolated region', arnIn('aws', 'us-iso-east-1'), arnIn('aws-iso', 'us-iso-east-1')],
    ['of its own region', arnIn('aws', 'eu-west-1'), arnIn('aws', 'eu-west-1')],
    ['that is right', arnIn('aws-cn', CHINA), arnIn('aws-cn', CHINA)],
    ['of any region', arnIn('aws', '*'), arnIn('aws-cn', '*')],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of policies
    ['of a variable', arnIn('aws', '${aws:RequestedRegion}'), arnIn('aws-cn', '${aws:RequestedRegion}')],
    ['without a region', 'arn:aws:s3:::bucket/*', 'arn:aws:s3:::bucket/*'],
    ['in a text', `["${arnIn('aws', CHINA)}","arn:aws:s3:::b"]`, `["${arnIn('aws-cn', CHINA)}","arn:aws:s3:::b"]`],
  ])('%s', (_, before, after) => {
    expect(rewrite(before)).toBe(after);
    expect(rewrite({ list: [{ [before]: before }] })).toEqual({ list: [{ [after]: after }] });
    expect(rewrite({ body: { deep: before } })).toEqual({ body: { deep: before } });
  });

  test("without a region get the partition of the server, except AWS's own", () => {
    expect(rewrite('arn:aws:s3:::bucket/*', 'us-east-1', CHINA)).toBe('arn:aws-cn:s3:::bucket/*');
    expect(rewrite('arn:aws:iam::123456789012:role/r', '', CHINA)).toBe('arn:aws-cn:iam::123456789012:role/r');
    expect(rewrite('arn:aws:iam::aws:policy/ReadOnlyAccess', '', CHINA)).toBe('arn:aws:iam::aws:policy/ReadOnlyAccess');
  });

  test('at the start of a key are rewritten with it, and records of clients are not', () => {
    const change = { op: 'put', collection: 'things', accountId: ACCOUNT, region: CHINA, value: {} } as const;
    const key = `${arnIn('aws', CHINA)}|1`;
    expect(withPartitions({ ...change, key }, own, CHINA).key).toBe(`${arnIn('aws-cn', CHINA)}|1`);
    expect(withPartitions({ ...change, key: `b/${key}` }, own, CHINA).key).toBe(`b/${key}`);
    const items = defineCollection('items', 'region', { content: 'all' });
    const item = { ...change, key, value: { arn: key } };
    expect(withPartitions(item, items, CHINA)).toEqual(item);
  });

  /**
   * Creates a data directory of a version with a single partition. @param manifest whether a migration was begun before
   */
  async function older(manifest = false): Promise<string> {
    const path = await temporaryDirectory();
    await using running = await start(path);
    const put = (Name: string, region: string) =>
      running.kernel.callJson('notes', 'PutNote', { Name, Text: arnIn('aws', region) }, { accountId: ACCOUNT, region });
    await put('a', CHINA);
    await put(arnIn('aws', CHINA), CHINA);
    await put('b', 'eu-west-1');
    running.kernel.credentials.put({
      accessKeyId: 'AKIA',
      secretAccessKey: 's',
      active: true,
      principal: { type: 'user', accountId: ACCOUNT, arn: `arn:aws:iam::${ACCOUNT}:user/u`, userId: 'u' },
    });
    await running.kernel.committed();
    // Killed, so that all of it is in journals.
    const killed = await temporaryDirectory();
    await copyDataDirectory(path, killed);
    const file = join(killed, 'emulator.version.toml');
    const version = 'format_version = 1\ncreated_by = "0.1.0"\narn_partitions_migrated = false\n';
    await writeFile(file, manifest ? `${version}manifest = true\n` : version);
    if (!manifest) await rm(join(killed, 'emulator.manifest.json'));
    return killed;
  }

  const MIGRATED = { a: arnIn('aws-cn', CHINA), [arnIn('aws-cn', CHINA)]: arnIn('aws-cn', CHINA) };

  test('are rewritten once, when a newer version opens the directory', async () => {
    const path = await older();
    {
      await using running = await start(path, { region: CHINA });
      expect(await running.notes(CHINA)).toEqual(MIGRATED);
      expect(await running.notes('eu-west-1')).toEqual({ b: arnIn('aws', 'eu-west-1') });
      expect(running.kernel.credentials.get('AKIA')!.principal.arn).toBe(`arn:aws-cn:iam::${ACCOUNT}:user/u`);
      expect(running.log.filter((line) => line.includes('partitions'))).toHaveLength(1);
      // Later ones are unchanged.
      const later = { Name: 'later', Text: arnIn('aws', CHINA) };
      await running.kernel.callJson('notes', 'PutNote', later, { accountId: ACCOUNT, region: CHINA });
    }
    const version = await readFile(join(path, 'emulator.version.toml'), 'utf8');
    expect(version).toContain('arn_partitions_migrated = true');
    expect(version).toContain('created_by = "0.1.0"');
    await using again = await start(path, { region: CHINA });
    expect(await again.notes(CHINA)).toEqual({ ...MIGRATED, later: arnIn('aws', CHINA) });
    expect(again.log.join()).not.toContain('partitions');
  });

  test.each([
    ['credentials', false],
    ['notes', false],
    ['emulator.version.toml', false],
    ['credentials', true],
    ['notes', true],
    ['emulator.version.toml', true],
  ])('are rewritten after a failure at %s, with a manifest: %s', async (place, manifest) => {
    const path = await older(manifest);
    const fs = faultyFileSystem();
    fs.fault = (call, _, to) => (call === 'rename' && to.includes(place) ? ioError() : undefined);
    await expect(start(path, { fs })).rejects.toThrow('EIO');
    expect(await readFile(join(path, 'emulator.version.toml'), 'utf8')).toContain('= false');
    await using running = await start(path);
    expect(await running.notes(CHINA)).toEqual(MIGRATED);
    expect(running.kernel.credentials.get('AKIA')!.principal.arn).toBe(`arn:aws:iam::${ACCOUNT}:user/u`);
  });

  test.each([false, true])(
    'are rewritten after a crash at any point of the first start; with a manifest: %s',
    async (manifest) => {
      const copies = await crashesWhileStarting(await older(manifest));
      expect(copies.length).toBeGreaterThan(10);
      for (const copy of copies)
        for (let again = 0; again < 2; again++) {
          await using running = await start(copy);
          expect(await running.notes(CHINA)).toEqual(MIGRATED);
          expect(running.kernel.credentials.get('AKIA')!.principal.arn).toBe(`arn:aws:iam::${ACCOUNT}:user/u`);
        }
    },
  );

  test.each([false, true])('are not damage, and are still rewritten later; with a manifest: %s', async (manifest) => {
    const path = await older(manifest);
    // An interrupted migration has rewritten some of the services.
    if (manifest) {
      const fs = faultyFileSystem();
      fs.fault = (call, _, to) => (call === 'rename' && to.includes('notes') ? ioError() : undefined);
      await expect(start(path, { fs })).rejects.toThrow('EIO');
    }
    await expectWhole(path);
    await using running = await start(path);
    expect(await running.notes(CHINA)).toEqual(MIGRATED);
  });
});

describe('records stored per account', () => {
  test('move to the region of their ARN, of their owner, or of the server', () => {
    const tables = defineCollection('tables', 'region');
    const items = defineCollection('items', 'region', { ownerOf: (key) => key.slice(0, key.indexOf('/')) });
    const users = defineCollection('users', 'account');
    const split = new RegionalSplit([tables, items, users], 'eu-west-1');
    const change = (op: Change['op'], collection: string, key: string, value: unknown, region = ''): Change => {
      return { op, collection, accountId: ACCOUNT, region, key, value };
    };
    for (const legacy of [
      change('put', 'items', 'id-1/a', { n: 1 }),
      change('put', 'tables', 't', { id: 'id-1', arn: `arn:aws:dynamodb:us-west-2:${ACCOUNT}:table/t` }),
      change('insert', 'items', 'id-1/gone', {}),
      change('delete', 'items', 'id-1/gone', undefined),
      change('put', 'items', 't/b', {}),
      change('put', 'items', 'id-2/c', {}),
      change('put', 'items', `${arnIn('aws', 'us-west-1')}/d`, {}),
      change('put', 'tables', 'bucket', { arn: 'arn:aws:s3:::bucket' }),
    ])
      expect(split.take(legacy)).toBe(true);
    expect(split.take(change('put', 'items', 'k', {}, 'us-east-1'))).toBe(false);
    expect(split.take(change('put', 'users', 'u', {}))).toBe(false);
    expect([...split.placed()].map(({ key, region }) => [key, region])).toEqual([
      ['id-1/a', 'us-west-2'],
      ['t', 'us-west-2'],
      ['t/b', 'us-west-2'],
      ['id-2/c', 'eu-west-1'],
      [`${arnIn('aws', 'us-west-1')}/d`, 'us-west-1'],
      ['bucket', 'eu-west-1'],
    ]);
    expect(split.take({ op: 'clear', collection: 'items', accountId: ACCOUNT, region: '' })).toBe(true);
    expect(split.size).toBe(2);
  });

  /** Creates a data directory of a version with one set per account. */
  async function older(): Promise<string> {
    const path = await temporaryDirectory();
    {
      await using running = await start(path);
      for (const [Name, region] of [
        [arnIn('aws', 'eu-west-1'), 'eu-west-1'],
        ['left over', 'us-west-2'],
      ] as const)
        await running.kernel.callJson('notes', 'PutNote', { Name, Text: 'x' }, { accountId: ACCOUNT, region });
    }
    await rewriteSnapshot(path, 'notes', (record) => ({ ...record, region: '' }));
    return path;
  }

  test('are split once, and later changes count', async () => {
    const path = await older();
    {
      await using running = await start(path, { region: 'ap-south-1' });
      expect(await running.notes('eu-west-1')).toEqual({ [arnIn('aws', 'eu-west-1')]: 'x' });
      expect(await running.notes('ap-south-1')).toEqual({ 'left over': 'x' });
      expect(running.log.join()).toContain('moved 2 records of notes from the account');
      const place = { accountId: ACCOUNT, region: 'ap-south-1' };
      await running.kernel.callJson('notes', 'DeleteNote', { Name: 'left over' }, place);
    }
    // The region of the server matters at the first start only.
    await using again = await start(path, { region: 'sa-east-1' });
    expect(await again.notes('eu-west-1')).toEqual({ [arnIn('aws', 'eu-west-1')]: 'x' });
    for (const region of ['ap-south-1', 'sa-east-1']) expect(await again.notes(region)).toEqual({});
    expect(again.log.join()).not.toContain('kept per account');
  });

  test('are split after a crash at any point of the first start, and only once', async () => {
    const copies = await crashesWhileStarting(await older());
    expect(copies.length).toBeGreaterThan(5);
    for (const copy of copies)
      for (let again = 0; again < 2; again++) {
        await using running = await start(copy);
        expect(await running.notes('eu-west-1')).toEqual({ [arnIn('aws', 'eu-west-1')]: 'x' });
        expect(await running.notes('us-east-1')).toEqual({ 'left over': 'x' });
      }
  });

  test('are split by the next start after the first was interrupted', async () => {
    const path = await older();
    await expectWhole(path);
    const fs = faultyFileSystem();
    fs.fault = (call, _, to) => (call === 'rename' && to.includes('snapshot.json') ? ioError() : undefined);
    await expect(start(path, { fs })).rejects.toThrow('EIO');
    await expectWhole(path);
    await using running = await start(path);
    expect(await running.notes('eu-west-1')).toEqual({ [arnIn('aws', 'eu-west-1')]: 'x' });
    expect(await running.notes('us-east-1')).toEqual({ 'left over': 'x' });
  });
});
