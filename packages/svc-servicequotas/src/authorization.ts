import { namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { ServicequotasOperations } from '@emu/service-types/servicequotas';
import { resources } from './resources.ts';
import type { ServicequotasState } from './state.ts';

/**
 * Permissions that the operations of Service Quotas require: their action, on the quota where AWS defines it.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_servicequotas.html
 */
export const authorization: ServiceAuthorization<ServicequotasOperations, ServicequotasState> = {
  prefix: 'servicequotas',
  withoutResource: { ListTagsForResource: true, TagResource: true, UntagResource: true },
  otherwise(operation, input, ctx) {
    const action = `servicequotas:${operation}`;
    const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
    if (!named) return { action, resource: '*' };
    return permissionOn(action, named.type, named.address, ctx.handle);
  },
};
