import { type CreateScheduleInput, Scheduler } from '@aws-sdk/client-scheduler';
import type { OperationContext } from '@emu/core/service';
import {
  createTestEmulator,
  fakeService,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Time at the start of each test. */
export const START = '2026-01-01T00:00:00Z';

export const ROLE = `arn:aws:iam::${ACCOUNT}:role/run`;
export const QUEUE = `arn:aws:sqs:${REGION}:${ACCOUNT}:work`;
export const DEAD = `arn:aws:sqs:${REGION}:${ACCOUNT}:dead`;
/** ARN of a schedule in the default account and region. */
export const arnOf = (name: string, group = 'default'): string =>
  `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${group}/${name}`;

/** A valid daily schedule with a queue as its target. */
export const schedule = (more: Partial<CreateScheduleInput> = {}): CreateScheduleInput => ({
  Name: 's',
  ScheduleExpression: 'cron(0 12 * * ? *)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target: { Arn: QUEUE, RoleArn: ROLE },
  ...more,
});

/** A request that a service received. */
export interface SeenCall {
  service: string;
  operation: string;
  input: Record<string, unknown>;
  /** Account, region and principal of the request. */
  place: string;
  principal: string;
  /** Emulated time in ISO 8601, to the second. */
  at: string;
}

/** Test environment. Time passes only when the test advances it. */
export interface SchedulerTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly scheduler: Scheduler;
  client(options?: TestClientOptions): Scheduler;
  /** Requests that the target services received. */
  readonly calls: SeenCall[];
  /** Errors that the target services throw, by service. */
  readonly failures: Map<string, () => Error | undefined>;
  /** Creates a schedule. */
  create(more?: Partial<CreateScheduleInput>): Promise<string>;
  /** Advances the clock by milliseconds and runs the timers that are due. */
  advance(milliseconds: number): Promise<void>;
  /** Returns the times of the requests so far and clears them. */
  times(): string[];
}

/** Target services and their operations. */
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  sqs: ['SendMessage', 'CreateQueue'],
  sns: ['Publish'],
  lambda: ['Invoke'],
  stepfunctions: ['StartExecution'],
  events: ['PutEvents'],
  kinesis: ['PutRecord'],
  firehose: ['PutRecord'],
  ecs: ['RunTask'],
};

/** Starts an emulator with the scheduler and fake target services. */
export async function startScheduler(options: TestEmulatorOptions = {}): Promise<SchedulerTest> {
  const calls: SeenCall[] = [];
  const failures: SchedulerTest['failures'] = new Map();
  const now = () => emulator.kernel.clock.now();
  const fakes = Object.entries(BEHIND).map(([service, operations]) =>
    fakeService(
      service,
      Object.fromEntries(
        operations.map((operation) => [
          operation,
          (input: Record<string, unknown>, { accountId, region, principal }: OperationContext) => {
            const place = `${accountId} ${region}`;
            calls.push({
              service,
              operation,
              input,
              place,
              principal: principal.arn,
              at: new Date(now()).toISOString().slice(0, 19),
            });
            const failure = failures.get(service)?.();
            if (failure) throw failure;
            return {};
          },
        ]),
      ),
    ),
  );
  const emulator = await createTestEmulator({
    manifests: [manifest, ...fakes],
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
  });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.set(Date.parse(START));
  const client = (settings?: TestClientOptions) =>
    new Scheduler({ ...emulator.clientConfig(settings), maxAttempts: 1 });
  const scheduler = client();
  return {
    emulator,
    scheduler,
    client,
    calls,
    failures,
    create: async (more) => (await scheduler.createSchedule(schedule(more))).ScheduleArn!,
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    times: () => calls.splice(0).map(({ at }) => at),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Returns code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
