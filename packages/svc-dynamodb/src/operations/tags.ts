import { stateInRegion, tagOperations } from '@emu/core/service';
import type { DynamodbOperations } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { accessDenied, checkRegion } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import { paging } from '../paging.ts';
import { tableType } from '../resources.ts';
import type { DynamoState } from '../state.ts';
import { tagging } from '../tags.ts';

interface TableTarget {
  state: DynamoState;
  key: { table: string };
}

/** Returns the table with an ARN. @throws AwsError `ResourceNotFoundException`, `AccessDeniedException` */
function tableAt(value: string, ctx: DynamodbContext): TableTarget {
  const address = tableType.parse(value);
  if (!address) throw invalid(`Invalid TableArn: Invalid ResourceArn provided as input ${value}`);
  // Without a policy that allows it, tags of another account's table are hidden, whether the table exists or not.
  if (address.place.accountId !== ctx.accountId) throw accessDenied(ctx, value);
  checkRegion(ctx, value, address.place);
  const state = stateInRegion(address.place, ctx);
  if (!state?.table(address.key.table))
    throw dynamodbError('ResourceNotFoundException', `Requested resource not found: ResourcArn: ${value} not found`);
  return { state, key: address.key };
}

/** Tags of tables. @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<DynamodbOperations, DynamodbContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: [
    'ListTagsOfResource',
    (tags, input) => paging.page('ListTagsOfResource', input, tags, ({ Key }) => Key).list((tag) => tag),
  ],
  checkFirst({ added, removed }) {
    if (added && !added.length) throw invalid('Atleast one Tag needs to be provided as Input.');
    if (removed && !removed.length) throw invalid('Atleast one Tag Key needs to be provided as Input.');
    tagging.merge(undefined, added);
  },
  resource({ ResourceArn }, ctx) {
    const { state, key } = tableAt(ResourceArn, ctx);
    return tableType.tagged(state, key)!;
  },
});
