import { parseArn } from '@emu/core/service';
import type { CallSource } from '@emu/polling';
import { executionPrincipal } from '../configuration/role.ts';
import { resolveFunction } from '../names.ts';
import type { EventSourceMapping } from '../records.ts';
import type { LambdaState } from '../state.ts';

/**
 * Returns the caller of the source's service: in the source owner's account and region, with the function's current
 * role.
 */
export function sourceCaller(state: LambdaState, mapping: EventSourceMapping): CallSource {
  const { functionName, qualifier, settings, uuid } = mapping;
  const { accountId, region } = parseArn(settings.EventSourceArn!)!;
  return (service, operation, input, signal) => {
    const { role } = resolveFunction(state, functionName, qualifier).version.config;
    return state.call(service, operation, input, {
      accountId,
      region,
      principal: executionPrincipal(role, functionName, state),
      authorize: {},
      cause: uuid,
      ...(signal && { signal }),
    });
  };
}
