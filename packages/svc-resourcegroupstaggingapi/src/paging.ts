import { Paging } from '@emu/core/service';
import type { ResourcegroupstaggingapiOperations } from '@emu/service-types/resourcegroupstaggingapi';
import { invalidParameter } from './errors.ts';
import { pagination } from './generated/resourcegroupstaggingapi-pagination.ts';

/** Paging of the tagging API's lists. */
export const paging = new Paging<ResourcegroupstaggingapiOperations, typeof pagination>(pagination, {
  defaultLimit: 50,
  invalidToken: () => invalidParameter('The pagination token is not valid for this request.'),
});

/** Returns a page. The last page has an empty token. */
export const withToken = <Page extends object>(page: Page): Page & { PaginationToken: string } => ({
  PaginationToken: '',
  ...page,
});
