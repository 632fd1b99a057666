import { Paging } from '@emu/core';
import { invalidParameter } from './errors.ts';
import type { SnsOperations } from './generated/sns.ts';
import { pagination } from './generated/sns-pagination.ts';

/** Pages of SNS's lists. */
export const paging = new Paging<SnsOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidParameter('NextToken'),
});
