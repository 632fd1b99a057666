import { describe, expect, test } from 'vitest';
import { parseYaml, parseYamlDocument } from '../src/yaml/index.ts';

const repeated = (before: string, after = ''): string => `${before.repeat(1000)}a${after.repeat(1000)}`;
const indented = Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');

describe('YAML from users', () => {
  test.each([
    ['lists', repeated('[', ']')],
    ['maps', repeated('{a: ', '}')],
    ['lists in a line', repeated('- ')],
    ['explicit keys', repeated('? ')],
    ['indented maps', indented],
  ])('is refused quickly if it nests 1,000 %s', (_, text) => {
    const start = performance.now();
    expect(() => parseYaml(text)).toThrow('YAML is nested deeper than 200 levels');
    expect(() => parseYamlDocument(text)).toThrow(SyntaxError);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  test('may nest 150 levels, and have any number of brackets beside each other and in texts', () => {
    expect(JSON.stringify(parseYaml(`${'['.repeat(150)}${']'.repeat(150)}`))).toHaveLength(300);
    expect(parseYaml(`a: [${'[],'.repeat(300)}]\nb: "${'['.repeat(300)}"\nc: |\n  ${'- '.repeat(300)}`)).toMatchObject({
      b: '['.repeat(300),
    });
  });

  test.each([
    ['a: 1\nb: 2\na: 3', 3, 1],
    ['{a: 1, b: {c: 1, c: 2}}', 1, 18],
    ['"1": x\n- y\na: 1\na: 2', 2, 1],
  ])('rejects repeated keys at their place, after earlier errors: %j', (text, line, col) => {
    expect(parseYamlDocument(text).errors[0]!.linePos![0]).toEqual({ line, col });
    expect(() => parseYaml(text)).toThrow(`at line ${line}, column ${col}`);
  });

  test('parses a map of 50,000 keys in linear time', () => {
    const start = performance.now();
    const text = Array.from({ length: 50_000 }, (_, at) => `k${at}: ${at}`).join('\n');
    expect(parseYaml(text)).toMatchObject({ k49999: 49_999 });
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
