import { describe, expect, it } from 'vitest';
import { compilePath, type Json, lookUp, PathSyntaxError } from '../src/json-path/index.ts';
import { WorkLimitError } from '../src/work/budget.ts';

const document: Json = {
  words: ['Foo', 'foobar', 'bar'],
  items: [
    { id: 1, name: 'Foo', sizes: ['S', 'M'], note: '' },
    { id: 2, name: 'foobar', sizes: ['M', 'XL'], note: 'x', tags: {} },
    { id: 3, name: 'bar', sizes: [], note: null, tags: { a: 1, b: 2 } },
  ],
  numbers: [2, 4, 4, 4, 5, 5, 7, 9],
  nothing: [],
};

/** Returns the ids of the items that a filter selects. */
const ids = (filter: string): Json | undefined => {
  const found = lookUp(compilePath(`$.items[?(${filter})].id`), document);
  return found.found ? found.value : undefined;
};
const valueAt = (path: string): Json | undefined => {
  const found = lookUp(compilePath(path), document);
  return found.found ? found.value : undefined;
};

// https://github.com/json-path/JsonPath#filter-operators
describe("operators of Jayway's filters", () => {
  it.each<[filter: string, ids: number[]]>([
    ['@.name =~ /foo.*/', [2]],
    ['@.name =~ /foo.*/i', [1, 2]],
    ['@.name =~ /foo/', []],
    ['@.id =~ /[12]/', [1, 2]],
    ['@.sizes =~ /X?L/', [2]],
    ['@.note =~ /x?/', [1, 2, 3]],
    ['@.name =~ /a\\/b|bar/U', [3]],
    ["@.name =~ 'Foo'", []],
    ["@.name in ['Foo', 'bar']", [1, 3]],
    ['@.name in $.words', [1, 2, 3]],
    ["@.name nin ['Foo', 'bar']", [2]],
    ["@.sizes subsetof ['S', 'M', 'L']", [1, 3]],
    ["@.sizes anyof ['XL', 'S']", [1, 2]],
    ["@.sizes noneof ['XL', 'S']", [3]],
    ["@.name noneof ['XL']", []],
    ["@.sizes all ['M']", [1, 2]],
    ["@.sizes contains 'S'", [1]],
    ["@.name contains 'oo'", [1, 2]],
    ['@.sizes size 2', [1, 2]],
    ['@.name size 3', [1, 3]],
    ['@.sizes size @.id', [2]],
    ['@.sizes empty true', [3]],
    ['@.note empty true', [1]],
    ['@.tags empty false', [3]],
    ['@.sizes EMPTY false && @.id === 2', [2]],
    ['@.id !== 2', [1, 3]],
    ['@.sizes.length() > 1', [1, 2]],
    ['!(@.sizes size 2) || @.sizes anyof $.items[1].sizes', [1, 2, 3]],
  ])('select by %s', (filter, expected) => {
    expect(ids(filter)).toEqual(expected);
  });

  it.each([
    '@.a like 1',
    '@.a =~ /(/',
    '@.a =~ /a/x',
    '@.a =~ foo',
    '@.a =~ /a/ix',
    '@.a =~ /a++a/',
    '@.a size',
    '@.a =~ /a',
  ])('are invalid: %s', (filter) => {
    expect(() => ids(filter)).toThrow(PathSyntaxError);
  });

  // Each took from 0.4 s to minutes while a step was counted for a whole list, object or text.
  it.each<[path: string, member: Json]>([
    ['$.list[?($.other.keys() == 1)]', Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`k${at}`, 0]))],
    ['$.list[?($.other size 1)]', Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`k${at}`, 0]))],
    ['$.list[?($.other.sum() > 1)]', Array(40_000).fill(1)],
    ['$.list[?($.other.* size 1)]', Array(40_000).fill(1)],
    ['$.list[?($.other[0:40000] empty false)]', Array(40_000).fill(1)],
    ['$.list[?($.other[?(true)] empty false)]', Array(40_000).fill(1)],
    ["$.list[?($.other contains 'b')]", 'a'.repeat(100_000)],
    [`$.list[?(@ == [${Array(40_000).fill(1).join()}])]`, 0],
    [`$.list[?(${Array(900).fill('1<2').join('&&')})]`, 0],
    [`$.list[?(@[${Array(20_000).fill("'a'").join()}])]`, 0],
  ])('count each value that they touch: %.40s', (text, other) => {
    const path = compilePath(text);
    expect(() => lookUp(path, { list: Array(40_000).fill({ a: 1 }), other })).toThrow(WorkLimitError);
  });

  it('look for a long name that is missing without copying it', () => {
    const path = compilePath(`$.list[?(@['${'a'.repeat(100_000)}'])]`);
    const start = performance.now();
    expect(lookUp(path, { list: Array(40_000).fill({}) })).toEqual({ found: true, value: [] });
    expect(performance.now() - start).toBeLessThan(500);
  });

  it('count the work of patterns', () => {
    const text = 'a'.repeat(100_000);
    const path = compilePath('$[?(@ =~ /(a?){50}a*b/)]');
    const start = performance.now();
    expect(() => lookUp(path, [text])).toThrow(WorkLimitError);
    expect(performance.now() - start).toBeLessThan(50);
    expect(lookUp(compilePath('$[?(@ =~ /a*/)]'), [text.slice(0, 10_000)])).toMatchObject({ found: true });
  });
});

// https://github.com/json-path/JsonPath#functions
describe("Jayway's functions", () => {
  it.each<[path: string, value: Json | undefined]>([
    ['$.numbers.length()', 8],
    ['$.numbers.size()', 8],
    ['$.items[0].size()', 4],
    ['$.words[1].length()', 6],
    ['$.items[*].length()', 3],
    ['$.items[2].tags.keys()', ['a', 'b']],
    ['$.numbers.keys()', undefined],
    ['$.words.first()', 'Foo'],
    ['$.words.last()', 'bar'],
    ['$.words.index(1)', 'foobar'],
    ['$.words.index(-1)', 'bar'],
    ['$.words.index(3)', undefined],
    ['$.nothing.first()', undefined],
    ['$.numbers.stddev()', 2],
    ['$.numbers.avg()', 5],
    ['$.numbers.sum()', 40],
    ['$.numbers.min()', 2],
    ['$.numbers.max()', 9],
  ])('%s', (path, value) => {
    expect(valueAt(path)).toEqual(value);
  });

  it('have the parameters of their declaration', () => {
    for (const path of ['$.words.index()', '$.words.first(1)', '$.words.other()'])
      expect(() => valueAt(path)).toThrow(PathSyntaxError);
  });
});
