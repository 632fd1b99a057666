import { expect, it, test } from 'vitest';
import { canonicalNumber, numberSize } from '../src/attributes/numbers.ts';

test.each([
  ['0', 1],
  ['-0', 1],
  ['1', 2],
  ['-1', 3],
  ['12', 2],
  ['123', 3],
  ['100', 2],
  ['123456', 4],
  ['3.14159', 5],
  ['0.001', 2],
  ['1E125', 2],
  ['1e-130', 2],
  ['1000.001', 5],
])('%s takes %d bytes of an item', (text, bytes) => {
  expect(numberSize(canonicalNumber(text))).toBe(bytes);
});

it('writes numbers without exponents and redundant zeros', () => {
  expect(['0042.1200', '-0', '0e125', '1E3', '.5', '-.50', '1.'].map(canonicalNumber)).toEqual([
    '42.12',
    '0',
    '0',
    '1000',
    '0.5',
    '-0.5',
    '1',
  ]);
});
