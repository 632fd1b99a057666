import { Paging } from '@emu/core/service';
import type { Apigatewayv2Operations } from '@emu/service-types/apigatewayv2';
import { badRequest } from './errors.ts';
import { pagination } from './generated/apigatewayv2-pagination.ts';

const MAX = 500;

/** Pages of API Gateway's lists. */
export const paging = new Paging<Apigatewayv2Operations, typeof pagination>(pagination, {
  defaultLimit: MAX,
  maxLimit: MAX,
  invalidToken: () => badRequest('Invalid NextToken specified'),
});

/**
 * Parses the number in `MaxResults`, which is text in this service.
 * @throws AwsError `BadRequestException`
 */
export function withLimit<Input extends { MaxResults?: string | undefined }>(input: Input): Input {
  if (input.MaxResults === undefined) return input;
  const limit = Number(input.MaxResults);
  if (!Number.isInteger(limit) || limit < 1) throw badRequest('Invalid MaxResults specified');
  return { ...input, MaxResults: limit as never };
}
