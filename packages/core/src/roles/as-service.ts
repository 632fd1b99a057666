import type { CallOptions } from '../calls/calls.ts';
import { servicePrincipal } from '../identity/service-principal.ts';

/**
 * Returns as whom a service calls others for a resource of an account, whose policies the call must satisfy.
 * @param service as principals name it
 * @param sourceArn ARN of the resource: `aws:SourceArn`
 */
export const asService = (
  service: string,
  accountId: string,
  sourceArn: string,
): Required<Pick<CallOptions, 'principal' | 'authorize'>> => ({
  principal: servicePrincipal(service, accountId),
  authorize: { sourceArn, sourceAccount: accountId },
});
