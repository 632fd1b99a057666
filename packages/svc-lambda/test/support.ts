import { type CreateFunctionCommandInput, Lambda } from '@aws-sdk/client-lambda';
import {
  createTestEmulator,
  refusal,
  type TestClientOptions,
  type TestEmulator,
  type TestEmulatorOptions,
  zipOf,
} from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

/** Fixture of Lambda tests. Time stands still unless the test advances it. */
export interface LambdaTest extends AsyncDisposable {
  readonly emulator: TestEmulator;
  /** The default account and region. */
  readonly lambda: Lambda;
  client(options?: TestClientOptions): Lambda;
  /**
   * Creates a function from a small package.
   * @returns its name
   */
  create(name?: string, input?: Partial<CreateFunctionCommandInput>): Promise<string>;
}

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/lambda`;
/** ARN of a Lambda resource in the default account and region. */
export const arn = (resource: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:${resource}`;
/** A package with one handler. */
export const CODE = zipOf({ 'index.js': 'exports.handler = async (event) => event;' });
/** Minimal parameters of a function. */
export const BASE = { Role: ROLE, Runtime: 'nodejs20.x', Handler: 'index.handler', Code: { ZipFile: CODE } } as const;

/** Starts an emulator with Lambda and optional further manifests. */
export async function startLambda({
  manifests = [],
  settings,
  ...options
}: TestEmulatorOptions = {}): Promise<LambdaTest> {
  const emulator = await createTestEmulator({
    manifests: [manifest, ...manifests],
    settings: { accountId: ACCOUNT, region: REGION, ...settings },
    ...options,
  });
  emulator.kernel.clock.freeze();
  const client = (options?: TestClientOptions) => new Lambda(emulator.clientConfig(options));
  const lambda = client();
  return {
    emulator,
    lambda,
    client,
    create: async (name = 'fn', input = {}) => {
      await lambda.createFunction({ ...BASE, FunctionName: name, ...input });
      return name;
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

/** Code and message of a request that must fail without side effects, as `Code: message`. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
}
