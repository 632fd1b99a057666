import { stateInRegion } from '@emu/core/service';
import type { SsmContext } from './context.ts';
import { parameterNotFound, versionNotFound } from './errors.ts';
import { readSelection, type Selection } from './parameters/names.ts';
import { currentVersion, type Parameter, type Version } from './parameters/table.ts';
import type { SsmState } from './state.ts';

/** A parameter and its state. */
export interface ParameterTarget {
  readonly state: SsmState;
  readonly parameter: Parameter;
}

/** Returns the selected parameter; undefined if it does not exist in the region of the request. */
export function findParameter({ key, accountId, region }: Selection, ctx: SsmContext): ParameterTarget | undefined {
  const state = stateInRegion({ accountId: accountId || ctx.accountId, region: region || ctx.region }, ctx);
  const parameter = state?.parameters.get(key);
  return parameter && { state: state!, parameter };
}

/**
 * Returns a parameter of the request's account by name or ARN.
 * @throws AwsError `ParameterNotFound`
 */
export function parameterAt(name: string, ctx: SsmContext): ParameterTarget {
  const target = findParameter(readSelection(name), ctx);
  if (!target) throw parameterNotFound();
  return target;
}

/**
 * Returns the selected version; undefined if it does not exist.
 * @param selector including its colon
 */
export function versionOf(parameter: Parameter, selector: string | undefined): Version | undefined {
  if (selector === undefined) return currentVersion(parameter);
  const text = selector.slice(1);
  return parameter.versions.find(({ version, labels }) =>
    /^\d+$/.test(text) ? version === Number(text) : labels.includes(text),
  );
}

/**
 * Returns a version by number.
 * @throws AwsError `ParameterVersionNotFound`
 */
export function requireVersion(parameter: Parameter, version: number): Version {
  const found = parameter.versions.find((one) => one.version === version);
  if (!found) throw versionNotFound(version, parameter.name);
  return found;
}
