import { Paging } from '@emu/core/service';
import type { CognitoIdentityOperations } from '@emu/service-types/cognito-identity';
import { invalidParameter } from './errors.ts';
import { pagination } from './generated/cognito-identity-pagination.ts';

/** Maximum page size. */
const MAX_ITEMS = 60;

/** Paging of identity pools' lists. */
export const paging = new Paging<CognitoIdentityOperations, typeof pagination>(pagination, {
  defaultLimit: MAX_ITEMS,
  maxLimit: MAX_ITEMS,
  invalidToken: () => invalidParameter('Invalid pagination token'),
});
