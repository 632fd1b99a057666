import type { ServiceAuthorization } from '@emu/core';
import type { ResourcegroupstaggingapiOperations } from '@emu/service-types/resourcegroupstaggingapi';
import type { TaggingState } from './state.ts';

/**
 * Each operation needs its own action on everything; tagging needs the resource's own service to allow it besides.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonresourcegrouptaggingapi.html
 */
export const authorization: ServiceAuthorization<ResourcegroupstaggingapiOperations, TaggingState> = {
  prefix: 'tag',
  operations: {},
  otherwise: (operation) => ({ action: `tag:${operation}`, resource: '*' }),
};
