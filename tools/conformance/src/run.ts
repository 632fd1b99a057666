import { createEmulator, type EmbeddedEmulator } from '@emu/emulator';
import { compileService, type ServiceCodec, type ServiceModel } from '@emu/wire';
import type { Scenario, Send } from './scenario.ts';
import { type Variant, variantsOf } from './variants.ts';

/** How one operation did. */
export interface OperationReport {
  variants: number;
  passes: number;
  /** Variants that did not pass, each with the reason. */
  failures: Record<string, string>;
  /** Variants that cannot be sent and are not counted, each with the reason. */
  leftOut: Record<string, string>;
  /** What its behaviour lacks; undefined where it changes or tells the state. */
  doubt?: string;
}

/** How one service did, operation by operation. */
export type ServiceReport = Record<string, OperationReport>;

/** What came of a variant. */
type Outcome =
  | { kind: 'succeeded' | 'refused' }
  /** Why it does not pass, or why it was not sent. */
  | { kind: 'failed' | 'left out'; reason: string };

const SUCCEEDED: Outcome = { kind: 'succeeded' };
const REFUSED: Outcome = { kind: 'refused' };
const failed = (reason: string): Outcome => ({ kind: 'failed', reason });

/** An error as the SDK decodes it. */
interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number };
  $fault?: string;
}

/** The model with each operation's output in the place of its input, so that outputs can be validated. */
function outputModel(model: ServiceModel): ServiceModel {
  const operations = Object.fromEntries(
    Object.entries(model.operations).map(([name, { http, output }]) => [
      name,
      output ? { http, input: output } : { http },
    ]),
  );
  return { ...model, operations };
}

/** Operations of a service that emu implements. */
export async function implementedOperations(scenario: Scenario): Promise<string[]> {
  await using emulator = await createEmulator({ services: [scenario.service, ...(scenario.others ?? [])] });
  const { plugin } = await emulator.kernel.service(scenario.service);
  return Object.keys(scenario.model.operations).filter((name) => Object.hasOwn(plugin.operations, name));
}

/** Runs every variant of every implemented operation of a service, each against a fresh emulator. */
export async function runScenario(scenario: Scenario): Promise<ServiceReport> {
  const outputs = compileService(outputModel(scenario.model));
  const report: ServiceReport = {};
  for (const operation of await implementedOperations(scenario))
    report[operation] = await runOperation(scenario, operation, outputs);
  return report;
}

/** An emulator against which one request is made, and what is known of it. */
interface Attempt {
  send: Send;
  facts: Record<string, string>;
  /** Requests that clients have sent so far. */
  sent(): number;
}

/** The emulator, with its clients' requests counted. */
function counted(emulator: EmbeddedEmulator, count: () => void): EmbeddedEmulator {
  return {
    ...emulator,
    clientConfig: (options) => {
      const config = emulator.clientConfig(options);
      const { requestHandler } = config;
      const handle: typeof requestHandler.handle = (request, handling) => {
        count();
        return requestHandler.handle(request, handling);
      };
      return { ...config, requestHandler: { ...requestHandler, handle } };
    },
  };
}

/** Runs something against a fresh emulator with the scenario's state. */
async function fresh<Result>(
  scenario: Scenario,
  operation: string,
  task: (attempt: Attempt) => Promise<Result>,
): Promise<Result> {
  const services = [scenario.service, ...(scenario.others ?? [])];
  await using emulator = await createEmulator({
    services,
    seed: 'conformance',
    // Whether the machine has a container engine or not.
    ...(services.includes('lambda') && { settings: { EMULATOR_LAMBDA_BACKEND: 'process' } }),
  });
  let requests = 0;
  const send = scenario.client(counted(emulator, () => requests++));
  const facts = await scenario.setUp(send);
  const more = await scenario.before?.[operation]?.(send, facts);
  return await task({ send, facts: { ...facts, ...more }, sent: () => requests });
}

