import { createEmulatorOf, type EmbeddedEmulator } from '@emu/emulator/plugins';
import { manifest as cloudwatch } from '@emu/svc-cloudwatch/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import type { Benchmark } from './compare.ts';
import { zipOf } from './lambda.ts';
import { alternate, type Figure, median } from './measure.ts';

type Call = EmbeddedEmulator['kernel']['call'];
const callOf = ({ kernel }: EmbeddedEmulator): Call => kernel.call.bind(kernel);

/** Measures the CPU time of work in microseconds. */
async function processorTime(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Measures two emulators in turns, after a warm-up of both. */
async function beside(
  rounds: number,
  [one, other]: readonly [EmbeddedEmulator, EmbeddedEmulator],
  measure: (emulator: EmbeddedEmulator) => Promise<number>,
): Promise<Pick<Figure, 'value' | 'reference' | 'ratio' | 'rounds'>> {
  await measure(one);
  await measure(other);
  return alternate(
    rounds,
    () => measure(one),
    () => measure(other),
  );
}

const TURNS = 20_000;
let queues = 0;
/** Requests of a turn: send, receive, delete. */
const CALLS = 3;

/** Cost of SQS's metrics for its hot requests, in-process, without other work. */
const metrics: Benchmark = async ({ rounds }) => {
  await using counting = await createEmulatorOf([sqs, cloudwatch]);
  await using silent = await createEmulatorOf([sqs]);
  const measure = async (emulator: EmbeddedEmulator): Promise<number> => {
    const run = callOf(emulator);
    const { QueueUrl } = await run('sqs', 'CreateQueue', { QueueName: `bench-${queues++}` });
    const url = QueueUrl!;
    const time = await processorTime(async () => {
      for (let turn = 0; turn < TURNS; turn++) {
        await run('sqs', 'SendMessage', { QueueUrl: url, MessageBody: 'hello' });
        const { Messages } = await run('sqs', 'ReceiveMessage', { QueueUrl: url });
        await run('sqs', 'DeleteMessage', { QueueUrl: url, ReceiptHandle: Messages![0]!.ReceiptHandle! });
      }
    });
    await run('sqs', 'DeleteQueue', { QueueUrl: url });
    return time / TURNS / CALLS;
  };
  const figures = await beside(rounds * 3, [counting, silent], measure);
  const name = 'SQS: a call that is counted for CloudWatch, beside one that is not';
  return [{ name, unit: 'µs', target: { atMost: 1.03 }, ...figures }];
};

const INVOCATIONS = 300;
const SOURCE =
  'exports.handler = async (event) => { console.log("line one"); console.log("line two"); return event; };';

/** Cost of writing a function's output to its log group for a warm invocation. */
const output: Benchmark = async ({ rounds }) => {
  const options = { settings: { EMULATOR_LAMBDA_BACKEND: 'process' } };
  await using logging = await createEmulatorOf([lambda, logs], options);
  await using silent = await createEmulatorOf([lambda], options);
  for (const emulator of [logging, silent])
    await callOf(emulator)('lambda', 'CreateFunction', {
      FunctionName: 'echo',
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Role: 'arn:aws:iam::123456789012:role/bench',
      Code: { ZipFile: zipOf('index.js', SOURCE) },
    });
  const measure = async (emulator: EmbeddedEmulator): Promise<number> => {
    const run = callOf(emulator);
    const times: number[] = [];
    for (let turn = 0; turn < INVOCATIONS; turn++) {
      const started = performance.now();
      await run('lambda', 'Invoke', { FunctionName: 'echo', Payload: Buffer.from('{}') });
      times.push(performance.now() - started);
    }
    return median(times);
  };
  const figures = await beside(rounds * 3, [logging, silent], measure);
  const name = 'Lambda: a warm invocation whose output is logged, beside one whose output is not';
  return [{ name, unit: 'ms', target: { atMost: 1.1 }, ...figures }];
};

/** Benchmarks of observers by name. */
export const observedBenchmarks: Readonly<Record<string, Benchmark>> = {
  'metrics-of-sqs': metrics,
  'logs-of-lambda': output,
};
