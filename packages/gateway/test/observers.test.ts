import {
  type AnsweredRequest,
  definePlugin,
  type Observation,
  type OperationContext,
  type ServiceCaller,
} from '@emu/core/service';
import { awsError } from '@emu/wire';
import { expect, test } from 'vitest';
import { createTestEmulator, manifestOf, type TestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

/** The notes service, whose `Open` calls two operations of its own service and whose `WhoAmI` fails. */
const calling = {
  ...notesPlugin,
  operations: {
    ...notesPlugin.operations,
    Open: async (_: unknown, ctx: OperationContext) => {
      await ctx.callJson('notes', 'PutNote', { Name: 'called' });
      return ctx.callJson('notes', 'WhoAmI', {});
    },
    WhoAmI: () => {
      throw awsError('NoSuchNote', 'There is none.', { status: 404 });
    },
  },
};

/** A service that only observes. */
function watcher(
  observation: Observation | undefined,
  observe: (request: AnsweredRequest, handle: ServiceCaller) => void | Promise<void>,
) {
  const plugin = definePlugin({
    ...notesPlugin,
    name: 'watcher',
    model: { ...notesPlugin.model, service: 'watcher' },
    collections: [],
    createState: () => undefined,
    control: [],
    operations: [],
    observe,
  } as never);
  const known = { name: 'watcher', signingNames: ['watcher'], hostNames: ['watcher'] };
  return { ...known, load: async () => plugin, observes: () => observation };
}

const start = (
  observation: Observation | undefined,
  observe: (request: AnsweredRequest, handle: ServiceCaller) => void | Promise<void>,
): Promise<TestEmulator> => createTestEmulator({ manifests: [manifestOf(calling), watcher(observation, observe)] });

const send = (emulator: TestEmulator, operation: string, input: object = {}) =>
  emulator.gateway.handle(request({ headers: call(operation), body: JSON.stringify(input) }));

test('observers before the response get requests, and calls of their operations, with their outcomes', async () => {
  const seen: AnsweredRequest[] = [];
  await using emulator = await start({ requests: 'all', when: 'before-answer' }, async (answered) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(answered);
  });
  const { status } = await send(emulator, 'Open');
  expect(status).toBe(404);
  expect(seen.map(({ service, operation, status, errorCode }) => [service, operation, status, errorCode])).toEqual([
    ['notes', 'PutNote', 200, undefined],
    ['notes', 'WhoAmI', 404, 'NoSuchNote'],
    ['notes', 'Open', 404, 'NoSuchNote'],
  ]);
  const [put, , open] = seen;
  expect(open).toMatchObject({ cause: undefined, via: undefined, target: '/', http: { method: 'POST' } });
  expect(put).toMatchObject({ cause: open!.requestId, via: 'notes', http: undefined, input: { Name: 'called' } });
});

test('observers after the response delay nothing, and fail alone', async () => {
  const seen: string[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const emulator = await start({ requests: 'all', when: 'after-answer' }, async ({ operation }) => {
    seen.push(operation);
    await held;
    throw new Error('cannot take notes');
  });
  const errors: string[] = [];
  emulator.kernel.log.error = (message) => void errors.push(message);
  const { status } = await send(emulator, 'PutNote', { Name: 'a' });
  expect(status).toBe(200);
  expect(seen).toEqual([]);
  await expect.poll(() => seen).toEqual(['PutNote']);
  const closing = emulator.close();
  expect(errors).toEqual([]);
  release();
  await closing;
  expect(errors).toEqual(['watcher failed to observe a request']);
});

test('the failure of an observer before the response fails the request', async () => {
  await using emulator = await start({ requests: 'all', when: 'before-answer' }, () => {
    throw awsError('AccessDenied', 'The trail is full.', { status: 403 });
  });
  const answer = await send(emulator, 'PutNote', { Name: 'a' });
  expect(answer.status).toBe(403);
  expect(await textOf(answer)).toContain('The trail is full.');
  await expect(emulator.kernel.callJson('notes', 'PutNote', { Name: 'a' })).rejects.toThrow('The trail is full.');
});

test('observers do not get their own calls, or requests of others outside of their subscription', async () => {
  const seen: string[] = [];
  await using all = await start({ requests: 'all', when: 'after-answer' }, async ({ operation }, handle) => {
    seen.push(operation);
    await handle.callJson('notes', 'GetNote', { Name: 'a' });
  });
  await send(all, 'PutNote', { Name: 'a' });
  await all.kernel.observers.settled();
  expect(seen).toEqual(['PutNote']);
  await using own = await start(
    { requests: 'own', when: 'before-answer' },
    ({ operation }) => void seen.push(operation),
  );
  await send(own, 'PutNote', { Name: 'a' });
  await using off = await start(undefined, ({ operation }) => void seen.push(operation));
  expect(off.kernel.observers.active).toBe(false);
  await send(off, 'PutNote', { Name: 'a' });
  expect(seen).toEqual(['PutNote']);
});
