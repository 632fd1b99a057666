import { hash } from 'node:crypto';
import { exceedsBytes } from '@emu/core/service';
import type { AttributeDefinition, AttributeValue, KeySchemaElement } from '@emu/service-types/dynamodb';
import { AwsError } from '@emu/wire';
import { dynamodbError } from '../errors.ts';
import { numberBytes } from './numbers.ts';
import { compareValues, type Item, typeOf } from './values.ts';

/** A key attribute and its type. */
export interface KeyAttribute {
  name: string;
  type: 'S' | 'N' | 'B';
}

/** The key of a table or an index. Indexes may have several attributes of each kind. */
export interface KeySchema {
  hash: readonly KeyAttribute[];
  range: readonly KeyAttribute[];
}

/** Maximum bytes of a partition key and of a sort key. */
const MAX_HASH_BYTES = 2048;
const MAX_RANGE_BYTES = 1024;

const invalid = (message: string) => dynamodbError('ValidationException', message);

/** Returns a key schema combined with the types of its attributes. */
export function keySchemaOf(
  elements: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeySchema {
  const attributes = (kind: string): KeyAttribute[] =>
    elements
      .filter((element) => element.KeyType === kind)
      .map(({ AttributeName: name }) => ({
        name,
        type: definitions.find((definition) => definition.AttributeName === name)!.AttributeType,
      }));
  return { hash: attributes('HASH'), range: attributes('RANGE') };
}

/** Returns all attributes of a key, partition key first. */
export function keyAttributes(schema: KeySchema): KeyAttribute[] {
  return [...schema.hash, ...schema.range];
}

/** Returns the key of an item. */
export function keyOf(item: Item, schema: KeySchema): Item {
  const key: Item = {};
  for (const { name } of keyAttributes(schema)) if (item[name]) key[name] = item[name];
  return key;
}

function scalarBytes(value: AttributeValue): number {
  return value.S !== undefined ? Buffer.byteLength(value.S) : (value.B?.byteLength ?? 0);
}

function checkLength(value: AttributeValue, isHash: boolean): void {
  const bytes = scalarBytes(value);
  if (isHash && bytes > MAX_HASH_BYTES)
    throw invalid(
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    );
  if (!isHash && bytes > MAX_RANGE_BYTES)
    throw invalid(
      'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    );
}

const isEmpty = (value: AttributeValue): boolean => value.S === '' || value.B?.byteLength === 0;

/**
 * Validates the key attributes of an item to put.
 * @throws AwsError `ValidationException` for missing, mistyped, empty or too long keys
 */
export function checkItemKey(item: Item, schema: KeySchema): void {
  for (const { name, type } of keyAttributes(schema)) {
    const value = item[name];
    if (!value) throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    if (value[type] === undefined)
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`,
      );
    checkNotEmpty(name, value);
  }
  for (const { name } of schema.hash) checkLength(item[name]!, true);
  for (const { name } of schema.range) checkLength(item[name]!, false);
}

function checkNotEmpty(name: string, value: AttributeValue): void {
  if (!isEmpty(value)) return;
  const kind = value.S === '' ? 'string' : 'binary';
  throw invalid(
    `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`,
  );
}

/**
 * Validates a `Key` parameter: exactly the key attributes with their types.
 * @throws AwsError `ValidationException`
 */
export function checkKey(key: Item, schema: KeySchema): void {
  const attributes = keyAttributes(schema);
  const mismatch = 'The provided key element does not match the schema';
  if (Object.keys(key).length !== attributes.length) throw invalid(mismatch);
  for (const { name, type } of attributes) {
    const value = Object.hasOwn(key, name) ? key[name] : undefined;
    if (value?.[type] === undefined) throw invalid(mismatch);
    checkNotEmpty(name, value);
  }
  for (const { name } of schema.hash) checkLength(key[name]!, true);
  for (const { name } of schema.range) checkLength(key[name]!, false);
}

/** An empty key of an index. Transactions are rejected for it rather than cancelled. */
export class EmptyIndexKey extends AwsError {
  constructor(message: string) {
    super('ValidationException', `One or more parameter values are not valid. ${message}`);
  }
}

/** Whether an item is a request's own or the result of an update, which has messages of its own. */
export type ItemSource = 'put' | 'update';

/**
 * Validates the attributes of an item that are keys of a secondary index: rejects a wrong type, an empty or a too long
 * value; an item without them is not in the index.
 * @throws EmptyIndexKey
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export function checkIndexKey(item: Item, indexName: string, schema: KeySchema, source: ItemSource): void {
  for (const attribute of keyAttributes(schema)) {
    const { name, type } = attribute;
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (!value) continue;
    if (value[type] === undefined)
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${indexName}`,
      );
    if (isEmpty(value)) {
      const empty = `The AttributeValue for a key attribute cannot contain an empty ${value.S === '' ? 'string' : 'binary'} value.`;
      throw new EmptyIndexKey(
        source === 'update'
          ? `The update expression attempted to update a secondary index key to a value that is not supported. ${empty}`
          : `A value specified for a secondary index key is not supported. ${empty} IndexName: ${indexName}, IndexKey: ${name}`,
      );
    }
    const most = schema.hash.includes(attribute) ? MAX_HASH_BYTES : MAX_RANGE_BYTES;
    if (isLonger(value, most))
      throw invalid(
        source === 'update'
          ? 'The update expression attempted to update the secondary index key beyond allowed size limits'
          : `One or more parameter values were invalid: Size limit exceeded for Index Key ${name} Actual Size: ${scalarBytes(value)} bytes Max Size: ${most} bytes IndexName: ${indexName}`,
      );
  }
}

/** Whether a key value has more than a number of bytes. */
const isLonger = (value: AttributeValue, most: number): boolean =>
  value.S === undefined ? (value.B?.byteLength ?? 0) > most : exceedsBytes(value.S, most);

/** Whether an item has valid key attributes of a secondary index; otherwise the index does not contain it. */
export function hasIndexKey(item: Item, schema: KeySchema): boolean {
  const fits = ({ name, type }: KeyAttribute, most: number): boolean => {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    return value?.[type] !== undefined && !isEmpty(value) && !isLonger(value, most);
  };
  return (
    schema.hash.every((attribute) => fits(attribute, MAX_HASH_BYTES)) &&
    schema.range.every((attribute) => fits(attribute, MAX_RANGE_BYTES))
  );
}

/**
 * Checks that no key attribute of an item or a key is empty.
 * @throws AwsError `ValidationException`
 */
export function checkNoEmptyKeys(item: Item, schema: KeySchema): void {
  for (const { name, type } of keyAttributes(schema)) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value?.[type] !== undefined) checkNotEmpty(name, value);
  }
}

