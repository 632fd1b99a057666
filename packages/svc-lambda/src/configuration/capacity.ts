import { keyInPlace } from '@emu/core/service';
import type { CapacityProviderConfig } from '@emu/service-types/lambda';
import { invalidParameterValue, notFound } from '../errors.ts';
import { capacityProviderType } from '../resources.ts';
import type { LambdaState } from '../state.ts';

/**
 * Checks that a function can run on a capacity provider.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterValueException`
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances.html
 */
export function checkCapacityProvider(config: CapacityProviderConfig, memorySize: number, state: LambdaState): void {
  const { CapacityProviderArn: arn } = config.LambdaManagedInstancesCapacityProviderConfig;
  const name = keyInPlace(capacityProviderType, arn, state)?.name;
  if (name === undefined || !state.capacityProviders.has(name)) throw notFound(`Capacity provider not found: ${arn}`);
  if (memorySize < 2048)
    throw invalidParameterValue('MemorySize must be at least 2048 MB for functions that run on a capacity provider.');
}
