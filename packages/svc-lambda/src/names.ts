import { type AwsError, awsError } from '@emu/wire';
import { functionNotFound, invalid, notFound } from './errors.ts';
import { LATEST, parseFunctionName } from './function-name.ts';
import type { Alias, LambdaFunction, Version } from './records.ts';
import type { LambdaState } from './state.ts';

/** The state of an account in the same region; undefined where it holds nothing, so that asking makes none. */
export const otherState = (accountId: string, state: LambdaState): LambdaState | undefined =>
  accountId === state.accountId ? state : state.service.existingState(accountId, state.region);

/** What a request names, before it is known whether it exists. */
export interface FunctionTarget {
  /** The state of the account the function is in. */
  state: LambdaState;
  name: string;
  qualifier: string | undefined;
}

/**
 * Which function, version or alias a name and a qualifier mean together.
 * @param qualifier the request's own `Qualifier`
 * @throws AwsError `InvalidParameterValueException` where both name a qualifier and they differ;
 *   `ResourceNotFoundException` for a function of another region, `AccessDeniedException` for one that another account
 *   does not have
 */
export function targetOf(state: LambdaState, functionName: string, qualifier?: string): FunctionTarget {
  const parsed = parseFunctionName(functionName);
  if (parsed.region !== undefined && parsed.region !== state.region)
    throw notFound(`Functions from '${parsed.region}' are not reachable in this region ('${state.region}')`);
  if (parsed.qualifier !== undefined && qualifier !== undefined && parsed.qualifier !== qualifier)
    throw invalid('The derived qualifier from the function name does not match the specified qualifier.');
  const { name, accountId = state.accountId } = parsed;
  const owner = otherState(accountId, state);
  // Nobody learns which functions another account lacks; AWS says nothing at all with it.
  if (!owner || (owner !== state && !owner.functions.has(name)))
    throw awsError('AccessDeniedException', '', { status: 403, members: { Type: 'User' } });
  return { state: owner, name, qualifier: qualifier ?? parsed.qualifier };
}

/** A function with the version that a request means. */
export interface ResolvedFunction extends FunctionTarget {
  record: LambdaFunction;
  /** For an alias, the version it points to in the first place. */
  version: Version;
  /** Set where the qualifier is an alias. */
  alias?: Alias;
}

/**
 * Finds the function and version of a name in any spelling and a qualifier; `$LATEST` where there is none.
 * @throws AwsError `ResourceNotFoundException`, and those of `targetOf`
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
 * The version that one invocation runs: an alias with weights spreads its invocations over its versions.
 * @returns the resolved function's version, or one of the alias's further versions
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

/** What AWS says of an alias that is not there. */
export const aliasNotFound = (state: LambdaState, name: string, alias: string): AwsError =>
  notFound(`Cannot find alias arn: ${state.functionArn(name, alias)}`);