/** Returns text for a key value, unique among values of its type. */
function scalarText(value: AttributeValue): string {
  return value.S ?? value.N ?? Buffer.from(value.B!).toString('base64');
}

/** Returns the identity of an item within its table, derived from its key attributes. */
export function identityOf(item: Item, schema: KeySchema): string {
  const hash = scalarText(item[schema.hash[0]!.name]!);
  const range = schema.range[0];
  // The length distinguishes ("ab", "c") from ("a", "bc").
  return range ? `${hash.length}:${hash}${scalarText(item[range.name]!)}` : hash;
}

/** Returns text of all partition key attributes, equal for all items of a partition. */
export function partitionText(item: Item, schema: KeySchema): string {
  if (schema.hash.length === 1) return scalarText(item[schema.hash[0]!.name]!);
  return schema.hash.map(({ name }) => scalarText(item[name]!)).join('\u0000');
}

/**
 * Returns the position of a partition in the key space: the first 32 bits of an MD5 over a constant and the key, as in
 * DynamoDB, so that scans and their segments have AWS's order.
 */
export function partitionHash(item: Item, schema: KeySchema): number {
  const digest =
    schema.hash.length === 1 && schema.hash[0]!.type === 'S'
      ? hash('md5', SALT + item[schema.hash[0]!.name]!.S!, 'binary')
      : hash(
          'md5',
          Buffer.concat([SALT_BYTES, ...schema.hash.map(({ name }) => scalarKeyBytes(item[name]!))]),
          'binary',
        );
  return (
    ((digest.charCodeAt(0) << 24) |
      (digest.charCodeAt(1) << 16) |
      (digest.charCodeAt(2) << 8) |
      digest.charCodeAt(3)) >>>
    0
  );
}

const SALT = 'Outliers';
const SALT_BYTES = Buffer.from(SALT);

const scalarKeyBytes = (value: AttributeValue): Uint8Array =>
  value.N === undefined ? (value.B ?? Buffer.from(value.S!)) : numberBytes(value.N);

/** Compares two items of one partition by the leading sort key attributes that both have. */
export function compareRange(left: Item, right: Item, schema: KeySchema): number {
  for (const { name } of schema.range) {
    const a = left[name];
    const b = right[name];
    if (!a || !b) return 0;
    const order = compareValues(a, b)!;
    if (order !== 0) return order;
  }
  return 0;
}
