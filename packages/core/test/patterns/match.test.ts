import { describe, expect, it } from 'vitest';
import {
  compilePattern,
  EVENT_PATTERNS,
  FILTER_POLICIES,
  jsonSyntaxError,
  matchesPattern,
  parsePatternEvent,
  patternEvent,
} from '../../src/patterns/index.ts';

function matches(pattern: unknown, event: unknown, dialect = EVENT_PATTERNS): boolean {
  const prepared = patternEvent(event);
  if (!prepared) throw new Error('no event');
  return matchesPattern(compilePattern(JSON.stringify(pattern), dialect), prepared);
}

/** Pattern of the field `f`, matching values, other values. */
const operators: readonly [string, unknown[], unknown[], unknown[]][] = [
  ['a string', ['a'], ['a'], ['A', 'ab', '', 1, null]],
  ['the empty string', [''], [''], ['a', null]],
  ['a number', [5], [5, 5.0, 5], ['5', 5.1]],
  ['a large number', [3.018e2], [301.8], [301]],
  ['a boolean', [true], [true], ['true', false, 1]],
  ['null', [null], [null], ['null', '', 0]],
  ['alternatives', ['a', 1, null], ['a', 1, null], ['b', 2, false]],
  ['prefix', [{ prefix: 'ab' }], ['ab', 'abc'], ['a', 'Ab', 'xab', 5]],
  ['prefix without case', [{ prefix: { 'equals-ignore-case': 'aB' } }], ['ab', 'ABc'], ['xab']],
  ['suffix', [{ suffix: '.png' }], ['.png', 'x.png'], ['x.PNG', 'png', 1]],
  ['suffix without case', [{ suffix: { 'equals-ignore-case': '.png' } }], ['x.PNG'], ['x.jpg']],
  ['equals-ignore-case', [{ 'equals-ignore-case': 'aBc' }], ['abc', 'ABC'], ['abcd', 1]],
  [
    'equals-ignore-case of letters whose cases differ in length',
    [{ 'equals-ignore-case': 'Straße' }],
    ['STRASSE'],
    ['STRASE'],
  ],
  [
    'equals-ignore-case of a letter that is the other case of none',
    [{ 'equals-ignore-case': 's.' }],
    ['S.'],
    ['ſ.', 'sx'],
  ],
  [
    'suffix without case, of letters whose cases differ in length',
    [{ suffix: { 'equals-ignore-case': 'ß' } }],
    ['fuSS'],
    ['fus'],
  ],
  ['exactly', [{ exactly: 'a' }], ['a'], ['b']],
  ['wildcard', [{ wildcard: 'a*c*e' }], ['ace', 'abcde', 'acce'], ['ac', 'xace', 'acex']],
  ['wildcard at the ends', [{ wildcard: '*/dir/*' }], ['/dir/', 'a/dir/b'], ['dir', '/dir']],
  ['wildcard that stands for itself', [{ wildcard: 'a\\*b\\\\c*' }], ['a*b\\c', 'a*b\\cd'], ['axb\\c']],
  ['wildcard whose ends would overlap', [{ wildcard: 'aba*aba' }], ['abaaba', 'abaxaba'], ['aba', 'ababa']],
  ['numeric equality', [{ numeric: ['=', 5] }], [5], [4.9, '5']],
  ['numeric below', [{ numeric: ['<', 5] }], [4.9, -1], [5, '4']],
  ['numeric at most', [{ numeric: ['<=', 5] }], [5], [5.1]],
  ['numeric range', [{ numeric: ['>', 0, '<=', 5] }], [0.1, 5], [0, 5.1]],
  ['numeric closed range', [{ numeric: ['>=', -1, '<', 1] }], [-1, 0], [1, -1.1]],
  ['exists', [{ exists: true }], ['', null, 0, false], []],
  ['anything-but a string', [{ 'anything-but': 'a' }], ['b', null, 1, true], ['a']],
  ['anything-but a number', [{ 'anything-but': 1 }], [2, '1'], [1]],
  ['anything-but strings', [{ 'anything-but': ['a', 'b'] }], ['c'], ['a', 'b']],
  ['anything-but numbers', [{ 'anything-but': [1, 2] }], [3, 'x'], [1, 2]],
  ['anything-but prefix', [{ 'anything-but': { prefix: 'a' } }], ['b', 1], ['a', 'ab']],
  ['anything-but prefixes', [{ 'anything-but': { prefix: ['a', 'b'] } }], ['c'], ['a', 'bc']],
  ['anything-but suffix', [{ 'anything-but': { suffix: 'a' } }], ['ab'], ['a', 'ba']],
  ['anything-but wildcard', [{ 'anything-but': { wildcard: 'a*c' } }], ['a'], ['ac', 'abc']],
  ['anything-but without case', [{ 'anything-but': { 'equals-ignore-case': ['A', 'b'] } }], ['c'], ['a', 'B']],
  ['cidr', [{ cidr: '10.0.0.0/24' }], ['10.0.0.0', '10.0.0.255'], ['10.0.1.0', 'x', 10, '::a00:0']],
  ['cidr within a byte', [{ cidr: '10.0.0.128/25' }], ['10.0.0.200'], ['10.0.0.127']],
  [
    'cidr of IPv6',
    [{ cidr: '2001:db8:1234:1a00::/56' }],
    ['2001:0db8:1234:1aff::1'],
    ['2001:db8:1234:1b00::1', '10.0.0.1'],
  ],
  ['an address', ['2001:db8::1'], ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1'], ['2001:db8::2']],
];

describe('operators', () => {
  it.each(operators)('%s', (_, pattern, fitting, others) => {
    for (const f of fitting) expect(matches({ f: pattern }, { f }), JSON.stringify(f)).toBe(true);
    for (const f of others) expect(matches({ f: pattern }, { f }), JSON.stringify(f)).toBe(false);
    expect(matches({ f: pattern }, { g: 1 }), 'no such field').toBe(false);
    expect(matches({ f: pattern }, { f: others.concat(fitting) }), 'one of a list').toBe(true);
  });

  it('exists: false matches if the path has no value', () => {
    const pattern = { f: [{ exists: false }] };
    expect(matches(pattern, { g: 1 })).toBe(true);
    expect(matches(pattern, { f: null })).toBe(false);
    expect(matches(pattern, { f: [] })).toBe(true);
    expect(matches(pattern, { f: { g: 1 } })).toBe(true);
    expect(matches({ f: [{ exists: false }, 'a'] }, { f: 'a' })).toBe(true);
    expect(matches({ f: [{ exists: false }, 'a'] }, { f: 'b' })).toBe(false);
  });

  it('names of inherited properties are not fields', () => {
    expect(matches({ toString: [{ exists: true }] }, {})).toBe(false);
    expect(matches({ constructor: { name: [{ exists: false }] } }, {})).toBe(true);
  });

  it('adversarial wildcards and values take little time', () => {
    expect(matches({ f: [{ wildcard: '*a*a*a*a*b' }] }, { f: 'a'.repeat(200_000) })).toBe(false);
  });
});

describe('structure', () => {
  it('all fields must match, at every level', () => {
    const pattern = { source: ['s'], detail: { state: ['on'], inner: { n: [1] } } };
    expect(matches(pattern, { source: 's', detail: { state: 'on', inner: { n: 1 }, more: 1 } })).toBe(true);
    expect(matches(pattern, { source: 's', detail: { state: 'off', inner: { n: 1 } } })).toBe(false);
    expect(matches(pattern, { source: 's', detail: { state: 'on', inner: 1 } })).toBe(false);
    expect(matches(pattern, { source: 's', detail: 'on' })).toBe(false);
  });

  it('exists: true requires a value instead of an object', () => {
    expect(matches({ f: [{ exists: true }] }, { f: { g: 1 } })).toBe(false);
  });

  it('dots equal nesting, in patterns and events', () => {
    expect(matches({ 'a.b': ['x'] }, { a: { b: 'x' } })).toBe(true);
    expect(matches({ a: { b: ['x'] } }, { 'a.b': 'x' })).toBe(true);
    expect(matches({ a: { b: ['x'], c: ['y'] } }, { 'a.b': 'x', a: { c: 'y' } })).toBe(true);
    expect(matches({ a: { b: ['y'] } }, { 'a.b': 'x', a: { b: 'y' } })).toBe(true);
    expect(matches({ 'a.b': ['x'] }, { a: 'x' })).toBe(false);
  });

  it('fields of objects in a list must match in the same object', () => {
    const event = {
      list: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    };
    expect(matches({ list: { a: [1], b: [2] } }, event)).toBe(true);
    expect(matches({ list: { a: [1], b: [4] } }, event)).toBe(false);
    expect(matches({ list: { b: [4] } }, event)).toBe(true);
    expect(matches({ list: { inner: { a: [1] } } }, { list: [[{ inner: [{ a: 1 }] }]] })).toBe(true);
  });

  it('absence from a list means from all its elements, unless an element is selected before', () => {
    const event = { list: [{ a: 1 }, { b: 2 }] };
    expect(matches({ list: { a: [{ exists: false }] } }, event)).toBe(false);
    expect(matches({ list: { a: [{ exists: false }], b: [2] } }, event)).toBe(false);
    expect(matches({ list: { a: [1], b: [{ exists: false }] } }, event)).toBe(true);
    expect(matches({ list: { c: [{ exists: false }], b: [2] } }, event)).toBe(true);
    expect(matches({ list: { a: [{ exists: false }, 2] } }, event)).toBe(false);
  });

  it('only absence matches an empty list', () => {
    expect(matches({ f: [null, ''] }, { f: [] })).toBe(false);
  });

  it('the last of several fields of the same name counts', () => {
    const pattern = compilePattern('{"f":["a"],"f":["b"]}');
    expect(matchesPattern(pattern, patternEvent({ f: 'b' })!)).toBe(true);
    expect(matchesPattern(pattern, patternEvent({ f: 'a' })!)).toBe(false);
  });
});

describe('$or', () => {
  it('one of the alternatives must match in addition to the rest', () => {
    const pattern = { s: ['x'], $or: [{ a: [1], b: [2] }, { c: [{ exists: true }] }] };
    expect(matches(pattern, { s: 'x', a: 1, b: 2 })).toBe(true);
    expect(matches(pattern, { s: 'x', c: 'any' })).toBe(true);
    expect(matches(pattern, { s: 'x', a: 1 })).toBe(false);
    expect(matches(pattern, { c: 'any' })).toBe(false);
  });

  it('nests, and combines with others', () => {
    const pattern = {
      $or: [{ a: [1] }, { $or: [{ b: [2] }, { c: [3] }] }],
      d: { $or: [{ e: [4] }, { f: [5] }] },
    };
    expect(matches(pattern, { c: 3, d: { f: 5 } })).toBe(true);
    expect(matches(pattern, { a: 1, d: { e: 4 } })).toBe(true);
    expect(matches(pattern, { b: 2, d: { e: 5 } })).toBe(false);
  });

  it('matches within one object of a list', () => {
    const pattern = { l: { a: [1] }, $or: [{ l: { b: [2] } }, { z: [1] }] };
    expect(matches(pattern, { l: [{ a: 1, b: 2 }] })).toBe(true);
    expect(matches(pattern, { l: [{ a: 1 }, { b: 2 }] })).toBe(false);
  });

  it.each([
    ['{"$or":{}}', 'It must be an Array followed with $or.'],
    ['{"$or":[{"a":[1]}]}', 'There must have at least 2 Objects in $or relationship.'],
    ['{"$or":[1,2]}', 'Only JSON object is allowed in array of $or relationship.'],
    ['{"$or":[{"prefix":["a"]},{"b":[1]}]}', 'prefix is Ruler reserved fieldName which cannot be used inside $or.'],
  ])('rejects %s', (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ reason }));
  });

  it('limits the number of combinations', () => {
    const pattern = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`f${n}`, { $or: [{ a: [1] }, { b: [2] }] }]),
    );
    expect(() => compilePattern(JSON.stringify(pattern))).toThrow(/\$or/);
  });
});

