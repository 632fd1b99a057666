import { Paging } from '@emu/core/service';
import type { ServicequotasOperations } from '@emu/service-types/servicequotas';
import { illegalArgument, servicequotasError } from './errors.ts';
import { pagination } from './generated/servicequotas-pagination.ts';

/** Paging of Service Quotas' lists. */
export const paging = new Paging<ServicequotasOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: (_token, operation) =>
    operation === 'GetQuotaUtilizationReport'
      ? illegalArgument('The pagination token is invalid.')
      : servicequotasError('InvalidPaginationTokenException', 'The pagination token is invalid.'),
});
