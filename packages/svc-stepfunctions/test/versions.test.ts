import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from './support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn();
});
afterAll(() => t[Symbol.asyncDispose]());

const definition = JSON.stringify({ StartAt: 'S', States: { S: { Type: 'Succeed' } } });

/** Creates a state machine with a version. */
async function published(name: string) {
  const input = { name, roleArn: ROLE, definition, publish: true, tracingConfiguration: { enabled: true } };
  const { stateMachineArn, stateMachineVersionArn } = await t.sfn.createStateMachine(input);
  return { machine: stateMachineArn!, version: stateMachineVersionArn! };
}

const all = (stateMachineVersionArn: string) => [{ stateMachineVersionArn, weight: 100 }];

test('an alias routes to versions of one state machine', async () => {
  const [one, two] = [await published('one'), await published('two')];
  const routingConfiguration = [
    { stateMachineVersionArn: one.version, weight: 50 },
    { stateMachineVersionArn: two.version, weight: 50 },
  ];
  await expect(t.sfn.createStateMachineAlias({ name: 'both', routingConfiguration })).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('must contain versions of the same state machine'),
  });
  const created = await t.sfn.createStateMachineAlias({ name: 'live', routingConfiguration: all(one.version) });
  const stateMachineAliasArn = created.stateMachineAliasArn!;
  await expect(
    t.sfn.updateStateMachineAlias({ stateMachineAliasArn, routingConfiguration: all(two.version) }),
  ).rejects.toMatchObject({ name: 'ValidationException' });
  await expect(t.sfn.updateStateMachineAlias({ stateMachineAliasArn })).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('at least one of the description or routingConfiguration'),
  });
  await t.sfn.updateStateMachineAlias({ stateMachineAliasArn, description: '' });
  const { routingConfiguration: routes } = await t.sfn.describeStateMachineAlias({ stateMachineAliasArn });
  expect(routes).toEqual(all(one.version));
});

test('a version keeps the tracing and logging of its publication', async () => {
  const { machine, version } = await published('settings');
  const loggingConfiguration = { level: 'OFF' as const, includeExecutionData: true };
  const tracingConfiguration = { enabled: false };
  await t.sfn.updateStateMachine({ stateMachineArn: machine, tracingConfiguration, loggingConfiguration });
  expect(await t.sfn.describeStateMachine({ stateMachineArn: version })).toMatchObject({
    tracingConfiguration: { enabled: true },
    loggingConfiguration: { includeExecutionData: false },
  });
  expect(await t.sfn.describeStateMachine({ stateMachineArn: machine })).toMatchObject({
    tracingConfiguration,
    loggingConfiguration,
  });
});
