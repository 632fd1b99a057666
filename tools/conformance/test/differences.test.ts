import { expect, it } from 'vitest';
import { differencesOf } from '../src/differences.ts';

it('differences are found down to texts and numbers', () => {
  expect(differencesOf({ a: 1, b: { c: 'x' } }, { a: 1, b: { c: 'y', d: true } })).toEqual([
    { path: ['b', 'c'], before: 'x', after: 'y' },
    { path: ['b', 'd'], before: undefined, after: true },
  ]);
  expect(differencesOf({ a: 1 }, { a: 1 })).toEqual([]);
  expect(differencesOf({}, { a: {} })).toEqual([{ path: ['a'], before: undefined, after: {} }]);
  expect(differencesOf({ a: 'x' }, { a: { b: 'x' } })).toEqual([{ path: ['a'], before: 'x', after: { b: 'x' } }]);
});

it('common list elements are no difference, but their order is', () => {
  expect(differencesOf(['a', 'b'], ['new', 'a', 'b'])).toEqual([{ path: ['[]'], before: undefined, after: 'new' }]);
  expect(differencesOf([{ k: 1 }, { k: 2 }], [{ k: 1 }, { k: 3 }])).toEqual([
    { path: ['[]', 'k'], before: 2, after: 3 },
  ]);
  expect(differencesOf(['a', 'b'], ['b', 'a'])).toEqual([{ path: ['order'], before: ['a', 'b'], after: ['b', 'a'] }]);
});
