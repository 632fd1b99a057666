import type { AwsError } from '@emu/wire';
import { functionNotFound, invalidParameterValue, notFound, plainError } from './errors.ts';
import { LATEST, parseFunctionName } from './function-name.ts';
import type { Alias, LambdaFunction, Version } from './records.ts';
import type { LambdaState } from './state.ts';

/** Returns the state of an account in the same region; undefined without state, so that a lookup creates none. */
export const otherState = (accountId: string, state: LambdaState): LambdaState | undefined =>
  accountId === state.accountId ? state : state.service.existingState(accountId, state.region);

/** Target of a request, which may not exist. */
export interface FunctionTarget {
  /** State of the function's account. */
  state: LambdaState;
  name: string;
  qualifier: string | undefined;
}

/**
 * Resolves a name and a qualifier to a function, version or alias.
 * @param qualifier the request's own `Qualifier`
 * @throws AwsError `InvalidParameterValueException` for contradictory qualifiers; `ResourceNotFoundException` for a
 * function of another region, `AccessDeniedException` for a missing function of another account
 */
export function targetOf(state: LambdaState, functionName: string, qualifier?: string): FunctionTarget {
  const parsed = parseFunctionName(functionName);
  if (parsed.region !== undefined && parsed.region !== state.region)
    throw notFound(`Functions from '${parsed.region}' are not reachable in this region ('${state.region}')`);
  if (parsed.qualifier !== undefined && qualifier !== undefined && parsed.qualifier !== qualifier)
    throw invalidParameterValue('The derived qualifier from the function name does not match the specified qualifier.');
  const { name, accountId = state.accountId } = parsed;
  const owner = otherState(accountId, state);
  // The existence of another account's functions is not revealed; AWS sends no message here.
  if (!owner || (owner !== state && !owner.functions.has(name)))
    throw plainError('AccessDeniedException', '', { status: 403, members: { Type: 'User' } });
  return { state: owner, name, qualifier: qualifier ?? parsed.qualifier };
}

/** A function with the requested version. */
export interface ResolvedFunction extends FunctionTarget {
  record: LambdaFunction;
  /** For an alias, its primary version. */
  version: Version;
  /** Set if the qualifier is an alias. */
  alias?: Alias;
}

/**
 * Returns the function and version of a name in any form and a qualifier; `$LATEST` by default.
 * @throws AwsError `ResourceNotFoundException`, and errors of `targetOf`
 */
export function resolveFunction(state: LambdaState, functionName: string, qualifier?: string): ResolvedFunction {
  const target = targetOf(state, functionName, qualifier);
  const { state: owner, name } = target;
  const record = owner.functions.get(name);
  const missing = () => functionNotFound(owner.functionArn(name, target.qualifier));
  if (!record) throw missing();
  const wanted = target.qualifier ?? LATEST;
  const exact = owner.versions.get(`${name}:${wanted}`);
  if (exact) return { ...target, record, version: exact };
  const alias = owner.aliases.get(`${name}:${wanted}`);
  const version = alias && owner.versions.get(`${name}:${alias.version}`);
  if (!version) throw missing();
  return { ...target, record, version, alias };
}

/**
 * Selects the version of one invocation: an alias with weights distributes invocations over its versions.
 * @returns the primary version or one of the alias's further versions
 */
export function routeInvocation({ state, record, version, alias }: ResolvedFunction): Version {
  if (!alias) return version;
  let chance = state.ids.random();
  for (const [number, weight] of Object.entries(alias.weights)) {
    chance -= weight;
    const other = chance < 0 ? state.versions.get(`${record.name}:${number}`) : undefined;
    if (other) return other;
  }
  return version;
}

/** Returns AWS's error for a missing alias. */
export const aliasNotFound = (state: LambdaState, name: string, alias: string): AwsError =>
  notFound(`Cannot find alias arn: ${state.functionArn(name, alias)}`);
