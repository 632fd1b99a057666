import { type Benchmark, withServers } from './compare.ts';
import { invoke, medianOf, startFunctions } from './lambda.ts';
import { alternate, type Figure, median } from './measure.ts';
import { call, load, type Server, startEmu } from './processes.ts';
import { states } from './requests.ts';

const roleArn = 'arn:aws:iam::123456789012:role/states';

/** Creates a state machine. @returns its ARN */
async function machine(server: Server, definition: object, type: 'EXPRESS' | 'STANDARD' = 'STANDARD'): Promise<string> {
  const input = { name: 'bench', definition: JSON.stringify(definition), roleArn, type };
  return (await call(server, states('CreateStateMachine', input))).stateMachineArn as string;
}

const beside = (value: number, reference: number, target: NonNullable<Figure['target']>) => ({
  value,
  reference,
  ratio: value / reference,
  target,
  rounds: 1,
});

const PASSES = 10;
/** Target of Express executions per second. */
const EXPRESS = 1000;

/** Express executions of ten Pass states per second. */
const express: Benchmark = ({ rounds, seconds }) =>
  withServers([startEmu()], async (emu) => {
    const passes = Array.from({ length: PASSES }, (_, index) => [
      `P${index}`,
      { Type: 'Pass', ...(index === PASSES - 1 ? { End: true } : { Next: `P${index + 1}` }) },
    ]);
    const stateMachineArn = await machine(emu!, { StartAt: 'P0', States: Object.fromEntries(passes) }, 'EXPRESS');
    const start = states('StartSyncExecution', { stateMachineArn, input: '{"a":1}' });
    const measure = async (): Promise<number> => (await load(emu!, [start], { seconds })).perSecond;
    await measure();
    const figures = await alternate(rounds, measure, async () => EXPRESS);
    const name = 'express executions of ten Pass states, beside the figure aimed at';
    return [{ name, unit: 'executions/s', target: { atLeast: 1 }, ...figures }];
  });

/** Milliseconds that an execution may add to an invocation of its task's function. */
const TASK_TIME = 5;
const TASKS = 200;

/** Sequential Standard executions of one task that invokes a function, measured by their own times. */
const lambdaTask: Benchmark = ({ rounds }) =>
  withServers([startFunctions()], async (emu) => {
    const Resource = 'arn:aws:states:::lambda:invoke';
    const Parameters = { FunctionName: 'echo', 'Payload.$': '$' };
    const stateMachineArn = await machine(emu!, {
      StartAt: 'T',
      States: { T: { Type: 'Task', Resource, Parameters, End: true } },
    });
    const start = states('StartExecution', { stateMachineArn, input: '{"a":1}' });
    const once = async (): Promise<number> => {
      const { executionArn } = await call(emu!, start);
      return (await ended(emu!, executionArn, 2)) * 1000;
    };
    const measure = async (): Promise<number> => {
      const times: number[] = [];
      while (times.length < TASKS) times.push(await once());
      // The times are whole milliseconds, so a mean is more precise than a median; outliers from other work are
      // excluded.
      const usual = 4 * Math.max(1, median(times));
      const kept = times.filter((time) => time <= usual);
      return kept.reduce((sum, time) => sum + time, 0) / kept.length;
    };
    await measure();
    const figures = await alternate(rounds, measure, async () => (await medianOf(emu!, invoke, TASKS)) + TASK_TIME);
    const name = `a standard execution of a Lambda task, beside an invocation and ${TASK_TIME} ms`;
    return [{ name, unit: 'ms', target: { atMost: 1 }, ...figures }];
  });

/**
 * Waits until an execution has succeeded, with a poll interval in milliseconds.
 * @returns its duration in seconds
 */
async function ended(server: Server, executionArn: unknown, pause: number): Promise<number> {
  const describe = states('DescribeExecution', { executionArn, includedData: 'METADATA_ONLY' });
  for (;;) {
    const { status, startDate, stopDate } = await call(server, describe);
    if (status === 'SUCCEEDED') return (stopDate as number) - (startDate as number);
    if (status !== 'RUNNING') throw new Error(`the execution has ended as ${String(status)}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const ITEMS = 10_000;
/** Limit of a distributed Map in milliseconds, by number of items. */
const MAP_TIME = 10_000;

/** A distributed Map of ten thousand Pass states. */
const distributed: Benchmark = () =>
  withServers([startEmu()], async (emu) => {
    const pass = { StartAt: 'P', States: { P: { Type: 'Pass', Result: 1, End: true } } };
    const ItemProcessor = { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...pass };
    const stateMachineArn = await machine(emu!, {
      StartAt: 'M',
      States: { M: { Type: 'Map', ItemProcessor, End: true } },
    });
    const input = JSON.stringify(Array.from({ length: ITEMS }, (_, index) => index));
    const started = performance.now();
    const { executionArn } = await call(emu!, states('StartExecution', { stateMachineArn, input }));
    await ended(emu!, executionArn, 50);
    const name = 'a distributed Map of 10,000 Pass states, beside the limit';
    return [{ name, unit: 'ms', ...beside(performance.now() - started, MAP_TIME, { atMost: 1 }) }];
  });

const WAITING = 10_000;
/** Limit of a waiting execution in kibibytes. */
const WAITING_MEMORY = 10;

/** Memory of waiting executions. */
const waiting: Benchmark = () =>
  withServers([startEmu()], async (emu) => {
    const stateMachineArn = await machine(emu!, {
      StartAt: 'W',
      States: { W: { Type: 'Wait', Seconds: 86_400, End: true } },
    });
    const start = states('StartExecution', { stateMachineArn, input: '{"a":1}' });
    // Memory allocated by the first requests does not belong to executions.
    for (let count = 0; count < WAITING / 10; count++) await call(emu!, start);
    const before = emu!.memory();
    for (let count = 0; count < WAITING; count++) await call(emu!, start);
    const value = (emu!.memory() - before) / WAITING / 1024;
    const name = 'memory of one of 10,000 waiting executions, beside the limit';
    return [{ name, unit: 'KiB', ...beside(value, WAITING_MEMORY, { atMost: 1 }) }];
  });

/** Benchmarks of executions by name. */
export const stepfunctionsBenchmarks: Readonly<Record<string, Benchmark>> = {
  'states-express': express,
  'states-lambda': lambdaTask,
  'states-map': distributed,
  'states-waiting': waiting,
};
