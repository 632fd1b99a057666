import type { AttributeValue } from '@emu/service-types/dynamodb';
import { dynamodbError } from '../errors.ts';
import { canonicalNumber, compareNumbers, numberSize } from './numbers.ts';

/** An item or a map within one: attributes by name. */
export type Item = { [name: string]: AttributeValue };

/** DynamoDB's data types, named as the members of `AttributeValue`. */
export type AttributeType = 'S' | 'N' | 'B' | 'SS' | 'NS' | 'BS' | 'M' | 'L' | 'NULL' | 'BOOL';

const TYPES: readonly AttributeType[] = ['S', 'N', 'B', 'SS', 'NS', 'BS', 'M', 'L', 'NULL', 'BOOL'];

/** Maximum nesting depth of values, including the attribute itself. */
const MAX_DEPTH = 32;

const invalid = (message: string) => dynamodbError('ValidationException', message);

/** Returns the type of a validated value. */
export function typeOf(value: AttributeValue): AttributeType {
  for (const name in value) if (value[name as AttributeType] !== undefined) return name as AttributeType;
  throw new Error('an attribute value without a type');
}

/**
 * Validates a value from a client and returns it in canonical form, with normalized numbers and without other members.
 * @throws AwsError `ValidationException` with DynamoDB's message
 */
export function checkedValue(value: AttributeValue, depth = 1): AttributeValue {
  if (depth > MAX_DEPTH) throw tooDeep();
  let type: AttributeType | undefined;
  for (const name of TYPES) {
    if (value[name] === undefined) continue;
    if (type !== undefined)
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    type = name;
  }
  switch (type) {
    case undefined:
      throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
    case 'N':
      return { N: canonicalNumber(value.N!) };
    case 'NULL':
      if (value.NULL !== true)
        throw invalid(
          'One or more parameter values were invalid: Null attribute value types must have the value of true',
        );
      return value;
    case 'SS':
    case 'NS':
    case 'BS':
      return checkedSet(type, value);
    case 'L':
      return { L: value.L!.map((element) => checkedValue(element, depth + 1)) };
    case 'M':
      return { M: checkedItem(value.M!, depth + 1) };
    default:
      return value;
  }
}

/**
 * Validates all attributes of an item, key or map; see `checkedValue`.
 * @throws AwsError `ValidationException`
 */
export function checkedItem(item: Item, depth = 1): Item {
  const out: Item = {};
  for (const name of Object.keys(item)) {
    // emu's own message.
    if (name === '' && depth === 1)
      throw invalid('One or more parameter values were invalid: An attribute name must have at least one character');
    const value = checkedValue(item[name]!, depth);
    // Assigning to __proto__ would change the prototype instead of adding an attribute.
    if (name === '__proto__')
      Object.defineProperty(out, name, { value, enumerable: true, writable: true, configurable: true });
    else out[name] = value;
  }
  return out;
}

const tooDeep = () =>
  invalid(
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
  );

/**
 * Checks the nesting depth of a validated value.
 * @throws AwsError `ValidationException`
 */
export function checkDepth(value: AttributeValue, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (value.L) for (const element of value.L) checkDepth(element, depth + 1);
  if (value.M) for (const name of Object.keys(value.M)) checkDepth(value.M[name]!, depth + 1);
}

function checkedSet(type: 'SS' | 'NS' | 'BS', value: AttributeValue): AttributeValue {
  const elements = value[type]!;
  const kind = type === 'SS' ? 'string' : 'number';
  if (!elements.length)
    throw invalid(
      type === 'BS'
        ? 'One or more parameter values were invalid: Binary sets should not be empty'
        : `One or more parameter values were invalid: An ${kind} set  may not be empty`,
    );
  const canonical = type === 'NS' ? value.NS!.map(canonicalNumber) : elements;
  const seen = new Set<string>();
  for (const element of canonical) {
    const identity = typeof element === 'string' ? element : Buffer.from(element).toString('base64');
    if (seen.has(identity))
      throw invalid(
        type === 'NS'
          ? 'Input collection contains duplicates'
          : `One or more parameter values were invalid: Input collection ${describeSet(elements)}${type === 'BS' ? 'of type BS' : ''} contains duplicates.`,
      );
    seen.add(identity);
  }
  return { [type]: inOrder<string | Uint8Array>(type, canonical) } as AttributeValue;
}

