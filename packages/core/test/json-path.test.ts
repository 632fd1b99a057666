import { describe, expect, it } from 'vitest';
import { JsonPaths } from '../src/patterns/json-path.ts';

const rules = new JsonPaths({ nameCharacters: '@$', negativeIndexes: true, keepsMissing: true });
const pipes = new JsonPaths({ nameCharacters: '/', negativeIndexes: false, keepsMissing: false });
const event = { detail: { 'a-b': [{ name: 'x' }, {}, { name: 'z' }], 'x/y': 1, $id: 2 } };

describe('JSONPath of EventBridge', () => {
  it.each([
    ['$', event],
    ["$.detail['a-b'][0].name", 'x'],
    ['$.detail.a-b[2].name', 'z'],
    ['$.detail.missing', undefined],
    ['$.detail.a-b.length', undefined],
    ['detail', undefined],
    ['$.detail[', undefined],
  ])('finds the same value at %s for rules and pipes', (path, value) => {
    expect(rules.valueAt(event, path)).toEqual(value);
    expect(pipes.valueAt(event, path)).toEqual(value);
  });

  it('supports dialects for names, negative indexes and missing elements', () => {
    expect(rules.valueAt(event, '$.detail.a-b[*].name')).toEqual(['x', undefined, 'z']);
    expect(pipes.valueAt(event, '$.detail.a-b[*].name')).toEqual(['x', 'z']);
    expect(rules.valueAt(event, '$.detail.a-b[-1].name')).toBe('z');
    expect(pipes.parse('$.detail.a-b[-1]')).toBeUndefined();
    expect(rules.valueAt(event, '$.detail.$id')).toBe(2);
    expect(pipes.parse('$.detail.$id')).toBeUndefined();
    expect(rules.parse('$.detail.x/y')).toBeUndefined();
    expect(pipes.valueAt(event, '$.detail.x/y')).toBe(1);
  });
});
