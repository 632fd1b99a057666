import { createEmulator } from '@emu/emulator';
import { compileService, type ServiceCodec, type ServiceModel } from '@emu/wire';
import type { Scenario, Send } from './scenario.ts';
import { type Variant, variantsOf } from './variants.ts';

/** How one operation did. */
export interface OperationReport {
  variants: number;
  passes: number;
  /** Variants that did not pass, each with the reason. */
  failures: Record<string, string>;
  /** What its behaviour lacks; undefined where it changes or tells the state. */
  doubt?: string;
}

/** How one service did, operation by operation. */
export type ServiceReport = Record<string, OperationReport>;

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

/** Runs something against a fresh emulator with the scenario's state. */
async function fresh<Result>(
  scenario: Scenario,
  operation: string,
  task: (send: Send, facts: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const services = [scenario.service, ...(scenario.others ?? [])];
  await using emulator = await createEmulator({
    services,
    seed: 'conformance',
    // Whether the machine has a container engine or not.
    ...(services.includes('lambda') && { settings: { EMULATOR_LAMBDA_BACKEND: 'process' } }),
  });
  const send = scenario.client(emulator);
  const facts = await scenario.setUp(send);
  return await task(send, { ...facts, ...(await scenario.before?.[operation]?.(send, facts)) });
}

async function runOperation(scenario: Scenario, operation: string, outputs: ServiceCodec): Promise<OperationReport> {
  const inputOf = scenario.inputs[operation] ?? (() => ({}));
  const variants = await fresh(scenario, operation, async (_send, facts) =>
    variantsOf(scenario.model, operation, inputOf(facts)),
  );
  const failures: Record<string, string> = {};
  let baseSucceeded = false;
  for (const variant of variants) {
    // The state is made anew, so the input is too: its facts may differ.
    const outcome = await fresh(scenario, operation, async (send, facts) => {
      const again = variantsOf(scenario.model, operation, inputOf(facts)).find(({ name }) => name === variant.name)!;
      return check(scenario, send, operation, again, outputs);
    });
    if (outcome === 'succeeded') baseSucceeded ||= variant.name === 'base';
    else if (outcome !== 'refused') failures[variant.name] = outcome;
  }
  const doubt = baseSucceeded ? await doubtOf(scenario, operation) : 'no valid request succeeds';
  const passes = variants.length - Object.keys(failures).length;
  return { variants: variants.length, passes, failures, ...(doubt === undefined ? {} : { doubt }) };
}

/** Sends a variant. @returns `succeeded`, `refused` as it should be, or what is wrong with the answer */
async function check(
  scenario: Scenario,
  send: Send,
  operation: string,
  variant: Variant,
  outputs: ServiceCodec,
): Promise<string> {
  let output: Record<string, unknown>;
  try {
    output = await send(operation, variant.input);
  } catch (error) {
    return refusalOf(error as SdkError, variant);
  }
  if (scenario.refuses?.(output)) return variant.name === 'base' ? 'the base request was refused in part' : 'refused';
  if (variant.broken) return 'was accepted though it breaks a constraint';
  const { $metadata: metadata, ...members } = output;
  const status = (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
  if (status === undefined || status >= 300) return `answered with status ${status}`;
  const broken = outputs
    .validate(operation, members)
    .filter(({ path }) => !scenario.deviations?.some((deviation) => deviation.path.test(path)));
  return broken.length ? `the answer breaks the model: ${broken[0]!.message}` : 'succeeded';
}

function refusalOf(error: SdkError, variant: Variant): string {
  const status = error.$metadata?.httpStatusCode;
  if (status === undefined) return `was not answered: ${error.message}`;
  if (status >= 500) return `answered ${status} ${error.name}: ${error.message}`;
  if (!/^[A-Za-z][A-Za-z0-9.]*$/.test(error.name) || error.name === 'Error' || error.name === 'UnknownError')
    return `answered an error without a code: ${error.message}`;
  if (!error.message) return `answered ${error.name} without a message`;
  if (variant.name === 'base') return `the base request was refused: ${error.name}: ${error.message}`;
  return 'refused';
}

/** Whether an operation that succeeds does something: changes what describing operations say, or tells what changed. */
async function doubtOf(scenario: Scenario, operation: string): Promise<string | undefined> {
  const inputOf = scenario.inputs[operation] ?? (() => ({}));
  if (Object.hasOwn(scenario.reads, operation)) {
    const change = scenario.reads[operation];
    if (!change) return undefined;
    return fresh(scenario, operation, async (send, facts) => {
      const before = answer(await send(operation, inputOf(facts)));
      await change(send, facts);
      return before === answer(await send(operation, inputOf(facts)))
        ? 'its answer does not follow the state'
        : undefined;
    });
  }
  return fresh(scenario, operation, async (send, facts) => {
    const before = JSON.stringify(await scenario.observe(send, facts));
    await send(operation, inputOf(facts));
    return before === JSON.stringify(await scenario.observe(send, facts))
      ? 'the state does not show its effect'
      : undefined;
  });
}

const answer = ({ $metadata: _, ...members }: Record<string, unknown>): string => JSON.stringify(members);
