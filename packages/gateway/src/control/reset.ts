import type { Kernel } from '@emu/core';
import { type Route, route } from './route.ts';

/**
 * The reset routes. In persistent mode the state is removed from disk before the response.
 * @param resetAll removes everything and runs what follows a full reset
 */
export function resetRoutes(kernel: Kernel, resetAll: () => Promise<void>): Route[] {
  const reset = async (service: string, accountId?: string): Promise<{ json: { reset: true } }> => {
    const family = kernel.manifests.filter(({ name, resetWith }) => name === service || resetWith === service);
    // The kernel rejects an unknown name.
    const names = family.length ? family.map(({ name }) => name) : [service];
    for (const name of names) await kernel.reset(name, accountId);
    return { json: { reset: true } };
  };
  return [
    route('POST /_reset', async () => {
      await resetAll();
      return { json: { reset: true } };
    }),
    route('POST /_emulator/reset/{service}', ({ params }) => reset(params.service)),
    route('POST /_emulator/reset/{service}/{account_id}', ({ params }) => reset(params.service, params.account_id)),
  ];
}
