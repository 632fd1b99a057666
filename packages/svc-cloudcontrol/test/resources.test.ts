import { CloudControl, type ProgressEvent } from '@aws-sdk/client-cloudcontrol';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { FIXED, failureOf, Store, TYPE } from './support.ts';

const store = new Store();
const NONE = 'Shop::Store::None';
const NOT_THERE = `TypeNotFoundException: The type '${NONE}' cannot be found.`;

let emulator: TestEmulator;
let control: CloudControl;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [manifest, store.manifest],
    settings: { accountId: '123456789012', region: 'us-east-1' },
  });
  control = new CloudControl(emulator.clientConfig());
});
afterAll(() => emulator.close());
afterEach(() => {
  store.things.clear();
  store.hold = false;
});

/** Waits for the result of a request. */
async function end({ ProgressEvent }: { ProgressEvent?: ProgressEvent | undefined }): Promise<ProgressEvent> {
  const RequestToken = ProgressEvent!.RequestToken!;
  const status = async () => (await control.getResourceRequestStatus({ RequestToken })).ProgressEvent!;
  await expect.poll(async () => (await status()).OperationStatus, { interval: 5 }).not.toBe('IN_PROGRESS');
  return status();
}

const create = (DesiredState: object, more = {}) =>
  control.createResource({ TypeName: TYPE, DesiredState: JSON.stringify(DesiredState), ...more });
const get = async (Identifier: string) =>
  JSON.parse((await control.getResource({ TypeName: TYPE, Identifier })).ResourceDescription!.Properties!);

