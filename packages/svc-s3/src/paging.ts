import { Paging } from '@emu/core/service';
import type { S3Operations } from '@emu/service-types/s3';
import { invalidArgument } from './errors.ts';
import { pagination } from './generated/s3-pagination.ts';

/**
 * Lists with continuation tokens. Object lists continue at the key in a token; the markers of other lists are keys,
 * upload ids and numbers.
 */
export const paging = new Paging<S3Operations, typeof pagination>(pagination, {
  defaultLimit: 1000,
  invalidToken: (token) => invalidArgument('The continuation token provided is incorrect', 'continuation-token', token),
  anyParameters: ['ListObjectsV2'],
});
