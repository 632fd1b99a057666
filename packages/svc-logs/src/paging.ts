import { Paging } from '@emu/core/service';
import type { LogsOperations } from '@emu/service-types/logs';
import { invalidParameter } from './errors.ts';
import { pagination } from './generated/logs-pagination.ts';

/** Creates the error for an invalid token. */
export const invalidToken = () => invalidParameter('The specified nextToken is invalid.');

/** Paging of CloudWatch Logs' lists. */
export const paging = new Paging<LogsOperations, typeof pagination>(pagination, {
  defaultLimit: 50,
  invalidToken,
});
