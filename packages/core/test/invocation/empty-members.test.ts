import { expect, test } from 'vitest';
import { withoutEmpty } from '../../src/invocation/empty-members.ts';

test('empty members are removed by their paths, without changing the input of the caller', () => {
  const input = {
    name: '',
    targets: [
      { id: 'a', input: '' },
      { id: 'b', input: 'x' },
    ],
    settings: { deep: { list: [] }, off: false, none: {} },
    kept: '',
  };
  const before = structuredClone(input);
  const members = [
    'name',
    'targets[].input',
    'settings.deep',
    'settings.off',
    'settings.none',
    'absent.member',
    'name.x',
  ];
  expect(withoutEmpty(input, members)).toEqual({
    targets: [{ id: 'a' }, { id: 'b', input: 'x' }],
    settings: { off: false },
    kept: '',
  });
  expect(input).toEqual(before);
});

test('an input without empty members is the same object', () => {
  const input = { list: [{ text: 'a' }], zero: 0 };
  expect(withoutEmpty(input, ['list[].text', 'list', 'zero'])).toBe(input);
});
