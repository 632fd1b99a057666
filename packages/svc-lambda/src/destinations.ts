import { parseArn } from '@emu/core/service';
import type { DestinationConfig } from '@emu/service-types/lambda';
import { invalidParameterValue } from './errors.ts';
import { parseFunctionName } from './function-name.ts';
import type { LambdaState } from './state.ts';

const SERVICES = new Set(['lambda', 'sqs', 'sns', 'events']);

/** Formats a configuration as in AWS's message. */
function printed({ OnSuccess, OnFailure }: DestinationConfig): string {
  const side = (name: string, value: { Destination?: string | undefined } | undefined): string =>
    value ? `${name}(destination=${value.Destination ?? null})` : 'null';
  return `DestinationConfig(onSuccess=${side('OnSuccess', OnSuccess)}, onFailure=${side('OnFailure', OnFailure)})`;
}

/**
 * Validates destinations of asynchronous invocations.
 * @param functionName the invoked function
 * @throws AwsError `InvalidParameterValueException`
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
 */
export function checkDestinations(config: DestinationConfig, state: LambdaState, functionName: string): void {
  for (const [side, value] of Object.entries(config) as [keyof DestinationConfig, { Destination?: string }][]) {
    const destination = value?.Destination;
    if (!destination || (side === 'OnFailure' && destination.startsWith('kafka://'))) continue;
    const arn = parseArn(destination);
    const service = arn?.service;
    if (!arn || !service || !(SERVICES.has(service) || (service === 's3' && side === 'OnFailure')))
      throw invalidParameterValue(`The provided destination config ${printed(config)} is invalid.`);
    if (service === 'lambda') checkFunction(destination, arn.accountId, state, functionName);
  }
}

function checkFunction(destination: string, accountId: string, state: LambdaState, functionName: string): void {
  const { name, region } = parseFunctionName(destination);
  if (accountId !== state.accountId || region !== state.region) return;
  if (name === functionName) throw invalidParameterValue("You can't specify the function as a destination for itself.");
  if (!state.functions.has(name)) throw invalidParameterValue(`The destination ARN ${destination} is invalid.`);
}

/** Returns the configuration as AWS returns it, always with both members. */
export const shownDestinations = ({ OnSuccess, OnFailure }: DestinationConfig): DestinationConfig => ({
  OnSuccess: OnSuccess?.Destination ? { Destination: OnSuccess.Destination } : {},
  OnFailure: OnFailure?.Destination ? { Destination: OnFailure.Destination } : {},
});
