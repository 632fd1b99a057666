import { Paging } from '@emu/core/service';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';
import { badRequest } from './errors.ts';
import { pagination } from './generated/resourcegroups-pagination.ts';

/** Paging of Resource Groups' lists. */
export const paging = new Paging<ResourcegroupsOperations, typeof pagination>(pagination, {
  defaultLimit: 50,
  invalidToken: () => badRequest('The pagination token is not valid for this request.'),
});
