import { type CreatePipeCommandInput, Pipes } from '@aws-sdk/client-pipes';
import { createTestEmulator, fakeService, type TestEmulator, type TestEmulatorOptions } from '@emu/gateway/testing';
import { expect, vi } from 'vitest';
import { manifest } from '../src/manifest.ts';

const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/pipe`;
/** Returns an ARN in the default account and region. */
export const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
export const SOURCE = arn('sqs', 'in');
export const TARGET = arn('sqs', 'out');

/** A valid stopped pipe. */
export const pipe = (more: Partial<CreatePipeCommandInput> = {}): CreatePipeCommandInput => ({
  Name: 'p',
  Source: SOURCE,
  Target: TARGET,
  RoleArn: ROLE,
  DesiredState: 'STOPPED',
  ...more,
});

/** Test environment. */
export interface PipesTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  readonly pipes: Pipes;
  /** Creates a pipe and waits for the end of its transition. @returns its state and the reason */
  make(more?: Partial<CreatePipeCommandInput>): Promise<string>;
  /** Waits until a pipe is not in a transitional state. @returns its state and the reason */
  settled(name?: string): Promise<string>;
}

/** Starts an emulator with pipes. */
export async function startPipes(options: TestEmulatorOptions = {}): Promise<PipesTest> {
  const { manifests = [fakeService('sqs', { GetQueueAttributes: () => ({}), ReceiveMessage: waiting })] } = options;
  const emulator = await createTestEmulator({
    settings: { accountId: ACCOUNT, region: REGION },
    ...options,
    manifests: [manifest, ...manifests],
  });
  const pipes = new Pipes({ ...emulator.clientConfig(), maxAttempts: 1 });
  const settled = (Name = 'p') =>
    vi.waitFor(async () => {
      const { CurrentState, StateReason } = await pipes.describePipe({ Name });
      expect(CurrentState).not.toMatch(/ING$(?<!RUNNING)/);
      return StateReason === undefined ? CurrentState! : `${CurrentState}: ${StateReason}`;
    });
  return {
    emulator,
    pipes,
    settled,
    make: async (more) => {
      await pipes.createPipe(pipe(more));
      return settled(more?.Name);
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** A queue without messages. A receive waits until the pipe ends. */
const waiting = (_input: unknown, { signal }: { signal: AbortSignal }): Promise<object> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({}), { once: true }));

/** Returns code and message of a request that must fail, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => new Error('was not refused'),
    (reason: Error) => reason,
  );
  return `${error.name}: ${error.message}`;
}
