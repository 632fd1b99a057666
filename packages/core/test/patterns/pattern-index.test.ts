import { describe, expect, it } from 'vitest';
import { compilePattern, PatternIndex, patternEvent } from '../../src/patterns/index.ts';

const compile = (pattern: unknown) => compilePattern(JSON.stringify(pattern));
const eventOf = (value: unknown) => patternEvent(value)!;

describe('PatternIndex', () => {
  it('finds every matching pattern once', () => {
    const index = new PatternIndex<string>();
    index.put('source', compile({ source: ['a', 'b'] }));
    index.put('both', compile({ source: ['a'], detail: { id: ['1'] } }));
    index.put('or', compile({ $or: [{ source: ['a'] }, { detail: { id: ['1'] } }] }));
    index.put('scan', compile({ source: [{ prefix: 'a' }] }));
    index.put('other', compile({ source: ['c'] }));
    expect([...index.match(eventOf({ source: 'a', detail: { id: '1' } }))].sort()).toEqual([
      'both',
      'or',
      'scan',
      'source',
    ]);
    expect([...index.match(eventOf({ source: 'b', detail: { id: '1' } }))].sort()).toEqual(['or', 'source']);
    expect([...index.match(eventOf({ source: ['c', 'a'] }))].sort()).toEqual(['or', 'other', 'scan', 'source']);
  });

  it('drops deleted and replaced patterns', () => {
    const index = new PatternIndex<string>();
    index.put('x', compile({ source: ['a'] }));
    index.put('x', compile({ source: ['b'] }));
    expect(index.size).toBe(1);
    expect([...index.match(eventOf({ source: 'a' }))]).toEqual([]);
    expect([...index.match(eventOf({ source: 'b' }))]).toEqual(['x']);
    expect(index.delete('x')).toBe(true);
    expect(index.delete('x')).toBe(false);
    expect([...index.match(eventOf({ source: 'b' }))]).toEqual([]);
  });

  it('compares an event only with patterns that can match', () => {
    const index = new PatternIndex<number>();
    let asked = 0;
    for (let key = 0; key < 1000; key++) {
      const { branches } = compile({ source: ['app'], detail: { id: [`id-${key}`], state: [{ prefix: 'o' }] } });
      const watched = branches.map((branch) =>
        branch.map((condition) => ({
          ...condition,
          matchers: condition.matchers.map((matcher) => ({
            ...matcher,
            test: (value: Parameters<typeof matcher.test>[0]) => {
              asked++;
              return matcher.test(value);
            },
          })),
        })),
      );
      index.put(key, { branches: watched });
    }
    expect([...index.match(eventOf({ source: 'app', detail: { id: 'id-7', state: 'on' } }))]).toEqual([7]);
    expect(asked).toBeLessThan(20);
  });

  it('finds patterns by beginnings, numbers and wildcards, and drops those too', () => {
    const index = new PatternIndex<string>();
    const patterns = {
      short: { id: [{ prefix: 'or' }] },
      long: { id: [{ prefix: 'order-' }] },
      all: { id: [{ prefix: '' }] },
      wild: { id: [{ wildcard: 'order-*-7' }] },
      tail: { id: [{ suffix: '-7' }] },
      seven: { n: [7, null, true] },
      mixed: { id: [{ prefix: 'ord' }, { 'anything-but': 'x' }] },
    };
    for (const [key, pattern] of Object.entries(patterns)) index.put(key, compile(pattern));
    const found = (event: object) => [...index.match(eventOf(event))].sort();
    expect(found({ id: 'order-5-7' })).toEqual(['all', 'long', 'mixed', 'short', 'tail', 'wild']);
    expect(found({ id: 'or' })).toEqual(['all', 'mixed', 'short']);
    expect(found({ id: 'x', n: 7 })).toEqual(['all', 'seven']);
    expect(found({ n: [null] })).toEqual(['seven']);
    expect(found({ n: '7' })).toEqual([]);
    for (const key of Object.keys(patterns)) index.delete(key);
    expect(found({ id: 'order-5-7', n: 7 })).toEqual([]);
    expect(index.size).toBe(0);
  });
});
