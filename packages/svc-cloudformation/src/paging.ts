import { Paging } from '@emu/core/service';
import type { CloudformationOperations } from '@emu/service-types/cloudformation';
import { invalid } from './errors.ts';
import { pagination } from './generated/cloudformation-pagination.ts';

/** Paging of CloudFormation's lists. */
export const paging = new Paging<CloudformationOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  maxLimit: 100,
  invalidToken: () => invalid('Invalid NextToken'),
});
