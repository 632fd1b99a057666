import { Paging } from '@emu/core/service';
import type { S3controlOperations } from '@emu/service-types/s3control';
import { invalidRequest, s3controlError } from './errors.ts';
import { pagination } from './generated/s3control-pagination.ts';

const INCORRECT = 'The continuation token provided is incorrect';

/** Paging of S3 Control's lists. */
export const paging = new Paging<S3controlOperations, typeof pagination>(pagination, {
  defaultLimit: 1000,
  invalidToken: (_token, operation) =>
    // S3 Batch Operations has its own error code.
    operation === 'ListJobs'
      ? s3controlError('InvalidNextTokenException', INCORRECT, { status: 400 })
      : invalidRequest(INCORRECT),
});
