import type { Place } from '@emu/core';
import type { SsmContext } from './context.ts';
import { parameterNotFound, versionNotFound } from './errors.ts';
import { readSelection, type Selection } from './parameters/names.ts';
import { currentVersion, type Parameter, type Version } from './parameters/table.ts';
import type { SsmState } from './state.ts';

/** The state of an account and region; undefined where it holds nothing, so that asking makes none. */
const stateAt = ({ accountId, region }: Place, ctx: SsmContext): SsmState | undefined =>
  accountId === ctx.accountId && region === ctx.region ? ctx.state : ctx.handle.existingState(accountId, region);

/** A parameter and the state it is in. */
export interface ParameterTarget {
  readonly state: SsmState;
  readonly parameter: Parameter;
}

/** The parameter that a selection names; undefined where there is none. */
export function findParameter(
  { key, accountId = '', region = '' }: Selection,
  ctx: SsmContext,
): ParameterTarget | undefined {
  const state = stateAt({ accountId: accountId || ctx.accountId, region: region || ctx.region }, ctx);
  const parameter = state?.parameters.get(key);
  return parameter && { state: state!, parameter };
}

/** The parameter of a name or ARN in the request's account. @throws AwsError `ParameterNotFound` */
export function parameterAt(name: string, ctx: SsmContext): ParameterTarget {
  const target = findParameter(readSelection(name), ctx);
  if (!target) throw parameterNotFound();
  return target;
}

/** The version that a selector stands for; undefined where there is none. @param selector with its colon */
export function versionOf(parameter: Parameter, selector: string | undefined): Version | undefined {
  if (selector === undefined) return currentVersion(parameter);
  const text = selector.slice(1);
  return parameter.versions.find(({ version, labels }) =>
    /^\d+$/.test(text) ? version === Number(text) : labels.includes(text),
  );
}

/** @throws AwsError `ParameterVersionNotFound` */
export function requireVersion(parameter: Parameter, version: number): Version {
  const found = parameter.versions.find((one) => one.version === version);
  if (!found) throw versionNotFound(version, parameter.name);
  return found;
}
