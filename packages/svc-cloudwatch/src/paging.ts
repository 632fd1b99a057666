import { numericKey, Paging } from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import { cloudwatchError } from './errors.ts';
import { pagination } from './generated/cloudwatch-pagination.ts';

/** Pagination of CloudWatch's lists. */
export const paging = new Paging<CloudwatchOperations, typeof pagination>(pagination, {
  defaultLimit: 500,
  invalidToken: () => cloudwatchError('InvalidNextToken', 'The service could not read the next token.'),
});

/** Returns a key that sorts by time, then by name. */
export const byTime = (at: number, name: string): string => `${numericKey(at)} ${name}`;
