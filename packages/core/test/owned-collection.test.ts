import { describe, expect, test } from 'vitest';
import { Collection, OwnedCollection } from '../src/service.ts';

interface Part {
  name: string;
  tags?: string[];
}

describe('an index of a collection', () => {
  test('finds records by their groups after additions, changes and deletions', () => {
    const parts = new Collection<Part>();
    parts.put('a', { name: 'x', tags: ['red', 'blue'] });
    const index = parts.index(({ tags }) => tags);
    const keys = (group: string) => [...index.of(group).keys()];
    parts.put('b', { name: 'y', tags: ['red'] });
    parts.put('c', { name: 'z' });
    expect([keys('red'), keys('blue'), keys('green')]).toEqual([['a', 'b'], ['a'], []]);
    parts.put('a', { name: 'changed', tags: ['red', 'green'] });
    expect([keys('red'), keys('blue'), keys('green')]).toEqual([['a', 'b'], [], ['a']]);
    expect(index.of('red').get('a')).toEqual({ name: 'changed', tags: ['red', 'green'] });
    parts.restore('d', { name: 'restored', tags: ['red'] });
    parts.delete('a');
    parts.discard('d');
    expect([keys('red'), keys('green')]).toEqual([['b'], []]);
    parts.clear();
    expect(keys('red')).toEqual([]);
  });
});

describe('an owned collection', () => {
  test('finds records by owner and by their own key', () => {
    const records = new Collection<Part>();
    records.put('api/route/one', { name: 'kept' });
    const parts = new OwnedCollection(records);
    expect(parts.get('api/route', 'one')).toEqual({ name: 'kept' });
    parts.put('api/route', 'two', { name: 'second' });
    parts.put('api/other', 'one', { name: 'other' });
    parts.update('api/route', 'one', (draft) => {
      draft.name = 'first';
    });
    expect(parts.list('api/route').map(({ name }) => name)).toEqual(['first', 'second']);
    expect([parts.size, parts.count('api/route'), parts.count('none')]).toEqual([3, 2, 0]);
    expect([parts.delete('api/route', 'one'), parts.delete('api/route', 'one')]).toEqual([true, false]);
    parts.clear('api/route');
    expect([...records.keys()]).toEqual(['api/other/one']);
    expect(parts.list('api/route')).toEqual([]);
  });

  test('separates owner and key by the given separator', () => {
    const parts = new OwnedCollection(new Collection<Part>(), '\n');
    parts.put('a/b', 'c/d', { name: 'x' });
    expect([...parts.records.keys()]).toEqual(['a/b\nc/d']);
    expect(parts.ownerOf('a/b\nc/d')).toBe('a/b');
  });
});
