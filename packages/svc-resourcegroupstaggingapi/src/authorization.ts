import type { ServiceAuthorization } from '@emu/core/service';
import type { ResourcegroupstaggingapiOperations } from '@emu/service-types/resourcegroupstaggingapi';
import type { TaggingState } from './state.ts';

/**
 * Permissions of the operations: their action on all resources. Tagging also requires permission from the resource's
 * own service.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonresourcegrouptaggingapi.html
 */
export const authorization: ServiceAuthorization<ResourcegroupstaggingapiOperations, TaggingState> = {
  prefix: 'tag',
  operations: {},
  otherwise: (operation) => ({ action: `tag:${operation}`, resource: '*' }),
};