describe('rejected patterns', () => {
  it.each([
    ['', 'Filter is not an object'],
    ['{}', 'Empty objects are not allowed'],
    ['{"a":', 'Unexpected end-of-input: expected close marker for Object'],
    ['{"a":[1', 'Unexpected end-of-input: expected close marker for Array'],
    ['{"a":["x', 'Unexpected end-of-input: was expecting closing quote for a string value'],
    ['{"a" 1}', "Unexpected character ('1' (code 49)): was expecting a colon to separate field name and value"],
    ['{"a":[1 2]}', "Unexpected character ('2' (code 50)): was expecting comma to separate Array entries"],
    ['{"a":[1,]}', "Unexpected character (']' (code 93)): expected a value"],
    ['{"a":[01]}', 'Invalid numeric value: Leading zeroes not allowed'],
    ['{"a":["\\x"]}', "Unrecognized character escape 'x' (code 120)"],
    ['{"a":["\n"]}', 'Illegal unquoted character'],
    ['{"a":[{"numeric":["=",1,2]}]}', 'Too many elements in numeric expression'],
    ['{"a":[{"anything-but":["x",1]}]}', 'Inside anything but list, either all values are number or string'],
    ['{"a":[{"cidr":"10.0.0.1/32"}]}', 'IPv4 mask bits must be < 32'],
    ['{"a":[{"wildcard":"a\\\\b"}]}', 'Invalid escape character at pos 2'],
    ['{"a":'.repeat(5000), 'Document nesting depth (1001) exceeds the maximum allowed (1000)'],
  ])('%s', (pattern, reason) => {
    expect(() => compilePattern(pattern)).toThrow(expect.objectContaining({ reason: expect.stringContaining(reason) }));
  });

  it('filter policies of SNS do not support wildcards', () => {
    expect(() => compilePattern('{"a":[{"wildcard":"x*"}]}', FILTER_POLICIES)).toThrow(
      /Unrecognized match type wildcard/,
    );
    expect(matches({ f: [{ 'anything-but': { prefix: 'a' } }] }, { f: 'b' }, FILTER_POLICIES)).toBe(true);
  });

  // https://docs.aws.amazon.com/sns/latest/dg/subscription-filter-policy-constraints.html
  it.each<[string, unknown, number[], number[]]>([
    ['a number', [1.00003], [1.00003, 1.000031, 1.0000399], [1.00004, 1.00002]],
    ['a negative number', [-0.1], [-0.100009], [-0.10001]],
    ['zero', [0], [0.000001, -0.000001, -0], [0.00001]],
    ['equality', [{ numeric: ['=', 301.5] }], [301.5, 301.500001], [301.50001]],
    ['a range', [{ numeric: ['>', 1.000001, '<=', 2] }], [1.00001, 2.000009], [1.000009, 2.00001]],
    ['anything but a number', [{ 'anything-but': [1] }], [1.00001], [1, 1.000009]],
    ['the largest number', [{ numeric: ['<=', 1e9] }], [1e9, 999_999_999.99999, -1e9], [1_000_000_001, -1e10]],
    ['the smallest number', [{ numeric: ['>', -1e9] }], [1e9], [-1e9, 1e10]],
  ])('compares five decimal places of filter policies: %s', (_what, alternatives, fit, unfit) => {
    for (const f of fit) expect([f, matches({ f: alternatives }, { f }, FILTER_POLICIES)]).toEqual([f, true]);
    for (const f of unfit) expect([f, matches({ f: alternatives }, { f }, FILTER_POLICIES)]).toEqual([f, false]);
  });

  // https://github.com/aws/event-ruler/blob/main/src/main/software/amazon/event/ruler/ComparableNumber.java
  it.each<[string, unknown, number[], number[]]>([
    ['equality', [{ numeric: ['=', 301.5] }], [301.5, 301.5000004], [301.500001]],
    ['a range', [{ numeric: ['>', 1, '<=', 2] }], [1.000001, 2.0000004], [1.0000004, 2.000001]],
    ['the ends', [{ numeric: ['>=', -5e9, '<=', 5e9] }], [-5e9, 5e9, 0], [5_000_000_001, -1e10]],
    ['a number that is named', [1e12], [1e12], [1e12 + 1]],
    ['a fraction that is named', [1], [1], [1.000001]],
  ])('compares six decimal places of numeric ranges in event patterns: %s', (_what, alternatives, fit, unfit) => {
    for (const f of fit) expect([f, matches({ f: alternatives }, { f })]).toEqual([f, true]);
    for (const f of unfit) expect([f, matches({ f: alternatives }, { f })]).toEqual([f, false]);
  });

  it('rejects ranges beyond five billion in event patterns, and beyond one in filter policies', () => {
    for (const numeric of [
      ['=', 5_000_000_001],
      ['>', 0, '<', 1e12],
    ])
      expect(() => compilePattern(JSON.stringify({ f: [{ numeric }] }))).toThrow(
        'Value must be between -5.0E9 and 5.0E9, inclusive',
      );
    for (const numeric of [
      ['=', 1_000_000_001],
      ['>', -1e10],
      ['>', 0, '<', 1e10],
    ])
      expect(() => compilePattern(JSON.stringify({ f: [{ numeric }] }), FILTER_POLICIES)).toThrow(
        'Value must be between -1.0E9 and 1.0E9, inclusive',
      );
  });

  it('shows at most 500 characters of a pattern', () => {
    expect(() => compilePattern(`{"a":"${'x'.repeat(600)}"}`)).toThrow(
      /x"\[truncated 108 chars\]; line: 1, column: 7\]$/,
    );
  });

  it('reports line numbers', () => {
    expect(() => compilePattern('{\n  "a":\r\n 1}')).toThrow(/line: 3, column: 3\]$/);
  });
});

describe('events', () => {
  it('are objects with a limited nesting', () => {
    for (const text of ['1', '[]', 'null', 'x', `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`])
      expect(parsePatternEvent(text)).toBeUndefined();
    expect(parsePatternEvent('{"a":1}')).toEqual({ root: { a: 1 } });
  });
});

describe('jsonSyntaxError', () => {
  it('reports the place without the text', () => {
    const hidden = ' at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)';
    expect(jsonSyntaxError('{invalidjson}')).toBe(
      `Unexpected character ('i' (code 105)): was expecting double-quote to start field name\n${hidden}; line: 1, column: 2]`,
    );
    expect(jsonSyntaxError('invalid')).toContain("Unrecognized token 'invalid': was expecting (JSON String, Number");
    expect(jsonSyntaxError('')).toMatch(/^No content/);
    expect(jsonSyntaxError('{} x')).toMatch(/^Unrecognized token 'x'/);
    expect(jsonSyntaxError(' {"a": [1, "b", null, {"c": {}}]} ')).toBeUndefined();
  });
});
