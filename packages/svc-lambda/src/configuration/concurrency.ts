import { invalidParameterValue, plainError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { CONCURRENCY } from '../quotas.ts';
import type { LambdaState } from '../state.ts';

// Errors with numbers in this file have no `Type` on AWS.
const refused = (message: string) => plainError('InvalidParameterValueException', message);

/**
 * Returns the account's unreserved concurrency.
 * @param except a function whose reservation is ignored
 */
export function unreservedConcurrency(state: LambdaState, except?: string): number {
  let left = state.service.quotaValue(CONCURRENCY, state.accountId, state.region);
  for (const { name, reservedConcurrency = 0 } of state.functions.values())
    if (name !== except) left -= reservedConcurrency;
  return left;
}

/**
 * Returns the provisioned concurrency of all versions and aliases of a function.
 * @param except one to ignore
 */
function provisionedConcurrency(state: LambdaState, name: string, except?: string): number {
  let total = 0;
  for (const { functionName, qualifier, requested } of state.provisioned.values())
    if (functionName === name && qualifier !== except) total += requested;
  return total;
}

/**
 * Rejects a reservation that exceeds the account's capacity, or is below the function's provisioned concurrency.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkReserved(state: LambdaState, name: string, reserved: number): void {
  if (unreservedConcurrency(state, name) - reserved < LIMITS.unreservedConcurrency)
    throw refused(
      `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${LIMITS.unreservedConcurrency}].`,
    );
  const provisioned = provisionedConcurrency(state, name);
  if (reserved < provisioned)
    throw invalidParameterValue(
      ` ReservedConcurrentExecutions  ${reserved} should not be lower than function's total provisioned concurrency [${provisioned}].`,
    );
}

/**
 * Rejects provisioned concurrency above the function's reservation or, without one, the account's capacity.
 * @throws AwsError `InvalidParameterValueException`
 */
export function checkProvisioned(state: LambdaState, name: string, qualifier: string, requested: number): void {
  const reserved = state.functions.get(name)?.reservedConcurrency;
  if (reserved !== undefined) {
    if (provisionedConcurrency(state, name, qualifier) + requested > reserved)
      throw invalidParameterValue(
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
