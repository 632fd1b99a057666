import { Paging } from '@emu/core/service';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import { invalidToken } from './errors.ts';
import { pagination } from './generated/stepfunctions-pagination.ts';

const DEFAULT_LIMIT = 100;
const MAX = 1000;

/** Pages of Step Functions' lists. */
export const paging = new Paging<StepfunctionsOperations, typeof pagination>(pagination, {
  defaultLimit: DEFAULT_LIMIT,
  maxLimit: MAX,
  invalidToken,
});
