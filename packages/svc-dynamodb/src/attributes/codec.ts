import type { DeepReadonly } from '@emu/core/service';
import type { AttributeValue } from '@emu/service-types/dynamodb';
import type { Item } from './values.ts';

/** Persisted form of items: binary values as base64, other values unchanged. */

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function encodeValue(value: AttributeValue): unknown {
  if (value.B !== undefined) return { B: toBase64(value.B) };
  if (value.BS) return { BS: value.BS.map(toBase64) };
  if (value.L) return { L: value.L.map(encodeValue) };
  if (value.M) return { M: encodeItem(value.M) };
  return value;
}

function decodeValue(json: unknown): AttributeValue {
  const value = json as { B?: string; BS?: string[]; L?: unknown[]; M?: object };
  if (value.B !== undefined) return { B: Buffer.from(value.B, 'base64') };
  if (value.BS) return { BS: value.BS.map((element) => Buffer.from(element, 'base64')) };
  if (value.L) return { L: value.L.map(decodeValue) };
  if (value.M) return { M: decodeItem(value.M) };
  return json as AttributeValue;
}

const mapped = (source: object, map: (value: never) => unknown): Record<string, unknown> => {
  const entries = Object.entries(source).map(([name, value]) => [name, map(value as never)] as const);
  return Object.fromEntries(entries);
};

/** Converts an item to JSON. */
export function encodeItem(item: DeepReadonly<Item> | Item): unknown {
  return mapped(item, encodeValue);
}

/** Converts JSON to an item. */
export function decodeItem(json: unknown): Item {
  return mapped(json as object, decodeValue) as Item;
}
