import { Paging } from '@emu/core/service';
import type { SesOperations } from '@emu/service-types/ses';
import type { Sesv2Operations } from '@emu/service-types/sesv2';
import { badRequest, invalid } from './errors.ts';
import { pagination } from './generated/ses-pagination.ts';
import { pagination as v2Pagination } from './generated/sesv2-pagination.ts';

const MAX = 1000;

/** Pagination of version 1's lists. */
export const paging = new Paging<SesOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  maxLimit: MAX,
  invalidToken: () => invalid('ses', 'Invalid NextToken.'),
});

/** Pagination of version 2's lists. */
export const v2Paging = new Paging<Sesv2Operations, typeof v2Pagination>(v2Pagination, {
  defaultLimit: 100,
  maxLimit: MAX,
  invalidToken: () => badRequest('Invalid NextToken.'),
});
