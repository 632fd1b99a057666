import { describe, expect, it } from 'vitest';
import { JsonPaths } from '../src/patterns/json-path.ts';

const rules = new JsonPaths({ nameCharacters: '@$/', negativeIndexes: true, keepsMissing: true });
const pipes = new JsonPaths({ nameCharacters: '/', negativeIndexes: false, keepsMissing: false });
const event = { detail: { 'a-b': [{ name: 'x' }, {}, { name: 'z' }], 'x/y': 1, $id: 2 } };

describe('JSONPath of EventBridge', () => {
  it.each([
    ['$', event],
    ["$.detail['a-b'][0].name", 'x'],
    ['$.detail.a-b[2].name', 'z'],
    ['$.detail.x/y', 1],
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
    const nested = { a: [{ b: [{ c: 1 }, {}] }, {}, 3] };
    expect(rules.valueAt(nested, '$.a[*].b[*].c')).toEqual([[1, undefined], undefined, undefined]);
    expect(pipes.valueAt(nested, '$.a[*].b[*].c')).toEqual([[1]]);
    expect(rules.valueAt(event, '$.detail.a-b[-1].name')).toBe('z');
    expect(pipes.parse('$.detail.a-b[-1]')).toBeUndefined();
    expect(rules.valueAt(event, '$.detail.$id')).toBe(2);
    expect(pipes.parse('$.detail.$id')).toBeUndefined();
  });

  it('follows paths of 9,000 steps', () => {
    let [deep, missing]: unknown[] = ['end', 'end'];
    for (let depth = 0; depth < 9000; depth++) {
      deep = { a: deep };
      missing = depth === 0 ? {} : { a: missing };
    }
    const path = `$${'.a'.repeat(9000)}`;
    for (const paths of [rules, pipes]) {
      expect(paths.valueAt(deep, path)).toBe('end');
      expect(paths.valueAt(missing, path)).toBeUndefined();
      expect(paths.valueAt(deep, `$${'.*'.repeat(9000)}`)).toHaveLength(1);
    }
  });
});
