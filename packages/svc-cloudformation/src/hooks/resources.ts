import type { Principal, ResourceHooks, ServiceHandle } from '@emu/core/service';
import type { CloudformationState } from '../state.ts';
import { HOOK_VERSION, HooksFailed, invokeHooks } from './runner.ts';

/** Hooks of all accounts, for resources outside of stacks. */
export const hooksOf = (handle: ServiceHandle<CloudformationState>): ResourceHooks => ({
  async ask({ accountId, region, typeName, action, targetId, properties, previous, ...asker }, note) {
    // Avoids creating state in accounts without hooks.
    const registry = handle.existingState(accountId, region)?.registry;
    if (!registry) return undefined;
    const host = {
      accountId,
      region,
      clock: handle.clock,
      ids: handle.ids,
      service: handle,
      call: handle.call.bind(handle),
      registry,
    };
    try {
      await invokeHooks(host, {
        facts: { operation: 'CLOUD_CONTROL', type: typeName, action },
        targetName: typeName,
        targetId,
        targetModel: { resourceProperties: properties, ...(previous && { previousResourceProperties: previous }) },
        caller: asker.principal as Principal,
        cause: asker.cause,
        signal: asker.signal,
        note: ({ type, status, reason, mode }) =>
          note({
            typeName: type,
            typeArn: registry.arn({ name: type }),
            versionId: HOOK_VERSION,
            mode: mode as 'FAIL' | 'WARN',
            status,
            message: reason,
            at: handle.clock.now(),
          }),
      });
      return undefined;
    } catch (error) {
      if (error instanceof HooksFailed) return error.message;
      throw error;
    }
  },
});
