import { numericKey, Paging } from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import { badRequest } from './errors.ts';
import { pagination } from './generated/apigateway-pagination.ts';

/** Pagination of API Gateway's lists. @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApis.html */
export const paging = new Paging<ApigatewayOperations, typeof pagination>(pagination, {
  defaultLimit: 25,
  maxLimit: 500,
  invalidToken: () => badRequest('Invalid position parameter specified'),
});

/**
 * Returns items with keys that sort by creation; with `descending`, newest first, as recorded from AWS.
 * @param items in order of creation
 * @param madeAt returns the creation time of an item in epoch milliseconds
 */
export const byAge = <Item>(items: readonly Item[], madeAt: (item: Item) => number): { item: Item; age: string }[] =>
  // Items of the same millisecond keep their order.
  items.map((item, at) => ({ item, age: numericKey(madeAt(item)) + numericKey(at) }));
