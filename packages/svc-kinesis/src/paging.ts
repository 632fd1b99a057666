import { Paging } from '@emu/core/service';
import type { KinesisOperations } from '@emu/service-types/kinesis';
import { invalidArgument } from './errors.ts';
import { pagination } from './generated/kinesis-pagination.ts';

/** Pages of Kinesis's lists. */
export const paging = new Paging<KinesisOperations, typeof pagination>(pagination, {
  defaultLimit: 100,
  invalidToken: () => invalidArgument('NextToken is invalid.'),
  // A token of ListShards names the stream and the filter itself, which must not be given beside it.
  anyParameters: ['ListShards'],
});
