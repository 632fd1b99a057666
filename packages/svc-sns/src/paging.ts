import { Paging } from '@emu/core/service';
import type { SnsOperations } from '@emu/service-types/sns';
import { invalidParameter } from './errors.ts';
import { pagination } from './generated/sns-pagination.ts';

/** Paging of SNS's lists. */
export const paging = new Paging<SnsOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidParameter('NextToken'),
});
