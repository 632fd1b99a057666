import { type ContextValue, tagCondition } from '@emu/core/service';
import type { AttributeValue } from '@emu/service-types/dynamodb';
import { keyComparisons } from '../expressions/key-condition.ts';
import { Placeholders } from '../expressions/placeholders.ts';
import { parseProjection } from '../expressions/syntax.ts';
import type { Table } from '../tables/table.ts';

type Attributes = Record<string, AttributeValue>;

/** Members of item operations' inputs that condition keys depend on. */
export interface ItemInput {
  IndexName?: string | undefined;
  Key?: Attributes | undefined;
  /** Keys of several items, or items of puts. */
  Keys?: readonly Attributes[] | undefined;
  Item?: Attributes | undefined;
  AttributesToGet?: readonly string[] | undefined;
  AttributeUpdates?: object | undefined;
  ProjectionExpression?: string | undefined;
  KeyConditionExpression?: string | undefined;
  KeyConditions?: Record<string, { AttributeValueList?: AttributeValue[] | undefined }> | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Attributes | undefined;
  Select?: string | undefined;
  ReturnValues?: string | undefined;
  ReturnConsumedCapacity?: string | undefined;
}

/** Returns a key value in the form of policies: text, digits, or base64. */
function keyText(value: AttributeValue | undefined): string | undefined {
  return value?.S ?? value?.N ?? (value?.B && Buffer.from(value.B).toString('base64'));
}

/** Returns the partition key values that a request names. */
function leadingKeys(input: ItemInput, table: Table | undefined): string[] | undefined {
  const schema = input.IndexName === undefined ? table?.schema : table?.index(input.IndexName)?.items.schema;
  const name = schema?.hash[0]?.name;
  if (name === undefined) return undefined;
  const { Key, Item, Keys, KeyConditions, KeyConditionExpression: expression } = input;
  const found = [Key, Item, ...(Keys ?? [])].map((item) => keyText(item?.[name]));
  if (KeyConditions) found.push(keyText(KeyConditions[name]?.AttributeValueList?.[0]));
  if (expression !== undefined) {
    const placeholders = new Placeholders(input.ExpressionAttributeNames, input.ExpressionAttributeValues);
    for (const { attribute, operator, operands } of keyComparisons(expression, placeholders))
      if (attribute === name && operator === '=') found.push(keyText(operands[0]));
  }
  const keys = found.filter((key) => key !== undefined);
  return keys.length ? keys : undefined;
}

/** Returns the top-level attributes that a request reads or writes by name. */
function attributesOf(input: ItemInput): string[] | undefined {
  const { Key, Item, Keys, AttributesToGet, AttributeUpdates, ProjectionExpression: projection } = input;
  const names = new Set<string>(AttributesToGet ?? []);
  for (const item of [Key, Item, AttributeUpdates, ...(Keys ?? [])])
    for (const name of Object.keys(item ?? {})) names.add(name);
  if (projection !== undefined) {
    const placeholders = new Placeholders(input.ExpressionAttributeNames, undefined);
    for (const node of parseProjection(projection))
      names.add(String(placeholders.path('ProjectionExpression', node)[0]));
  }
  // Expressions are not parsed here; their attributes are known at least by their placeholders.
  for (const name of Object.values(input.ExpressionAttributeNames ?? {})) names.add(name);
  return names.size ? [...names] : undefined;
}

/**
 * Returns the condition keys of an item operation.
 * @param enclosing operation that contains the action, for example `TransactWriteItems`
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export function itemConditions(input: ItemInput, table: Table | undefined, enclosing?: string) {
  return (key: string): ContextValue | undefined => {
    switch (key) {
      case 'dynamodb:leadingkeys':
        return leadingKeys(input, table);
      case 'dynamodb:attributes':
        return attributesOf(input);
      case 'dynamodb:select':
        return input.Select;
      case 'dynamodb:returnvalues':
        return input.ReturnValues;
      case 'dynamodb:returnconsumedcapacity':
        return input.ReturnConsumedCapacity;
      case 'dynamodb:enclosingoperation':
        return enclosing;
      default:
        return tagCondition(key, { resource: table?.record.tags });
    }
  };
}
