import { Paging } from '@emu/core/service';
import type { PipesOperations } from '@emu/service-types/pipes';
import { invalid } from './errors.ts';
import { pagination } from './generated/pipes-pagination.ts';

/** Paging of EventBridge Pipes' lists. */
export const paging = new Paging<PipesOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalid('Invalid NextToken.'),
});
