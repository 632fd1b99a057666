import type { InvokeCommandInput, InvokeCommandOutput } from '@aws-sdk/client-lambda';
import { type ZipFileOptions, zipOf } from '@emu/gateway/testing';
import { type LambdaTest, startLambda } from './support.ts';

/** Fixture of tests that run functions. Its clock follows real time, because code does. */
export interface RunningTest extends LambdaTest {
  /**
   * Creates a function from a package.
   * @returns its name
   */
  define(
    files: Record<string, string | Uint8Array | ZipFileOptions>,
    input?: Parameters<LambdaTest['create']>[1],
  ): Promise<string>;
  /** Invokes a function and reads its response. */
  invoke(name: string, payload?: unknown, input?: Partial<InvokeCommandInput>): Promise<Invoked>;
}

/** A response of Invoke with decoded payload and log. */
export interface Invoked extends Omit<InvokeCommandOutput, 'Payload'> {
  payload: unknown;
  log: string;
}

/** Starts an emulator that can run functions. */
export async function startRunning(...args: Parameters<typeof startLambda>): Promise<RunningTest> {
  const test = await startLambda(...args);
  test.emulator.kernel.clock.resume();
  let count = 0;
  return {
    ...test,
    define: (files, input = {}) => test.create(`fn-${++count}`, { Code: { ZipFile: zipOf(files) }, ...input }),
    invoke: async (FunctionName, payload, input = {}) => {
      const body = payload === undefined ? {} : { Payload: JSON.stringify(payload) };
      const { Payload, ...output } = await test.lambda.invoke({ FunctionName, LogType: 'Tail', ...body, ...input });
      const text = Payload?.transformToString();
      return {
        ...output,
        payload: text ? JSON.parse(text) : undefined,
        log: Buffer.from(output.LogResult ?? '', 'base64').toString(),
      };
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}
