import type { InputOf, OutputOf } from '@emu/service-types/dynamodb';
import { awsError } from '@emu/wire';
import type { DynamodbContext } from '../context.ts';
import { invalid, stateAt } from '../context.ts';
import { paging } from '../paging.ts';
import { tableType } from '../resources.ts';
import type { Table } from '../tables/table.ts';
import { addTags, listOfTags, removeTags } from '../tags.ts';

function taggedTable(ctx: DynamodbContext, value: string): Table {
  const address = tableType.parse(value);
  if (!address) throw invalid(`Invalid TableArn: Invalid ResourceArn provided as input ${value}`);
  // Without a policy that allows it, tags of another account's table are hidden, whether the table exists or not.
  if (address.place.accountId !== ctx.accountId) {
    const action = `dynamodb:${ctx.operation}`;
    throw awsError(
      'AccessDeniedException',
      `User: ${ctx.principal.arn} is not authorized to perform: ${action} on resource: ${value} because no resource-based policy allows the ${action} action`,
    );
  }
  const table = stateAt(address.place, ctx)?.table(address.key.table);
  if (!table)
    throw awsError('ResourceNotFoundException', `Requested resource not found: ResourcArn: ${value} not found`);
  return table;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html */
export function TagResource(input: InputOf<'TagResource'>, ctx: DynamodbContext): OutputOf<'TagResource'> {
  if (!input.Tags.length) throw invalid('Atleast one Tag needs to be provided as Input.');
  addTags({}, input.Tags);
  const table = taggedTable(ctx, input.ResourceArn);
  const tags = addTags(table.record.tags, input.Tags);
  table.update((draft) => {
    draft.tags = tags;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UntagResource.html */
export function UntagResource(input: InputOf<'UntagResource'>, ctx: DynamodbContext): OutputOf<'UntagResource'> {
  if (!input.TagKeys.length) throw invalid('Atleast one Tag Key needs to be provided as Input.');
  const table = taggedTable(ctx, input.ResourceArn);
  table.update((draft) => {
    draft.tags = removeTags(draft.tags, input.TagKeys);
  });
  return {};
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html */
export function ListTagsOfResource(
  input: InputOf<'ListTagsOfResource'>,
  ctx: DynamodbContext,
): OutputOf<'ListTagsOfResource'> {
  const table = taggedTable(ctx, input.ResourceArn);
  const tags = listOfTags(table.record.tags);
  return paging.page('ListTagsOfResource', input, tags, ({ Key }) => Key).list((tag) => tag);
}
