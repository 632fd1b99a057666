import { ControlError, type Kernel } from '@emu/core';
import type { Route } from './router.ts';

/** Names that stand for several services. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = { apigateway: ['apigateway', 'apigatewayv2'] };
/** Services whose state belongs to no account. */
const WITHOUT_ACCOUNTS: ReadonlySet<string> = new Set(['organizations']);

/** The three resets. In persistent mode the state is gone from disk when they answer. */
export function resetRoutes(kernel: Kernel): Route[] {
  const reset = async (service: string, accountId?: string): Promise<{ json: { reset: true } }> => {
    const names = TOGETHER[service]?.filter((name) => kernel.services.includes(name)) ?? [];
    for (const name of names.length ? names : [service]) await kernel.reset(name, accountId);
    return { json: { reset: true } };
  };
  return [
    {
      method: 'POST',
      path: '/_reset',
      handle: async () => {
        await kernel.reset();
        return { json: { reset: true } };
      },
    },
    { method: 'POST', path: '/_emulator/reset/{service}', handle: ({ params }) => reset(params.service!) },
    {
      method: 'POST',
      path: '/_emulator/reset/{service}/{account_id}',
      handle: ({ params }) => {
        const { service, account_id: accountId } = params as { service: string; account_id: string };
        if (WITHOUT_ACCOUNTS.has(service))
          throw new ControlError(400, 'InvalidRequest', `${service} has no state per account; reset all of it.`);
        if (!/^\d{12}$/.test(accountId))
          throw new ControlError(400, 'InvalidRequest', `${JSON.stringify(accountId)} is not a 12-digit account id.`);
        return reset(service, accountId);
      },
    },
  ];
}
