import { Paging } from '@emu/core/service';
import type { LambdaOperations } from '@emu/service-types/lambda';
import { invalidParameterValue } from './errors.ts';
import { pagination } from './generated/lambda-pagination.ts';

/** Paging of Lambda's lists. */
export const paging = new Paging<LambdaOperations, typeof pagination>(pagination, {
  defaultLimit: 50,
  maxLimit: 50,
  invalidToken: () => invalidParameterValue('The provided marker is invalid.'),
});
