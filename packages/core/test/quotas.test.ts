import { awsError } from '@emu/wire';
import { describe, expect, test } from 'vitest';
import {
  createBodyStores,
  createLogger,
  defaultSettings,
  Kernel,
  type Kernel as KernelType,
  openDiskPersistence,
} from '../src/index.ts';
import { TokenBuckets } from '../src/quotas/token-buckets.ts';
import { type AnyQuota, defineQuotas, type OwnQuota, quotaDirectory } from '../src/service.ts';
import { temporaryDirectory } from './support/directory.ts';
import { type NotesOperations, type NotesState, notesManifest } from './support/notes.ts';

const facts = (code: string, defaultValue: number) => ({
  serviceCode: 'notes',
  code,
  name: code,
  defaultValue,
  adjustable: true,
  page: 'https://docs.example/notes',
});

const WIDTH: OwnQuota<NotesState> = { ...facts('L-00000003', 7), own: true };

const QUOTAS: readonly AnyQuota[] = defineQuotas<NotesOperations, NotesState>([
  {
    ...facts('L-00000001', 2),
    usage: ({ notes }) => notes.size,
    grows: { PutNote: ({ Name }, { notes }) => (notes.has(Name) ? undefined : notes.size + 1) },
    error: (limit) => awsError('TooManyNotes', `There can be ${limit} notes.`),
  },
  {
    ...facts('L-00000002', 2),
    rate: { ListNotes: true, DeleteNote: ({ Name }) => (Name === 'free' ? 0 : 1) },
    calls: true,
    error: () => awsError('Throttling', 'Rate exceeded'),
  },
  { ...facts('L-00000004', 1), rate: { GetBody: true }, error: () => awsError('Throttling', 'Rate exceeded') },
  WIDTH,
]);

type Values = NonNullable<Parameters<typeof defaultSettings>[0]>['values'];

async function start(values: Values = {}, path?: string): Promise<KernelType & AsyncDisposable> {
  const log = createLogger({ level: 'error', format: 'text', write: () => undefined });
  const persistence =
    path === undefined ? undefined : await openDiskPersistence({ path, sync: false, version: '0', log });
  const bodies = createBodyStores({ log });
  const kernel = new Kernel({
    manifests: [{ ...notesManifest(), quotas: async () => QUOTAS }],
    settings: defaultSettings({ values: { ...values } }),
    log,
    bodies: bodies.open,
    ...(persistence && { persistence }),
  });
  try {
    await kernel.start();
  } catch (error) {
    await kernel.close();
    throw error;
  }
  return Object.assign(kernel, { [Symbol.asyncDispose]: () => kernel.close() });
}

const HERE = { accountId: '123456789012', region: 'us-east-1' };
type Call = (operation: string, name?: string, place?: Partial<typeof HERE>) => Promise<string>;

/** Returns the results of calls of the notes service: the error code, or `ok`. */
const calls =
  (kernel: KernelType): Call =>
  (operation, Name = 'a', place = {}) =>
    kernel
      .callJson('notes', operation, operation === 'ListNotes' ? {} : { Name, Text: 'x' }, { ...HERE, ...place })
      .then(
        () => 'ok',
        (error: { code: string }) => error.code,
      );

const numberOfNotes = async (kernel: KernelType) => (await kernel.quotas.find('notes', 'L-00000001'))!;

