import { Paging } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import { invalidArgument } from './errors.ts';
import { pagination } from './generated/kinesis-pagination.ts';

/** Paging of Kinesis's lists. */
export const paging = new Paging<KinesisOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidArgument('NextToken is invalid.'),
  // A ListShards token contains stream and filter, which must not be given in addition.
  anyParameters: ['ListShards'],
});