/** Returns the elements of a set in DynamoDB's order: strings and binary values by bytes, numbers by value. */
export function inOrder<Element extends string | Uint8Array>(
  type: 'SS' | 'NS' | 'BS',
  elements: readonly Element[],
): Element[] {
  const compare = { SS: compareStrings, NS: compareNumbers, BS: Buffer.compare }[type] as (
    left: Element,
    right: Element,
  ) => number;
  return elements.toSorted(compare);
}

const describeSet = (elements: readonly (string | Uint8Array)[]): string =>
  `[${elements.map((element) => (typeof element === 'string' ? element : Buffer.from(element).toString('base64'))).join(', ')}]`;

/** Compares strings by their UTF-8 bytes, equivalent to their code points. */
function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a === b) continue;
    // Surrogates represent code points above all those of single units.
    const aHigh = a >= 0xd800 && a <= 0xdfff;
    const bHigh = b >= 0xd800 && b <= 0xdfff;
    return aHigh === bHigh ? a - b : aHigh ? 1 : -1;
  }
  return left.length - right.length;
}

/** Compares two scalars; undefined if their types differ or are not comparable. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  if (left.S !== undefined) return right.S === undefined ? undefined : compareStrings(left.S, right.S);
  if (left.N !== undefined) return right.N === undefined ? undefined : compareNumbers(left.N, right.N);
  if (left.B !== undefined) return right.B === undefined ? undefined : Buffer.compare(left.B, right.B);
  return undefined;
}

const sameBytes = (left: Uint8Array, right: Uint8Array): boolean => Buffer.compare(left, right) === 0;

/** Whether two validated values are equal; sets ignore order. */
export function equalValues(left: AttributeValue, right: AttributeValue): boolean {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  switch (type) {
    case 'B':
      return sameBytes(left.B!, right.B!);
    case 'SS':
    case 'NS': {
      const other = new Set<string>(right[type]);
      return left[type]!.length === other.size && left[type]!.every((element) => other.has(element));
    }
    case 'BS':
      return (
        left.BS!.length === right.BS!.length &&
        left.BS!.every((element) => right.BS!.some((candidate) => sameBytes(element, candidate)))
      );
    case 'L':
      return (
        left.L!.length === right.L!.length && left.L!.every((element, index) => equalValues(element, right.L![index]!))
      );
    case 'M':
      return equalItems(left.M!, right.M!);
    default:
      return left[type] === right[type];
  }
}

/** Whether two validated items are equal. */
export function equalItems(left: Item, right: Item): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalValues(left[name]!, right[name]!))
  );
}

/** Returns the bytes of a value as defined by "Item sizes and formats" of the developer guide. */
function valueSize(value: AttributeValue): number {
  const type = typeOf(value);
  switch (type) {
    case 'S':
      return Buffer.byteLength(value.S!);
    case 'N':
      return numberSize(value.N!);
    case 'B':
      return value.B!.byteLength;
    case 'SS':
      return value.SS!.reduce((sum, element) => sum + Buffer.byteLength(element), 0);
    case 'NS':
      return value.NS!.reduce((sum, element) => sum + numberSize(element), 0);
    case 'BS':
      return value.BS!.reduce((sum, element) => sum + element.byteLength, 0);
    case 'L':
      return value.L!.reduce((sum, element) => sum + 1 + valueSize(element), 3);
    case 'M':
      return Object.keys(value.M!).reduce(
        (sum, name) => sum + 1 + Buffer.byteLength(name) + valueSize(value.M![name]!),
        3,
      );
    default:
      return 1;
  }
}

/** Returns the bytes of an item: its attribute names and values. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const name of Object.keys(item)) size += Buffer.byteLength(name) + valueSize(item[name]!);
  return size;
}

/** Maximum bytes of an item. */
const MAX_ITEM_BYTES = 400 * 1024;

/**
 * Checks the size of an item.
 * @throws AwsError `ValidationException` with the given message
 */
export function checkSize(item: Item, message = 'Item size has exceeded the maximum allowed size'): void {
  if (itemSize(item) > MAX_ITEM_BYTES) throw invalid(message);
}
