import type { DeepReadonly } from '@emu/core';
import { lambdaError } from './errors.ts';
import type { CodeSigningConfigRecord } from './records.ts';
import { codeSigningConfigType } from './resources.ts';
import type { LambdaState } from './state.ts';

/** Finds a code signing configuration by its ARN. */
export function findCodeSigningConfig(
  state: LambdaState,
  arn: string,
): DeepReadonly<CodeSigningConfigRecord> | undefined {
  const { key, place } = codeSigningConfigType.parse(arn) ?? {};
  if (place?.accountId !== state.accountId || place.region !== state.region) return undefined;
  return state.codeSigningConfigs.get(key!.id);
}

/**
 * Refuses a code signing configuration that is not there.
 * @throws AwsError `CodeSigningConfigNotFoundException`
 */
export function requireCodeSigningConfig(state: LambdaState, arn: string): void {
  if (!findCodeSigningConfig(state, arn))
    throw lambdaError(
      'CodeSigningConfigNotFoundException',
      `The code signing configuration cannot be found. Check that the provided configuration is not deleted: ${arn}.`,
    );
}