describe('a resource', () => {
  test('is created, read, updated and deleted', async () => {
    const begun = await create({ Name: 'one', Size: 1, Secret: 'x' });
    expect(begun.ProgressEvent).toMatchObject({
      TypeName: TYPE,
      Identifier: 'one',
      Operation: 'CREATE',
      OperationStatus: 'IN_PROGRESS',
      EventTime: expect.any(Date),
    });
    expect(await end(begun)).toMatchObject({ OperationStatus: 'SUCCESS', Identifier: 'one' });
    expect(await get('one')).toEqual({ Name: 'one', Size: 1, Arn: 'arn:aws:shop:::one' });
    expect(await get('{"Name":"one"}')).toMatchObject({ Size: 1 });
    const PatchDocument = JSON.stringify([
      { op: 'replace', path: '/Size', value: 2 },
      { op: 'add', path: '/Colours', value: ['red'] },
    ]);
    const changed = await control.updateResource({ TypeName: TYPE, Identifier: 'one', PatchDocument });
    expect(await end(changed)).toMatchObject({ Operation: 'UPDATE', OperationStatus: 'SUCCESS' });
    expect(store.things.get('one')).toEqual({ Name: 'one', Size: 2, Colours: ['red'] });
    const deleted = await end(await control.deleteResource({ TypeName: TYPE, Identifier: 'one' }));
    expect(deleted).toMatchObject({ Operation: 'DELETE', OperationStatus: 'SUCCESS', Identifier: 'one' });
    expect(await failureOf(get('one'))).toMatch(
      /^ResourceNotFoundException: Shop::Store::Thing Handler returned status FAILED: .*\(HandlerErrorCode: NotFound, /,
    );
  });

  test('receives a generated name', async () => {
    const { Identifier } = await end(await create({ Size: 1 }));
    expect(Identifier).toMatch(/^[A-Za-z0-9]{12}$/);
    expect(store.things.get(Identifier!)).toEqual({ Name: Identifier, Size: 1 });
  });

  test("fails with the handler's code and the service's message", async () => {
    await end(await create({ Name: 'one' }));
    expect(await end(await create({ Name: 'one' }))).toMatchObject({
      OperationStatus: 'FAILED',
      ErrorCode: 'AlreadyExists',
      StatusMessage: 'The thing one exists.',
    });
    const gone = await end(await control.deleteResource({ TypeName: TYPE, Identifier: 'none' }));
    expect(gone).toMatchObject({ OperationStatus: 'FAILED', ErrorCode: 'NotFound' });
  });

  test.each([
    ['ValidationException: Model validation failed (#: extraneous key [Weight] is not permitted)', { Weight: 1 }],
    ['ValidationException: Model validation failed (#/Name: expected type: String, found: Boolean)', { Name: true }],
    [
      'ValidationException: Model validation failed (#/Colours/0: expected type: String, found: Integer)',
      { Colours: [1] },
    ],
    ['NotImplemented: emu does not implement cloudcontrol.the properties Later of Shop::Store::Thing.', { Later: 'x' }],
  ])('is rejected: %s', async (message, state) => {
    expect(await failureOf(create(state))).toBe(message);
    expect(store.things.size).toBe(0);
  });

  test('rejects invalid JSON, unknown types and versions', async () => {
    const wrong = { TypeName: TYPE, DesiredState: '[' };
    expect(await failureOf(control.createResource(wrong))).toBe('ValidationException: DesiredState is not valid JSON.');
    for (const request of [
      control.createResource({ TypeName: NONE, DesiredState: '{}' }),
      control.deleteResource({ TypeName: NONE, Identifier: 'x' }),
      control.getResource({ TypeName: NONE, Identifier: 'x' }),
      control.listResources({ TypeName: NONE }),
      control.updateResource({ TypeName: NONE, Identifier: 'x', PatchDocument: '[]' }),
    ])
      expect(await failureOf(request)).toBe(NOT_THERE);
    expect(await failureOf(create({}, { TypeVersionId: '00000001' }))).toMatch(/^TypeNotFoundException/);
  });

  test('is created as a role', async () => {
    await end(await create({ Name: 'one' }, { RoleArn: 'arn:aws:iam::123456789012:role/team/deploy' }));
    expect(store.callers.at(-1)).toBe('arn:aws:sts::123456789012:assumed-role/deploy/AWSCloudControlAPI');
  });
});

describe('a patch', () => {
  const update = (operations: unknown, TypeName = TYPE) =>
    control.updateResource({ TypeName, Identifier: 'one', PatchDocument: JSON.stringify(operations) });
  const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

  test.each([
    [
      'NotUpdatableException: Invalid patch update: createOnlyProperties [/properties/Name] cannot be updated',
      replace('/Name', 'two'),
    ],
    [
      'NotUpdatableException: Invalid patch update: readOnlyProperties [/properties/Arn] cannot be updated',
      replace('/Arn', 'x'),
    ],
    [
      'ValidationException: Invalid patch document: it is not a list of patch operations.',
      [{ op: 'grow', path: '/Size' }],
    ],
    [
      'ValidationException: Invalid patch document: MissingError: Value required at path: /Weight',
      [{ op: 'remove', path: '/Weight' }],
    ],
    [
      'ValidationException: Model validation failed (#/Size: expected type: Integer, found: String)',
      replace('/Size', 'x'),
    ],
  ])('is rejected: %s', async (message, operations) => {
    await end(await create({ Name: 'one', Size: 1 }));
    expect(await failureOf(update(operations))).toContain(message.split(': Value')[0]);
    expect(store.things.get('one')).toEqual({ Name: 'one', Size: 1 });
  });

  test('is rejected if its copies grow exponentially or its properties are nested too deeply', async () => {
    await end(await create({ Name: 'one' }));
    const add = (path: string, value: unknown) => ({ op: 'add', path, value });
    const copies = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/Colours', path: '/Colours/-' }));
    expect(await failureOf(update([add('/Colours', ['x']), ...copies]))).toContain(
      'copies more than 262144 characters',
    );
    const levels = '/a'.repeat(400);
    const nested = JSON.parse('{"a":'.repeat(400) + '{}' + '}'.repeat(400));
    const deep = Array.from({ length: 20 }, (_, at) => add(`/Later${levels.repeat(at)}`, nested));
    expect(await failureOf(update(deep))).toContain('nested too deeply');
  });

  test('is rejected for unknown resources and for types that cannot be updated', async () => {
    expect(await failureOf(update([]))).toMatch(/^ResourceNotFoundException/);
    expect(await failureOf(update([], FIXED))).toBe(
      `UnsupportedActionException: Resource type ${FIXED} does not support UPDATE action`,
    );
    const PatchDocument = '{';
    expect(await failureOf(control.updateResource({ TypeName: TYPE, Identifier: 'one', PatchDocument }))).toMatch(
      /^ResourceNotFoundException/,
    );
  });
});

test('lists resources with their identifiers, in pages', async () => {
  for (const Name of ['a', 'b', 'c']) await end(await create({ Name, Size: 1 }));
  const { ResourceDescriptions, NextToken, TypeName } = await control.listResources({ TypeName: TYPE, MaxResults: 2 });
  expect([TypeName, ResourceDescriptions]).toEqual([
    TYPE,
    [
      { Identifier: 'a', Properties: '{"Name":"a"}' },
      { Identifier: 'b', Properties: '{"Name":"b"}' },
    ],
  ]);
  const rest = await control.listResources({ TypeName: TYPE, MaxResults: 2, NextToken });
  expect(rest.ResourceDescriptions!.map(({ Identifier }) => Identifier)).toEqual(['c']);
  const only = await control.listResources({ TypeName: TYPE, ResourceModel: '{"Name":"b"}' });
  expect(only.ResourceDescriptions).toHaveLength(1);
  expect(await failureOf(control.listResources({ TypeName: FIXED }))).toBe(
    `UnsupportedActionException: Resource type ${FIXED} does not support LIST action`,
  );
  expect(await failureOf(control.listResources({ TypeName: TYPE, NextToken: 'x' }))).toMatch(/^ValidationException/);
});

describe('requests', () => {
  test('have unique client tokens', async () => {
    const ClientToken = 'once';
    const first = await create({ Name: 'one' }, { ClientToken });
    const { RequestToken } = await end(first);
    expect(await failureOf(create({ Name: 'one' }, { ClientToken }))).toBe(
      `ClientTokenConflictException: ClientToken once is already associated with an existing operation with RequestToken ${RequestToken}`,
    );
  });

  test('for one resource run one after the other', async () => {
    await end(await create({ Name: 'one' }));
    store.hold = true;
    const begun = await create({ Name: 'two' });
    const deleting = control.deleteResource({ TypeName: TYPE, Identifier: 'two' });
    expect(await failureOf(deleting)).toMatch(/^ConcurrentOperationException/);
    const { ProgressEvent } = await control.cancelResourceRequest({
      RequestToken: begun.ProgressEvent!.RequestToken,
    });
    expect(ProgressEvent!.OperationStatus).toBe('CANCEL_COMPLETE');
    expect((await control.cancelResourceRequest({ RequestToken: ProgressEvent!.RequestToken })).ProgressEvent).toEqual(
      ProgressEvent,
    );
    expect(store.things.has('two')).toBe(false);
  });

  test('are not cancelled after completion', async () => {
    const { RequestToken } = await end(await create({ Name: 'one' }));
    expect(await failureOf(control.cancelResourceRequest({ RequestToken }))).toBe(
      `ValidationException: Request ${RequestToken} is already in status SUCCESS`,
    );
  });

  test('are listed by operation and status', async () => {
    const { RequestToken } = await end(await create({ Name: 'one' }));
    await end(await create({ Name: 'one' }));
    const list = async (filter: object) =>
      (await control.listResourceRequests({ ResourceRequestStatusFilter: filter })).ResourceRequestStatusSummaries!;
    const made = await list({ Operations: ['CREATE'], OperationStatuses: ['SUCCESS'] });
    expect(made.map((request) => request.RequestToken)).toContain(RequestToken);
    expect((await list({ OperationStatuses: ['FAILED'] })).every(({ ErrorCode }) => ErrorCode)).toBe(true);
    expect(await list({ OperationStatuses: ['PENDING'] })).toEqual([]);
    const page = await control.listResourceRequests({ MaxResults: 1 });
    expect(page.ResourceRequestStatusSummaries).toHaveLength(1);
    expect(await failureOf(control.listResourceRequests({ NextToken: 'abcd' }))).toMatch(/^ValidationException/);
  });

  test('are not found by unknown tokens', async () => {
    const RequestToken = 'DOESNOTEXIST';
    const message = `RequestTokenNotFoundException: Request with token ${RequestToken} was not found`;
    expect(await failureOf(control.getResourceRequestStatus({ RequestToken }))).toBe(message);
    expect(await failureOf(control.cancelResourceRequest({ RequestToken }))).toBe(message);
  });
});
