import { SFN } from '@aws-sdk/client-sfn';
import { createTestEmulator, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

export const ACCOUNT = '111111111111';
export const REGION = 'us-east-1';
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/states`;

/** An event without values that differ by run. */
export interface PlainEvent {
  type: string;
  id: number;
  previousEventId: number;
  [details: string]: unknown;
}

/** Test environment of Step Functions. Time stands still unless the test advances it. */
export interface SfnTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly sfn: SFN;
  /**
   * Creates a state machine.
   * @returns its ARN
   */
  machine(definition: object, options?: { name?: string; type?: 'STANDARD' | 'EXPRESS' }): Promise<string>;
  /** Starts an execution. @returns its ARN */
  start(stateMachineArn: string, input?: unknown): Promise<string>;
  /** Runs a definition to the end, advancing the clock while it waits. */
  run(
    definition: object,
    input?: unknown,
  ): Promise<{ status: string; output: unknown; error?: string; cause?: string; events: PlainEvent[] }>;
  events(executionArn: string): Promise<PlainEvent[]>;
  advance(milliseconds: number): Promise<void>;
}

/** Starts an emulator with Step Functions and any further services of the test. */
export async function startSfn({ manifests = [], ...options }: TestEmulatorOptions = {}): Promise<SfnTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const sfn = new SFN(emulator.clientConfig());
  let made = 0;
  const test: SfnTest = {
    emulator,
    sfn,
    machine: async (definition, { name = `m${++made}`, type = 'STANDARD' } = {}) => {
      const text = JSON.stringify(definition);
      return (await sfn.createStateMachine({ name, definition: text, roleArn: ROLE, type })).stateMachineArn!;
    },
    start: async (stateMachineArn, input = {}) =>
      (await sfn.startExecution({ stateMachineArn, input: JSON.stringify(input) })).executionArn!,
    run: async (definition, input = {}) => {
      const executionArn = await test.start(await test.machine(definition), input);
      const start = performance.now();
      for (let round = 0; ; round++) {
        const { status, output, error, cause } = await sfn.describeExecution({ executionArn });
        if (status === 'RUNNING') {
          if (round > 200 && performance.now() - start > 20_000)
            throw new Error(`the execution does not end: ${JSON.stringify(await test.events(executionArn))}`);
          await emulator.kernel.clock.advance(60_000);
          continue;
        }
        const parsed = output === undefined ? undefined : (JSON.parse(output) as unknown);
        return {
          status: status!,
          output: parsed,
          ...(error !== undefined && { error }),
          ...(cause !== undefined && { cause }),
          events: await test.events(executionArn),
        };
      }
    },
    events: async (executionArn) => {
      const { events } = await sfn.getExecutionHistory({ executionArn, maxResults: 1000 });
      return events!.map(({ timestamp: _, ...event }) => JSON.parse(JSON.stringify(event)) as PlainEvent);
    },
    advance: (milliseconds) => emulator.kernel.clock.advance(milliseconds),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
  return test;
}
