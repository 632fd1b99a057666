import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, REGION, type SfnTest, startSfn } from './support.ts';

let t: SfnTest;
let activityArn: string;
beforeAll(async () => {
  t = await startSfn();
  ({ activityArn } = (await t.sfn.createActivity({ name: 'work' })) as { activityArn: string });
});
afterAll(() => t[Symbol.asyncDispose]());

/** Takes tasks in order and ends each as specified. */
async function work(...ends: ((input: string) => unknown)[]): Promise<void> {
  for (const end of ends) {
    const { taskToken, input } = await t.sfn.getActivityTask({ activityArn });
    try {
      await t.sfn.sendTaskSuccess({ taskToken, output: JSON.stringify(end(input!)) });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await t.sfn.sendTaskFailure({ taskToken, error: 'Broken', cause: error.message });
    }
  }
}
const fails = (): never => {
  throw new TypeError('no luck');
};

const statusOf = async (executionArn: string) => (await t.sfn.describeExecution({ executionArn })).status;
const ended = (executionArn: string, status: string) => expect.poll(() => statusOf(executionArn)).toBe(status);
const outputOf = async (executionArn: string) =>
  JSON.parse((await t.sfn.describeExecution({ executionArn })).output!) as unknown;
const count = async (executionArn: string, type: string): Promise<number> =>
  (await t.events(executionArn)).filter((event) => event.type === type).length;

const task = () => ({ StartAt: 'Work', States: { Work: { Type: 'Task', Resource: activityArn, End: true } } });

test('retries failed branches of a Parallel state and keeps successful ones', async () => {
  const done = { StartAt: 'Done', States: { Done: { Type: 'Pass', Result: 'kept', End: true } } };
  const executionArn = await t.start(
    await t.machine({ StartAt: 'P', States: { P: { Type: 'Parallel', Branches: [done, task()], End: true } } }),
  );
  await work(fails);
  await ended(executionArn, 'FAILED');
  await t.sfn.redriveExecution({ executionArn });
  await work(() => 'worked');
  await ended(executionArn, 'SUCCEEDED');
  expect(await outputOf(executionArn)).toEqual(['kept', 'worked']);
  expect(await count(executionArn, 'PassStateEntered')).toBe(1);
  expect(await count(executionArn, 'ParallelStateStarted')).toBe(1);
  expect(await count(executionArn, 'ActivityScheduled')).toBe(2);
});

test('keeps successful iterations of a Map state', async () => {
  const definition = {
    StartAt: 'M',
    States: { M: { Type: 'Map', MaxConcurrency: 1, ItemProcessor: task(), End: true } },
  };
  const executionArn = await t.start(await t.machine(definition), [1, 2, 3]);
  await work((input) => `first ${input}`, fails);
  await ended(executionArn, 'FAILED');
  await t.sfn.redriveExecution({ executionArn });
  await work(
    (input) => `again ${input}`,
    (input) => `first ${input}`,
  );
  await ended(executionArn, 'SUCCEEDED');
  expect(await outputOf(executionArn)).toEqual(['first 1', 'again 2', 'first 3']);
});

test('keeps successful executions of a distributed Map and redrives its run', async () => {
  const processor = { ...task(), ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } };
  const definition = {
    StartAt: 'M',
    States: { M: { Type: 'Map', Label: 'L', MaxConcurrency: 1, ItemProcessor: processor, End: true } },
  };
  const executionArn = await t.start(await t.machine(definition), [1, 2, 3]);
  await work((input) => `first ${input}`, fails);
  await ended(executionArn, 'FAILED');
  const { mapRuns } = await t.sfn.listMapRuns({ executionArn });
  const { mapRunArn } = mapRuns![0]!;
  expect(await t.sfn.describeMapRun({ mapRunArn })).toMatchObject({ status: 'FAILED', redriveCount: 0 });
  const { redriveDate } = await t.sfn.redriveExecution({ executionArn });
  await work(
    (input) => `again ${input}`,
    (input) => `first ${input}`,
  );
  await ended(executionArn, 'SUCCEEDED');
  expect(await outputOf(executionArn)).toEqual(['first 1', 'again 2', 'first 3']);
  expect(await t.sfn.describeMapRun({ mapRunArn })).toMatchObject({
    status: 'SUCCEEDED',
    redriveCount: 1,
    redriveDate,
    executionCounts: { total: 3, succeeded: 3, failed: 0 },
  });
  const { executions } = await t.sfn.listExecutions({ mapRunArn, redriveFilter: 'REDRIVEN' });
  expect(executions).toMatchObject([{ status: 'SUCCEEDED', redriveCount: 1 }]);
  const redriven = (await t.events(executionArn)).find(({ type }) => type === 'MapRunRedriven');
  expect(redriven).toMatchObject({ mapRunRedrivenEventDetails: { mapRunArn, redriveCount: 1 } });
  expect(mapRunArn).toContain(`arn:aws:states:${REGION}:${ACCOUNT}:mapRun:`);
});
