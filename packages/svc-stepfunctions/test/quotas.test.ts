import { enforceQuota, refusal } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { ROLE, startSfn } from './support.ts';

const WAITS = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 60, End: true } } };
const nameOf = async (request: Promise<unknown>) => (await refusal(request)).name;

test('limits state machines and activities, but not repeated requests', async () => {
  await using t = await startSfn();
  const make = (name: string) =>
    t.sfn.createStateMachine({ name, roleArn: ROLE, definition: JSON.stringify(WAITS), type: 'STANDARD' });
  const { stateMachineArn } = await make('one');
  await t.sfn.createActivity({ name: 'one' });
  await enforceQuota(t.emulator, 'states/L-B66B0F91', 1);
  await enforceQuota(t.emulator, 'states/L-A9562A73', 1);
  expect(await nameOf(make('two'))).toBe('StateMachineLimitExceeded');
  expect(await nameOf(t.sfn.createActivity({ name: 'two' }))).toBe('ActivityLimitExceeded');
  await make('one');
  await t.sfn.createActivity({ name: 'one' });
  await t.sfn.deleteStateMachine({ stateMachineArn });
  await make('two');
});

test('limits running executions and their rate', async () => {
  await using t = await startSfn();
  const machine = await t.machine(WAITS);
  await enforceQuota(t.emulator, 'states/L-B8A5B662', 1);
  await t.start(machine);
  expect(await nameOf(t.start(machine))).toBe('ExecutionLimitExceeded');
  await t.advance(60_000);
  await t.start(machine);
  await enforceQuota(t.emulator, 'states/L-9E82C0BD', 1);
  for (let request = 0; request < 100; request++) await t.sfn.listStateMachines({});
  const refused = await refusal(t.sfn.listStateMachines({}));
  expect([refused.name, refused.message]).toEqual(['ThrottlingException', 'Rate exceeded']);
  await t.advance(1000);
  await t.sfn.listStateMachines({});
});
