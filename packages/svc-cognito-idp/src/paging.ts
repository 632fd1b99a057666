import { Paging } from '@emu/core/service';
import type { CognitoIdpOperations } from '@emu/service-types/cognito-idp';
import { invalidParameter } from './errors.ts';
import { pagination } from './generated/cognito-idp-pagination.ts';

/** Maximum number of items of a page. */
export const MAX_ITEMS = 60;

/** Pagination of Cognito's lists. */
export const paging = new Paging<CognitoIdpOperations, typeof pagination>(pagination, {
  defaultLimit: MAX_ITEMS,
  maxLimit: MAX_ITEMS,
  invalidToken: () => invalidParameter('Invalid pagination token'),
});
