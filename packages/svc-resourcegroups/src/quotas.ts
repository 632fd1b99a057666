import { type AnyQuota, defineQuotas } from '@emu/core/service';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';
import { badRequest } from './errors.ts';
import type { GroupsState } from './state.ts';

/** Quotas of Resource Groups. */
export const quotas: readonly AnyQuota[] = defineQuotas<ResourcegroupsOperations, GroupsState>([
  {
    serviceCode: 'resource-groups',
    code: 'L-2BAA18A0',
    name: 'Resource groups per account',
    defaultValue: 100,
    adjustable: true,
    page: 'https://docs.aws.amazon.com/general/latest/gr/arg.html',
    usage: ({ groups }) => groups.size,
    grows: { CreateGroup: ({ Name }, { groups }) => (groups.has(Name) ? undefined : groups.size + 1) },
    error: (limit) => badRequest(`The account has reached its limit of ${limit} resource groups.`),
  },
]);
