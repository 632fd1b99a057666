import { Paging } from '@emu/core/service';
import type { SqsOperations } from '@emu/service-types/sqs';
import { invalidParameterValue, invalidValueFor } from './errors.ts';
import { pagination } from './generated/sqs-pagination.ts';

const MAX_RESULTS = 1000;

/** Paging of SQS's lists. Without MaxResults, returns up to 1,000 items and no token. */
export const paging = new Paging<SqsOperations, typeof pagination>(pagination, {
  defaultLimit: MAX_RESULTS,
  invalidToken: () => invalidParameterValue('Invalid or expired next token.'),
});

/** @throws AwsError `InvalidParameterValue` */
export function checkMaxResults(limit: number | undefined): void {
  if (limit !== undefined && !(limit >= 1 && limit <= MAX_RESULTS))
    throw invalidValueFor('MaxResults', limit, `Must be between 1 and ${MAX_RESULTS}, if provided.`);
}
