import { Script } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { Pattern, unsupportedPatterns } from '../src/pattern.ts';
import { smallModel } from './support/small-model.ts';

const matches = (pattern: string, text: string): boolean => new Pattern(pattern).matches(text);

describe('patterns of models are Java regular expressions', () => {
  it.each([
    ['[a-z]+', 'abc', true],
    ['[a-z]+', 'abc1', false],
    ['a|b', 'ab', false],
    ['^a$', 'a', true],
    ['[\\w-.]+', 'a-b.c', true],
    ['[\\w+=,.@-]*', 'Session1:2', false],
    ['\\p{Alnum}+', 'a1', true],
    ['[\\p{Alpha}_]+', 'a_b', true],
    ['\\p{IsAlphabetic}+', 'é', true],
    ['[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*', 'é 1@', true],
    ['[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*', 'a😀\n', true],
    ['[\\s\\S]*', 'a\nb', true],
    ['\\S+', '\u00a0', true],
    ['.{1,2}', '😀😀', true],
    ['a*+b', 'aab', true],
    ['(?i)abc', 'ABC', true],
    ['(?s).*', 'a\nb', true],
    ['((?!^\\d+$)^[0-9a-zA-Z-_]+$)', '1', false],
    ['((?!^\\d+$)^[0-9a-zA-Z-_]+$)', 'v1', true],
    ['(\\/|(\\/(?!\\.)+[^$#<>;`|&?{}^*/\\n]+){1,4})', '/a/b', true],
    ['[^/:|\\000-\\037]+', 'a', true],
    ['[^/:|\\000-\\037]+', '\u0001', false],
    ['\\Aab\\z', 'ab', true],
    ['[[:alpha:]]+', 'ab', true],
    ['a{,}', 'a{,}', true],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('have a time limit for any text', () => {
    const start = performance.now();
    expect(matches('([a-z]+)*!', 'a'.repeat(5000))).toBe(false);
    expect(matches('(a|aa)+b', 'a'.repeat(5000))).toBe(false);
    expect(matches('.*.*.*.*=', 'x'.repeat(20_000))).toBe(false);
    expect(performance.now() - start).toBeLessThan(10_000);
    // Valid texts are still accepted, repeatedly.
    const pattern = new Pattern('([a-z]+)*!');
    for (let run = 0; run < 300; run++) expect(pattern.matches(`${'a'.repeat(40 + run)}!`)).toBe(true);
  });

  it('are retried with more time if the thread was not scheduled', () => {
    const timeouts: unknown[] = [];
    const run = Script.prototype.runInContext;
    const stalled = vi.spyOn(Script.prototype, 'runInContext').mockImplementation(function (this: Script, ...given) {
      timeouts.push(given[1]?.timeout);
      if (timeouts.length > 2) return run.apply(this, given);
      throw Object.assign(new Error('Script execution timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
    });
    try {
      expect(matches('([a-z]+)*!', `${'a'.repeat(60)}!`)).toBe(true);
      expect(timeouts).toEqual([100, 200, 400]);
    } finally {
      stalled.mockRestore();
    }
  });

  it('report untranslatable constructs', () => {
    const model = smallModel(['awsJson1_1'], ({ shapes }) => {
      shapes.Name!.pattern = '[\\p{Print}&&[^|]]+';
      shapes.Secret!.pattern = '(';
    });
    expect(unsupportedPatterns(model)).toEqual([
      expect.stringMatching(/^Name: .*intersections/),
      expect.stringMatching(/^Secret: /),
    ]);
  });
});
