import { ControlError, type Kernel } from '@emu/core';
import { type Route, route } from './router.ts';

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
    route('POST /_reset', async () => {
      await kernel.reset();
      return { json: { reset: true } };
    }),
    route('POST /_emulator/reset/{service}', ({ params }) => reset(params.service)),
    route('POST /_emulator/reset/{service}/{account_id}', ({ params: { service, account_id: accountId } }) => {
      if (WITHOUT_ACCOUNTS.has(service))
        throw new ControlError(400, 'InvalidRequest', `${service} has no state per account; reset all of it.`);
      if (!/^\d{12}$/.test(accountId))
        throw new ControlError(400, 'InvalidRequest', `${JSON.stringify(accountId)} is not a 12-digit account id.`);
      return reset(service, accountId);
    }),
  ];
}
