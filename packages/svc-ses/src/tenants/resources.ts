import type { ResourceType } from '@emu/service-types/sesv2';
import { configurationSetType, identityType, templateType } from '../resources.ts';
import type { SesState } from '../state.ts';

/**
 * Returns the kind of a tenant's resource by ARN.
 * @param mustExist whether it must exist
 * @returns undefined for other ARNs
 */
export function resourceKinds(arn: string, state: SesState, mustExist = true): ResourceType | undefined {
  const types = [
    ['EMAIL_IDENTITY', identityType],
    ['CONFIGURATION_SET', configurationSetType],
    ['EMAIL_TEMPLATE', templateType],
  ] as const;
  for (const [kind, type] of types) {
    const address = type.parse(arn);
    if (!address) continue;
    const here = address.place.accountId === state.accountId && address.place.region === state.region;
    return !mustExist || (here && type.find(state, address.key)) ? kind : undefined;
  }
  return undefined;
}
