import type { CallOptions } from '../calls/calls.ts';
import { servicePrincipal } from '../identity/service-principal.ts';

/**
 * Returns the caller of a service's calls for a resource of an account, whose policies the call must satisfy.
 * @param service name in principals
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