async function runOperation(scenario: Scenario, operation: string, outputs: ServiceCodec): Promise<OperationReport> {
  const inputOf = scenario.inputs[operation] ?? (() => ({}));
  const all = await fresh(scenario, operation, async ({ facts }) =>
    variantsOf(scenario.model, operation, inputOf(facts)),
  );
  const failures: Record<string, string> = {};
  const leftOut: Record<string, string> = {};
  let baseSucceeded = false;
  for (const variant of all) {
    if (variant.leftOut !== undefined) {
      leftOut[variant.name] = variant.leftOut;
      continue;
    }
    // The state is made anew, so the input is too: its facts may differ.
    const outcome = await fresh(scenario, operation, async (attempt) => {
      const again = variantsOf(scenario.model, operation, inputOf(attempt.facts)).find(
        ({ name }) => name === variant.name,
      )!;
      return check(scenario, attempt, operation, again, outputs);
    });
    if (outcome.kind === 'succeeded') baseSucceeded ||= variant.name === 'base';
    else if (outcome.kind === 'failed') failures[variant.name] = outcome.reason;
    else if (outcome.kind === 'left out') leftOut[variant.name] = outcome.reason;
  }
  const doubt = await doubtOf(scenario, operation, baseSucceeded);
  const variants = all.length - Object.keys(leftOut).length;
  const passes = variants - Object.keys(failures).length;
  return { variants, passes, failures, leftOut, ...(doubt === undefined ? {} : { doubt }) };
}

/** Sends a variant and judges the answer. */
async function check(
  scenario: Scenario,
  { send, sent }: Attempt,
  operation: string,
  variant: Variant,
  outputs: ServiceCodec,
): Promise<Outcome> {
  const before = sent();
  let output: Record<string, unknown>;
  try {
    output = await send(operation, variant.input);
  } catch (error) {
    // What the client refuses never reaches a service; the base must.
    if (sent() === before && variant.name !== 'base')
      return { kind: 'left out', reason: `the client refuses it: ${(error as Error).message}` };
    return refusalOf(scenario, operation, error as SdkError, variant);
  }
  if (scenario.refuses?.(output))
    return variant.name === 'base' ? failed('the base request was refused in part') : REFUSED;
  if (variant.broken) return failed('was accepted though it breaks a constraint');
  const { $metadata: metadata, ...members } = output;
  const status = (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
  if (status === undefined || status >= 300) return failed(`answered with status ${status}`);
  const broken = outputs
    .validate(operation, members)
    .filter(({ path }) => !scenario.deviations?.some((deviation) => deviation.path.test(path)));
  return broken.length ? failed(`the answer breaks the model: ${broken[0]!.message}`) : SUCCEEDED;
}

function refusalOf(scenario: Scenario, operation: string, error: SdkError, variant: Variant): Outcome {
  const status = error.$metadata?.httpStatusCode;
  if (status === undefined) return failed(`was not answered: ${error.message}`);
  if (status >= 500 && !scenario.declines?.(error)) return failed(`answered ${status} ${error.name}: ${error.message}`);
  if (!/^[A-Za-z][A-Za-z0-9.]*$/.test(error.name) || error.name === 'Error' || error.name === 'UnknownError')
    return failed(`answered an error without a code: ${error.message}`);
  if (!error.message) return failed(`answered ${error.name} without a message`);
  if (variant.name === 'base' && !scenario.withdrawn?.[operation])
    return failed(`the base request was refused: ${error.name}: ${error.message}`);
  return REFUSED;
}

/** Whether an operation that succeeds does something: changes what describing operations say, or tells what changed. */
async function doubtOf(scenario: Scenario, operation: string, succeeds: boolean): Promise<string | undefined> {
  if (scenario.withdrawn?.[operation]) return succeeds ? 'it succeeds though AWS has withdrawn it' : undefined;
  if (!succeeds) return 'no valid request succeeds';
  const inputOf = scenario.inputs[operation] ?? (() => ({}));
  if (Object.hasOwn(scenario.reads, operation)) {
    const change = scenario.reads[operation];
    if (!change) return undefined;
    return fresh(scenario, operation, async ({ send, facts }) => {
      const before = answer(await send(operation, inputOf(facts)));
      await change(send, facts);
      return before === answer(await send(operation, inputOf(facts)))
        ? 'its answer does not follow the state'
        : undefined;
    });
  }
  return fresh(scenario, operation, async ({ send, facts }) => {
    const before = JSON.stringify(await scenario.observe(send, facts));
    await send(operation, inputOf(facts));
    return before === JSON.stringify(await scenario.observe(send, facts))
      ? 'the state does not show its effect'
      : undefined;
  });
}

const answer = ({ $metadata: _, ...members }: Record<string, unknown>): string => JSON.stringify(members);
