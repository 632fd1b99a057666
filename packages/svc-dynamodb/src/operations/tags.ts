import { parseArn } from '@emu/core';
import { awsError } from '@emu/wire';
import { type Context, invalid } from '../context.ts';
import type {
  ListTagsOfResourceInput,
  ListTagsOfResourceOutput,
  Tag,
  TagResourceInput,
  UntagResourceInput,
} from '../generated/dynamodb.ts';
import type { Table } from '../tables/table.ts';

const MAX_TAGS = 50;

/** Checks a list of tags. @throws AwsError `ValidationException` */
export function checkTags(tags: readonly Tag[]): void {
  const keys = new Set<string>();
  for (const { Key: key } of tags) {
    if (key.startsWith('aws:')) throw invalid(`Tag Key cannot be prefixed with aws:, Key: ${key}`);
    if (keys.has(key)) throw invalid(`Duplicate Tag Keys provided as input: Duplicate Tag Key found ${key}`);
    keys.add(key);
  }
  checkCount(keys.size);
}

function checkCount(tags: number): void {
  if (tags > MAX_TAGS) throw invalid('Number of Tags exceed the current limit for the provided ResourceArn');
}

function taggedTable(ctx: Context, value: string): Table {
  const arn = parseArn(value);
  if (arn?.service !== 'dynamodb' || !arn.resource.startsWith('table/'))
    throw invalid(`Invalid TableArn: Invalid ResourceArn provided as input ${value}`);
  const table = ctx.handle.state(arn.accountId, arn.region).table(arn.resource.slice('table/'.length));
  if (!table || arn.accountId !== ctx.accountId)
    throw awsError('ResourceNotFoundException', `Requested resource not found: ResourcArn: ${value} not found`);
  return table;
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TagResource.html */
export function TagResource(input: TagResourceInput, ctx: Context): Record<string, never> {
  if (!input.Tags.length) throw invalid('Atleast one Tag needs to be provided as Input.');
  checkTags(input.Tags);
  const table = taggedTable(ctx, input.ResourceArn);
  const tags = { ...table.record.tags, ...Object.fromEntries(input.Tags.map(({ Key, Value }) => [Key, Value])) };
  checkCount(Object.keys(tags).length);
  table.update((draft) => {
    draft.tags = tags;
  });
  return {};
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UntagResource.html */
export function UntagResource(input: UntagResourceInput, ctx: Context): Record<string, never> {
  if (!input.TagKeys.length) throw invalid('Atleast one Tag Key needs to be provided as Input.');
  const table = taggedTable(ctx, input.ResourceArn);
  table.update((draft) => {
    for (const key of input.TagKeys) delete draft.tags[key];
  });
  return {};
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListTagsOfResource.html */
export function ListTagsOfResource(input: ListTagsOfResourceInput, ctx: Context): ListTagsOfResourceOutput {
  const table = taggedTable(ctx, input.ResourceArn);
  return { Tags: Object.entries(table.record.tags).map(([Key, Value]) => ({ Key, Value })) };
}
