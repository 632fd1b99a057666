import { expect, it } from 'vitest';
import { asString, isObject, jsonOrText, optionalText, textOf } from '../src/json-values.ts';

it('recognises objects of JSON', () => {
  expect([{}, { a: 1 }, [], null, undefined, 'a', 1].map(isObject)).toEqual([true, true, ...Array(5).fill(false)]);
});

it('returns strings only', () => {
  expect(['a', '', 1, null, undefined, {}].map(asString)).toEqual(['a', '', ...Array(4).fill(undefined)]);
});

it('converts values to text, strings without quotes', () => {
  expect(['a', 1, true, null, [1], { a: 'b' }].map(textOf)).toEqual(['a', '1', 'true', 'null', '[1]', '{"a":"b"}']);
  expect(['a', 0, false, null, undefined].map(optionalText)).toEqual(['a', '0', 'false', undefined, undefined]);
});

it('parses JSON and leaves other texts unchanged', () => {
  expect(['{"a":1}', '"a"', 'a', ''].map(jsonOrText)).toEqual([{ a: 1 }, 'a', 'a', '']);
});
