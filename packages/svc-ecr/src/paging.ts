import { Paging } from '@emu/core/service';
import type { EcrOperations } from '@emu/service-types/ecr';
import { invalidParameter } from './errors.ts';
import { pagination } from './generated/ecr-pagination.ts';

/** Paging of ECR's lists. */
export const paging = new Paging<EcrOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidParameter('Invalid NextToken.'),
});
