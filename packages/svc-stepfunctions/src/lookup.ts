import { type DeepReadonly, parseArn, stateInRegion } from '@emu/core/service';
import type { StepfunctionsContext } from './context.ts';
import {
  activityNotFound,
  executionNotFound,
  invalidArn,
  invalidName,
  machineNotFound,
  resourceNotFound,
} from './errors.ts';
import type { Execution } from './executions/execution.ts';
import type { ActivityRecord, AliasRecord, MachineRecord, Revision, VersionRecord } from './records.ts';
import type { StepfunctionsState } from './state.ts';

export type Machine = DeepReadonly<MachineRecord>;
export type Version = DeepReadonly<VersionRecord>;
export type Alias = DeepReadonly<AliasRecord>;

const MAX_NAME = 80;
// biome-ignore lint/suspicious/noControlCharactersInRegex: AWS refuses control characters in names
const FORBIDDEN = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]/;

/**
 * Validates a name.
 * @throws AwsError `InvalidName`
 */
export function checkName(name: string): void {
  if (name.length > MAX_NAME || name.length === 0 || FORBIDDEN.test(name)) throw invalidName(name);
}

/**
 * Returns the parts of an ARN after its type.
 * @throws AwsError `InvalidArn` for an ARN of another service
 */
function partsOf(
  arn: string,
  type: string,
): { parts: string[]; state(ctx: StepfunctionsContext): StepfunctionsState | undefined } {
  const parsed = parseArn(arn);
  if (!parsed) throw invalidArn(`Invalid ARN prefix: ${arn}`);
  const [kind, ...parts] = parsed.resource.split(':');
  if (parsed.service !== 'states' || kind !== type)
    throw invalidArn(`Resource type not valid in this context: ${kind}`);
  return {
    parts,
    state: (ctx) => stateInRegion(parsed, ctx),
  };
}

/** Target of a state machine ARN, optionally with version or alias. */
export interface MachineTarget {
  state: StepfunctionsState;
  machine: Machine;
  /** Definition that runs. */
  revision: DeepReadonly<Revision>;
  version?: Version;
  alias?: Alias;
}

/**
 * Returns the target of a state machine ARN.
 * @throws AwsError `InvalidArn`, `StateMachineDoesNotExist`
 */
export function machineTarget(arn: string, ctx: StepfunctionsContext): MachineTarget {
  // ARNs of distributed map definitions contain a slash; AWS also looks up text that is not an ARN.
  const { parts, state: find } = partsOf(arn, 'stateMachine');
  const [name = '', qualifier] = parts;
  const state = find(ctx);
  const machine = state?.machine(name);
  if (!state || !machine) throw machineNotFound(arn);
  if (qualifier === undefined) return { state, machine, revision: machine };
  const version = state.version(name, qualifier);
  if (version) return { state, machine, revision: version, version };
  const alias = state.alias(name, qualifier);
  if (!alias) throw machineNotFound(arn);
  const routed = routedVersion(alias, state);
  return { state, machine, revision: routed, version: routed, alias };
}

/** Selects the version of an alias for the next execution. */
function routedVersion({ machine, routes }: Alias, state: StepfunctionsState): Version {
  let left = state.ids.random() * 100;
  const route =
    routes.find(({ weight }) => {
      left -= weight;
      return left < 0;
    }) ?? routes[0]!;
  return state.version(machine, route.version)!;
}

/**
 * Returns a state machine, rejecting versions and aliases.
 * @throws AwsError `InvalidArn`, `StateMachineDoesNotExist`
 */
export function machineOf(arn: string, ctx: StepfunctionsContext): { state: StepfunctionsState; machine: Machine } {
  const { state, machine } = machineTarget(arn, ctx);
  return { state, machine };
}

/**
 * Returns an alias by ARN.
 * @throws AwsError `InvalidArn`, `ResourceNotFound`
 */
export function aliasOf(arn: string, ctx: StepfunctionsContext): { state: StepfunctionsState; alias: Alias } {
  const { parts, state: find } = partsOf(arn, 'stateMachine');
  const state = find(ctx);
  const alias = state?.alias(parts[0] ?? '', parts[1] ?? '');
  if (!state || !alias) throw resourceNotFound();
  return { state, alias };
}

/**
 * Returns an execution by ARN.
 * @throws AwsError `InvalidArn`, `ExecutionDoesNotExist`
 */
export function executionOf(
  arn: string,
  ctx: StepfunctionsContext,
): { state: StepfunctionsState; execution: Execution } {
  const { parts, state: find } = partsOf(arn, 'execution');
  const state = find(ctx);
  const execution = state?.executions.get(parts[0] ?? '', parts[1] ?? '');
  if (!state || !execution) throw executionNotFound(arn);
  return { state, execution };
}

/**
 * Returns an activity by ARN.
 * @throws AwsError `InvalidArn`, `ActivityDoesNotExist`
 */
export function activityOf(
  arn: string,
  ctx: StepfunctionsContext,
): { state: StepfunctionsState; activity: DeepReadonly<ActivityRecord> } {
  const { parts, state: find } = partsOf(arn, 'activity');
  const state = find(ctx);
  const activity = state?.activity(parts[0] ?? '');
  if (!state || !activity) throw activityNotFound(arn);
  return { state, activity };
}

/** Returns the ARN of a version or alias. */
export const qualifiedArn = (state: StepfunctionsState, machine: string, qualifier: string | number): string =>
  `${state.machineArn(machine)}:${qualifier}`;