describe('a quota of number', () => {
  test('is not enforced by default', async () => {
    await using kernel = await start();
    const call = calls(kernel);
    for (const name of ['a', 'b', 'c', 'd']) expect(await call('PutNote', name)).toBe('ok');
    expect(kernel.quotas.active).toBe(false);
    const quota = await numberOfNotes(kernel);
    expect(kernel.quotas.state(quota, HERE.accountId, HERE.region)).toEqual({
      defaultValue: 2,
      appliedValue: 2,
      usage: 4,
      enforced: false,
    });
  });

  test.each<[string, Values]>([
    ['all are', { EMULATOR_ENFORCE_QUOTAS: true }],
    ['it is named', { EMULATOR_ENFORCE_QUOTA: ['notes/L-00000001'] }],
  ])('rejects one more if %s enforced, in each account and region', async (_, values) => {
    await using kernel = await start(values);
    const call = calls(kernel);
    expect([await call('PutNote', 'a'), await call('PutNote', 'b')]).toEqual(['ok', 'ok']);
    expect(await call('PutNote', 'c')).toBe('TooManyNotes');
    expect(await call('PutNote', 'b')).toBe('ok');
    expect(await call('PutNote', 'c', { region: 'eu-west-1' })).toBe('ok');
    expect(await call('PutNote', 'c', { accountId: '111122223333' })).toBe('ok');
  });

  test('is ignored by name, even if all others are enforced', async () => {
    await using kernel = await start({
      EMULATOR_ENFORCE_QUOTAS: true,
      EMULATOR_ENFORCE_QUOTA: ['notes/L-00000001'],
      EMULATOR_IGNORE_QUOTA: ['notes/L-00000001'],
    });
    const call = calls(kernel);
    for (const name of ['a', 'b', 'c']) expect(await call('PutNote', name)).toBe('ok');
  });

  test('applies at its applied value, even below the current number', async () => {
    await using kernel = await start({ EMULATOR_ENFORCE_QUOTAS: true });
    const call = calls(kernel);
    const quota = await numberOfNotes(kernel);
    await kernel.quotas.setValue(quota, HERE.accountId, HERE.region, 3);
    for (const name of ['a', 'b', 'c']) expect(await call('PutNote', name)).toBe('ok');
    expect(await call('PutNote', 'd')).toBe('TooManyNotes');
    await kernel.quotas.setValue(quota, HERE.accountId, HERE.region, 0);
    expect(await call('PutNote', 'd')).toBe('TooManyNotes');
    expect(await call('PutNote', 'a', { region: 'eu-west-1' })).toBe('ok');
    await kernel.quotas.setValue(quota, HERE.accountId, HERE.region, undefined);
    expect(kernel.quotas.state(quota, HERE.accountId, HERE.region).appliedValue).toBe(2);
  });

  test('can be enforced and ignored while the emulator runs, also for one account', async () => {
    await using kernel = await start();
    const call = calls(kernel);
    const quota = await numberOfNotes(kernel);
    for (const name of ['a', 'b']) await call('PutNote', name);
    await kernel.quotas.override(quota, HERE.accountId, true);
    expect(await call('PutNote', 'c')).toBe('TooManyNotes');
    for (const name of ['a', 'b', 'c']) expect(await call('PutNote', name, { accountId: '111122223333' })).toBe('ok');
    await kernel.quotas.override(quota, undefined, false);
    await kernel.quotas.setEnforcement({ enforceAll: true });
    expect(await call('PutNote', 'c')).toBe('TooManyNotes');
    expect(kernel.quotas.enforcement.overrides).toHaveLength(2);
    await kernel.quotas.override(quota, HERE.accountId, undefined);
    expect(await call('PutNote', 'c')).toBe('ok');
  });
});

