import { compileService, type ServiceCodec } from '@emu/wire';
import { outputModel, type ReturnedMembers } from './outputs.ts';
import { type MemberProofs, proofsOf } from './proof.ts';
import type { Scenario } from './scenario.ts';
import { type Attempt, Stages, type Start } from './starts.ts';
import { type Variant, variantsOf } from './variants.ts';

/** Result of one operation. */
export interface OperationReport {
  variants: number;
  passes: number;
  /** Failed variants, each with the reason. */
  failures: Record<string, string>;
  /** Variants that cannot be sent and do not count, each with the reason. */
  leftOut: Record<string, string>;
  /** Proof of each input member; empty if no valid request succeeds. */
  members: MemberProofs;
  /** Missing proof of its behaviour; undefined if it changes or returns state. */
  doubt?: string;
}

/** Results of a service, and the members of all outputs. */
export interface ScenarioRun {
  report: ServiceReport;
  returned: ReturnedMembers;
}

/** Results of a service by operation. */
export type ServiceReport = Record<string, OperationReport>;

/** Result of a variant. */
type Outcome =
  | { kind: 'succeeded' }
  /** Partly: other parts of the request were executed. */
  | { kind: 'refused'; partly: boolean }
  /** Reason why it fails or was not sent. */
  | { kind: 'failed' | 'left out'; reason: string };

const SUCCEEDED: Outcome = { kind: 'succeeded' };
const refused = (partly = false): Outcome => ({ kind: 'refused', partly });
const failed = (reason: string): Outcome => ({ kind: 'failed', reason });

/** An error decoded by the SDK. */
interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number };
  $fault?: string;
}

/** Runs every variant of every implemented operation of a service. */
export async function runScenario(scenario: Scenario): Promise<ScenarioRun> {
  const outputs = compileService(outputModel(scenario.model));
  const report: ServiceReport = {};
  await using stages = await Stages.open(scenario);
  for (const operation of stages.operations)
    report[operation] = await runOperation(scenario, operation, await stages.startOf(operation), outputs);
  return { report, returned: stages.returned };
}

/** A valid input of an operation. */
const inputOf = (scenario: Scenario, operation: string, { facts }: Pick<Attempt, 'facts'>): Record<string, unknown> =>
  scenario.inputs[operation]?.(facts) ?? {};

async function runOperation(
  scenario: Scenario,
  operation: string,
  start: Start,
  outputs: ServiceCodec,
): Promise<OperationReport> {
  const { facts } = start;
  const all = variantsOf(scenario.model, operation, inputOf(scenario, operation, start));
  const failures: Record<string, string> = {};
  const leftOut: Record<string, string> = {};
  let baseSucceeded = false;
  for (const known of all) {
    const { name, broken } = known;
    if (known.leftOut !== undefined) {
      leftOut[name] = known.leftOut;
      continue;
    }
    // A request that must be rejected changes nothing, nor does reading, so the next request starts from the same
    // state.
    const shares = broken || Object.hasOwn(scenario.reads, operation);
    const attempt = shares ? await start.shared() : await start.fresh();
    // After recreating the state its facts may differ.
    const variant =
      attempt.facts === facts
        ? known
        : variantsOf(scenario.model, operation, inputOf(scenario, operation, attempt)).find(
            (candidate) => candidate.name === name,
          )!;
    const outcome = await check(scenario, attempt, operation, variant, outputs);
    const changed = outcome.kind === 'refused' && !outcome.partly ? start.changes() : [];
    if (outcome.kind === 'succeeded') baseSucceeded ||= name === 'base';
    else if (outcome.kind === 'failed') failures[name] = outcome.reason;
    else if (outcome.kind === 'left out') leftOut[name] = outcome.reason;
    else if (changed.length) failures[name] = `was refused and yet changed ${changed.join(', ')}`;
  }
  const doubt = await doubtOf(scenario, operation, start, baseSucceeded);
  const members = baseSucceeded ? await proofsOf(scenario, operation, start) : {};
  const variants = all.length - Object.keys(leftOut).length;
  const passes = variants - Object.keys(failures).length;
  return { variants, passes, failures, leftOut, members, ...(doubt !== undefined && { doubt }) };
}

/** Sends a variant and evaluates the response. */
async function check(
  scenario: Scenario,
  { stage }: Attempt,
  operation: string,
  variant: Variant,
  outputs: ServiceCodec,
): Promise<Outcome> {
  const before = stage.requests;
  let output: Record<string, unknown>;
  try {
    output = await stage.send(operation, variant.input);
  } catch (error) {
    // A request rejected by the client never reaches a service; the base request must.
    if (stage.requests === before && variant.name !== 'base')
      return { kind: 'left out', reason: `the client refuses it: ${(error as Error).message}` };
    return refusalOf(scenario, operation, error as SdkError, variant);
  }
  if (scenario.refuses?.(output))
    return variant.name === 'base' ? failed('the base request was refused in part') : refused(true);
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
  return refused();
}

/**
 * Whether a successful operation has an effect: it changes the results of describing operations, or returns changed
 * state.
 */
async function doubtOf(
  scenario: Scenario,
  operation: string,
  start: Start,
  succeeds: boolean,
): Promise<string | undefined> {
  if (scenario.withdrawn?.[operation]) return succeeds ? 'it succeeds though AWS has withdrawn it' : undefined;
  if (!succeeds) return 'no valid request succeeds';
  if (Object.hasOwn(scenario.reads, operation)) {
    const change = scenario.reads[operation];
    if (!change) return undefined;
    const { stage, facts } = await start.fresh();
    const before = answer(await stage.send(operation, inputOf(scenario, operation, { facts })));
    await change(stage.send, facts);
    return before === answer(await stage.send(operation, inputOf(scenario, operation, { facts })))
      ? 'its answer does not follow the state'
      : undefined;
  }
  const before = await start.observed();
  const { stage, facts } = await start.fresh();
  await stage.send(operation, inputOf(scenario, operation, { facts }));
  return before === JSON.stringify(await scenario.observe(stage.send, facts))
    ? 'the state does not show its effect'
    : undefined;
}

const answer = ({ $metadata: _, ...members }: Record<string, unknown>): string => JSON.stringify(members);
