import { hash } from 'node:crypto';

/** Hash keys are kept as 32 hexadecimal digits, so that texts compare as numbers do. */
export type HashKey = string;

const DIGITS = 32;
const SPACE = 1n << 128n;

/** The hash key of a number. */
export const hashKeyOf = (value: bigint): HashKey => value.toString(16).padStart(DIGITS, '0');

/** The number that a hash key stands for. */
export const numberOf = (key: HashKey): bigint => BigInt(`0x${key}`);

/** A hash key as requests and answers have it: a decimal number. */
export const hashKeyText = (key: HashKey): string => numberOf(key).toString();

/** The hash key that a request spells out; undefined where it is 2^128 or more. */
export function parseHashKey(text: string): HashKey | undefined {
  const value = BigInt(text);
  return value < SPACE ? hashKeyOf(value) : undefined;
}

/** The hash key of a partition key: its MD5. */
export const hashKeyOfPartition = (partitionKey: string): HashKey => hash('md5', partitionKey, 'hex');

/** Ranges of equal size that cover all hash keys, in order. */
export function uniformRanges(count: number): { start: HashKey; end: HashKey }[] {
  const size = SPACE / BigInt(count);
  return Array.from({ length: count }, (_, index) => {
    const start = size * BigInt(index);
    const end = index === count - 1 ? SPACE : start + size;
    return { start: hashKeyOf(start), end: hashKeyOf(end - 1n) };
  });
}
