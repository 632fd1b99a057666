import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { Item } from '../attributes/values.ts';

/** Items as Amazon Ion text, in the form of "DynamoDB table export output format" of the developer guide. */

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const KEYWORDS = new Set(['null', 'true', 'false', 'nan']);

function fieldName(name: string): string {
  if (IDENTIFIER.test(name) && !KEYWORDS.has(name)) return name;
  return `'${JSON.stringify(name).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

const decimal = (number: string): string => (number.includes('.') ? number : `${number}.`);
const blob = (bytes: Uint8Array): string => `{{${Buffer.from(bytes).toString('base64')}}}`;

function valueText(value: AttributeValue): string {
  if (value.S !== undefined) return JSON.stringify(value.S);
  if (value.N !== undefined) return decimal(value.N);
  if (value.B !== undefined) return blob(value.B);
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.SS) return `$dynamodb_SS::[${value.SS.map((element) => JSON.stringify(element)).join(',')}]`;
  if (value.NS) return `$dynamodb_NS::[${value.NS.map(decimal).join(',')}]`;
  if (value.BS) return `$dynamodb_BS::[${value.BS.map(blob).join(',')}]`;
  if (value.L) return `[${value.L.map(valueText).join(',')}]`;
  if (value.M) return ionStruct(value.M);
  return 'null';
}

/** Formats an item or a map as an Ion struct. */
export function ionStruct(item: Item): string {
  const fields = Object.entries(item).map(([name, value]) => `${fieldName(name)}:${valueText(value)}`);
  return `{${fields.join(',')}}`;
}
