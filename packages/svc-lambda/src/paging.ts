import { Paging } from '@emu/core/service';
import type { LambdaOperations } from '@emu/service-types/lambda';
import { invalid } from './errors.ts';
import { pagination } from './generated/lambda-pagination.ts';

/** Paging of Lambda's lists. */
export const paging = new Paging<LambdaOperations, typeof pagination>(pagination, {
  defaultLimit: 50,
  maxLimit: 50,
  invalidToken: () => invalid('The provided marker is invalid.'),
});
