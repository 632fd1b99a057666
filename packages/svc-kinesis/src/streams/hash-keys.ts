import { hash } from 'node:crypto';

/** Hash keys are 32 hexadecimal digits, so that text order is numeric order. */
export type HashKey = string;

const DIGITS = 32;
const SPACE = 1n << 128n;

/** Converts a number to a hash key. */
export const hashKeyOf = (value: bigint): HashKey => value.toString(16).padStart(DIGITS, '0');

/** Converts a hash key to a number. */
export const numberOf = (key: HashKey): bigint => BigInt(`0x${key}`);

/** Formats a hash key for responses: a decimal number. */
export const hashKeyText = (key: HashKey): string => numberOf(key).toString();

/** Parses a hash key of a request; undefined for 2^128 or more. */
export function parseHashKey(text: string): HashKey | undefined {
  const value = BigInt(text);
  return value < SPACE ? hashKeyOf(value) : undefined;
}

/** Returns the hash key of a partition key: its MD5. */
export const hashKeyOfPartition = (partitionKey: string): HashKey => hash('md5', partitionKey, 'hex');

/** Divides all hash keys into equal ranges, in order. */
export function uniformRanges(count: number): { start: HashKey; end: HashKey }[] {
  const size = SPACE / BigInt(count);
  return Array.from({ length: count }, (_, index) => {
    const start = size * BigInt(index);
    const end = index === count - 1 ? SPACE : start + size;
    return { start: hashKeyOf(start), end: hashKeyOf(end - 1n) };
  });
}
