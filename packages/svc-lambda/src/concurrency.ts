import { awsError } from '@emu/wire';
import { invalid } from './errors.ts';
import { LIMITS } from './limits.ts';
import { CONCURRENCY } from './quotas.ts';
import type { LambdaState } from './state.ts';

// AWS sends no `Type` with the errors of this file that carry numbers.
const refused = (message: string) => awsError('InvalidParameterValueException', message);

/** The account's concurrency that no function has reserved. @param except a function whose own does not count */
export function unreservedConcurrency(state: LambdaState, except?: string): number {
  let left = state.service.quotaValue(CONCURRENCY, state.accountId, state.region);
  for (const { name, reservedConcurrency = 0 } of state.functions.values())
    if (name !== except) left -= reservedConcurrency;
  return left;
}

/** Provisioned concurrency of all versions and aliases of a function. @param except one that does not count */
function provisionedConcurrency(state: LambdaState, name: string, except?: string): number {
  let total = 0;
  for (const { functionName, qualifier, requested } of state.provisioned.values())
    if (functionName === name && qualifier !== except) total += requested;
  return total;
}

/**
 * Refuses to reserve more than the account can spare, or less than the function has provisioned.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkReserved(state: LambdaState, name: string, reserved: number): void {
  if (unreservedConcurrency(state, name) - reserved < LIMITS.unreservedConcurrency)
    throw refused(
      `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${LIMITS.unreservedConcurrency}].`,
    );
  const provisioned = provisionedConcurrency(state, name);
  if (reserved < provisioned)
    throw invalid(
      ` ReservedConcurrentExecutions  ${reserved} should not be lower than function's total provisioned concurrency [${provisioned}].`,
    );
}

/**
 * Refuses to provision more than the function has reserved or, where it has reserved none, the account can spare.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkProvisioned(state: LambdaState, name: string, qualifier: string, requested: number): void {
  const reserved = state.functions.get(name)?.reservedConcurrency;
  if (reserved !== undefined) {
    if (provisionedConcurrency(state, name, qualifier) + requested > reserved)
      throw invalid(
        'Requested Provisioned Concurrency should not be greater than the reservedConcurrentExecution for function',
      );
    return;
  }
  const unreserved = unreservedConcurrency(state);
  if (requested > unreserved)
    throw refused(
      `Specified ConcurrentExecutions for function is greater than account's unreserved concurrency [${unreserved}].`,
    );
  if (unreserved - requested < LIMITS.unreservedConcurrency)
    throw refused(
      `Specified ConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${LIMITS.unreservedConcurrency}].`,
    );
}
