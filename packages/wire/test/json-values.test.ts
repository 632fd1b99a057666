import { expect, it } from 'vitest';
import { asString, isObject, jsonOrText, optionalText, parseJson, textOf } from '../src/json-values.ts';

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

it('refuses JSON that is nested too deeply', () => {
  const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
  expect(() => parseJson(nested(502))).toThrow(new SyntaxError('JSON is nested deeper than 500 levels'));
  expect(JSON.stringify(parseJson(nested(500)))).toBe(nested(500));
  const brackets = ['['.repeat(1000), `"\\\\\\"${'['.repeat(1000)}`, `\\"${'{'.repeat(1000)}`];
  expect(parseJson(JSON.stringify(brackets))).toEqual(brackets);
  expect(() => parseJson(`"${'['.repeat(1000)}`)).toThrow(SyntaxError);
  expect(jsonOrText(nested(502))).toBe(nested(502));
});
