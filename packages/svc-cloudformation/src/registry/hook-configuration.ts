import { nameMatcher } from '@emu/core/service';
import type { HookFailureMode, HookTargetAction } from '@emu/service-types/cloudformation';
import { isObject, parseJson } from '@emu/wire';
import { cloudformationError } from '../errors.ts';
import type { JsonObject } from '../templates/values.ts';

/** Targets of hooks. */
export type HookOperation = 'RESOURCE' | 'STACK' | 'CHANGE_SET' | 'CLOUD_CONTROL';
const OPERATIONS: readonly string[] = ['RESOURCE', 'STACK', 'CHANGE_SET', 'CLOUD_CONTROL'];

/** Configuration of a hook. */
export interface HookConfiguration {
  readonly enabled: boolean;
  readonly mode: HookFailureMode;
  readonly functionArn: string;
  readonly operations: readonly HookOperation[];
  readonly actions: readonly HookTargetAction[];
  /** Type names with wildcards; all types if empty. */
  readonly targetNames: readonly string[];
  /** Pairs of type and action, instead of the separate lists. */
  readonly targets: readonly { readonly name: string; readonly action: HookTargetAction }[];
  readonly stackFilters?: StackFilters;
}

/** Stacks for which a hook is invoked. */
export interface StackFilters {
  readonly any: boolean;
  readonly names: Choice;
  readonly roles: Choice;
}

interface Choice {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const ACTIONS: readonly HookTargetAction[] = ['CREATE', 'UPDATE', 'DELETE'];
const MEMBERS = new Set([
  'TargetStacks',
  'HookInvocationStatus',
  'TargetOperations',
  'FailureMode',
  'Properties',
  'TargetFilters',
  'StackFilters',
]);

const refuse = (problem: string) => cloudformationError('CFNRegistryException', `Model validation failed (${problem})`);

function texts(value: unknown, path: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw refuse(`#/${path}: expected type: JSONArray of String`);
  return value;
}

function object(value: unknown, path: string): JsonObject {
  if (!isObject(value)) throw refuse(`#/${path}: expected type: JSONObject`);
  return value;
}

/**
 * Parses the configuration of a Lambda Hook.
 * @throws AwsError `CFNRegistryException`
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/hook-configuration-schema.html
 */
export function hookConfiguration(text: string): HookConfiguration {
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    throw refuse('#: it is not valid JSON');
  }
  const outer = object(object(parsed, '').CloudFormationConfiguration, 'CloudFormationConfiguration');
  const path = 'CloudFormationConfiguration/HookConfiguration';
  const hook = object(outer.HookConfiguration, path);
  for (const name of Object.keys(hook))
    if (!MEMBERS.has(name)) throw refuse(`#/${path}: extraneous key [${name}] is not permitted`);
  const { FailureMode: mode = 'WARN', HookInvocationStatus: status, TargetStacks: stacks } = hook;
  if (mode !== 'FAIL' && mode !== 'WARN')
    throw refuse(`#/${path}/FailureMode: ${String(mode)} is not a valid enum value`);
  if (status !== undefined && status !== 'ENABLED' && status !== 'DISABLED')
    throw refuse(`#/${path}/HookInvocationStatus: ${String(status)} is not a valid enum value`);
  const { LambdaFunction: functionArn } = object(hook.Properties, `${path}/Properties`);
  if (typeof functionArn !== 'string') throw refuse(`#/${path}/Properties: required key [LambdaFunction] not found`);
  const operations = texts(hook.TargetOperations, `${path}/TargetOperations`);
  const other = operations.find((one) => !OPERATIONS.includes(one));
  if (other !== undefined) throw refuse(`#/${path}/TargetOperations: ${other} is not a valid enum value`);
  return {
    enabled: status === undefined ? stacks !== 'NONE' : status === 'ENABLED',
    mode,
    functionArn,
    operations: (operations.length ? operations : ['RESOURCE']) as HookOperation[],
    ...targetsOf(hook.TargetFilters, `${path}/TargetFilters`),
    ...(hook.StackFilters !== undefined && { stackFilters: stackFilters(hook.StackFilters, `${path}/StackFilters`) }),
  };
}

function targetsOf(given: unknown, path: string): Pick<HookConfiguration, 'actions' | 'targetNames' | 'targets'> {
  const filters = given === undefined ? {} : object(given, path);
  const action = (value: unknown): HookTargetAction => {
    if (!ACTIONS.includes(value as HookTargetAction))
      throw refuse(`#/${path}: ${String(value)} is not a valid enum value`);
    return value as HookTargetAction;
  };
  const actions = texts(filters.Actions, `${path}/Actions`).map(action);
  const targets = Array.isArray(filters.Targets) ? filters.Targets : [];
  return {
    actions: actions.length ? actions : ACTIONS,
    targetNames: texts(filters.TargetNames, `${path}/TargetNames`),
    targets: targets.map((target) => {
      const { TargetName, Action } = object(target, `${path}/Targets`);
      return { name: String(TargetName), action: action(Action) };
    }),
  };
}

function stackFilters(given: unknown, path: string): StackFilters {
  const { FilteringCriteria, StackNames, StackRoles } = object(given, path);
  if (FilteringCriteria !== 'ALL' && FilteringCriteria !== 'ANY')
    throw refuse(`#/${path}: required key [FilteringCriteria] not found`);
  const choice = (value: unknown, name: string): Choice => {
    const { Include, Exclude } = value === undefined ? ({} as JsonObject) : object(value, `${path}/${name}`);
    return { include: texts(Include, `${path}/${name}/Include`), exclude: texts(Exclude, `${path}/${name}/Exclude`) };
  };
  return {
    any: FilteringCriteria === 'ANY',
    names: choice(StackNames, 'StackNames'),
    roles: choice(StackRoles, 'StackRoles'),
  };
}

/** A possible target of a hook. */
export interface HookTargetFacts {
  readonly operation: HookOperation;
  /** Type of a resource; other targets have none. */
  readonly type?: string;
  readonly action: HookTargetAction;
  /** Absent for resources outside of stacks. */
  readonly stackName?: string;
  readonly roleArn?: string | undefined;
}

/** Whether a hook must be invoked for a target. */
export function appliesTo(hook: HookConfiguration, facts: HookTargetFacts): boolean {
  const { operation, type, action, stackName, roleArn } = facts;
  if (!hook.enabled || !hook.operations.includes(operation)) return false;
  // Type names apply to resources only.
  const named = (name: string) => type === undefined || nameMatcher(name)(type);
  const wanted = hook.targets.length
    ? hook.targets.some((target) => target.action === action && named(target.name))
    : hook.actions.includes(action) && (hook.targetNames.length === 0 || hook.targetNames.some(named));
  if (!wanted || !hook.stackFilters || stackName === undefined) return wanted;
  const { any, names, roles } = hook.stackFilters;
  const answers = [chosen(names, stackName), chosen(roles, roleArn)].filter((answer) => answer !== undefined);
  return answers.length === 0 || (any ? answers.includes(true) : !answers.includes(false));
}

/** Whether a filter accepts a value; undefined if the filter is empty. */
function chosen({ include, exclude }: Choice, value: string | undefined): boolean | undefined {
  if (include.length === 0 && exclude.length === 0) return undefined;
  if (value !== undefined && exclude.includes(value)) return false;
  return include.length === 0 || (value !== undefined && include.includes(value));
}