describe('a rate', () => {
  test('allows the requests of a second, and more with time', async () => {
    await using kernel = await start({ EMULATOR_ENFORCE_QUOTAS: true });
    kernel.clock.freeze();
    const call = calls(kernel);
    expect([await call('ListNotes'), await call('DeleteNote'), await call('ListNotes')]).toEqual([
      'ok',
      'ok',
      'Throttling',
    ]);
    expect(await call('DeleteNote', 'free')).toBe('ok');
    expect(await call('ListNotes', '', { region: 'eu-west-1' })).toBe('ok');
    await kernel.clock.advance(500);
    expect([await call('ListNotes'), await call('ListNotes')]).toEqual(['ok', 'Throttling']);
  });

  test('counts calls of other services only if the service declares it', async () => {
    await using kernel = await start({ EMULATOR_ENFORCE_QUOTAS: true });
    kernel.clock.freeze();
    const call = calls(kernel);
    for (let n = 0; n < 3; n++) expect(await call('GetBody')).toBe('ok');
  });

  test('is never filled above its capacity, nor by a clock that is set back', () => {
    const buckets = new TokenBuckets();
    const take = (now: number, tokens = 1, size = 2) => buckets.take('a', tokens, 2, size, now);
    expect([take(0), take(0), take(0)]).toEqual([true, true, false]);
    expect([take(-5000), take(-5000)]).toEqual([false, false]);
    expect([take(60_000), take(60_000), take(60_000)]).toEqual([true, true, false]);
    // A request above the capacity waits for a full bucket and leaves it in debt.
    expect([take(90_000, 4), take(90_500), take(92_000)]).toEqual([true, false, true]);
    expect(take(120_000, 1, 0)).toBe(false);
  });
});

test("a service's own limit is infinite if it is not enforced", async () => {
  await using free = await start();
  const { accountId, region } = HERE;
  const service = await free.service('notes');
  expect(service.quotaLimit(WIDTH, accountId, region)).toBe(Number.POSITIVE_INFINITY);
  expect(service.quotaValue(WIDTH, accountId, region)).toBe(7);
  await using bound = await start({ EMULATOR_ENFORCE_QUOTA: ['notes/L-00000003'] });
  expect((await bound.service('notes')).quotaLimit(WIDTH, accountId, region)).toBe(7);
});

test.each([
  [{ EMULATOR_ENFORCE_QUOTA: ['notes/L-00000009'] }, '--enforce-quota (EMULATOR_ENFORCE_QUOTA)'],
  [{ EMULATOR_IGNORE_QUOTA: ['notes/L-00000009'] }, '--ignore-quota (EMULATOR_IGNORE_QUOTA)'],
])('an unknown quota aborts the start: %j', async (values, by) => {
  await expect(start(values)).rejects.toThrow(
    `${by} names notes/L-00000009, which emu cannot enforce; did you mean notes/L-00000001?`,
  );
});

test('services and the embedding program read quotas by their capability', async () => {
  await using kernel = await start();
  const directory = await (await kernel.service('notes')).capability(quotaDirectory);
  expect((await directory!.list()).map(({ service, code }) => [service, code])).toEqual([
    ['notes', 'L-00000001'],
    ['notes', 'L-00000002'],
    ['notes', 'L-00000003'],
    ['notes', 'L-00000004'],
  ]);
  expect(await directory!.find('notes', 'L-00000009')).toBeUndefined();
});

describe('applied values', () => {
  const applied = async (kernel: KernelType) =>
    kernel.quotas.state(await numberOfNotes(kernel), HERE.accountId, HERE.region).appliedValue;

  test('survive a restart', async () => {
    const path = await temporaryDirectory();
    {
      await using first = await start({}, path);
      await first.quotas.setValue(await numberOfNotes(first), HERE.accountId, HERE.region, 9);
    }
    await using second = await start({}, path);
    expect(await applied(second)).toBe(9);
  });

  test('are removed by a reset of everything or of the account, and restored by a checkpoint', async () => {
    await using kernel = await start();
    const quota = await numberOfNotes(kernel);
    await kernel.quotas.setValue(quota, HERE.accountId, HERE.region, 9);
    using checkpoint = kernel.snapshot();
    await kernel.reset(undefined, '111122223333');
    expect(await applied(kernel)).toBe(9);
    await kernel.reset(undefined, HERE.accountId);
    expect(await applied(kernel)).toBe(2);
    await kernel.restore(checkpoint);
    expect(await applied(kernel)).toBe(9);
    await kernel.reset();
    expect(await applied(kernel)).toBe(2);
  });
});
