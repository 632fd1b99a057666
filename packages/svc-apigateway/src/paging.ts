import { Paging } from '@emu/core';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import { badRequest } from './errors.ts';
import { pagination } from './generated/apigateway-pagination.ts';

/** Pages of API Gateway's lists. @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetRestApis.html */
export const paging = new Paging<ApigatewayOperations, typeof pagination>(pagination, {
  defaultLimit: 25,
  maxLimit: 500,
  invalidToken: () => badRequest('Invalid position parameter specified'),
});
