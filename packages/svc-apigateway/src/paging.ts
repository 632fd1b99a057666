import { numericKey, Paging } from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import { badRequest } from './errors.ts';
import { pagination } from './generated/apigateway-pagination.ts';

/** Pages of API Gateway's lists. @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApis.html */
export const paging = new Paging<ApigatewayOperations, typeof pagination>(pagination, {
  defaultLimit: 25,
  maxLimit: 500,
  invalidToken: () => badRequest('Invalid position parameter specified'),
});

/**
 * Items by keys that sort as they were made; listed with `descending`, those made last come first, as recorded of AWS.
 * @param items in the order in which they were made
 * @param madeAt epoch milliseconds at which an item was made
 */
export const byAge = <Item>(items: readonly Item[], madeAt: (item: Item) => number): { item: Item; age: string }[] =>
  // What was made in the same millisecond keeps its order.
  items.map((item, at) => ({ item, age: numericKey(madeAt(item)) + numericKey(at) }));
