import { describe, expect, it, vi } from 'vitest';
import { isRegex, javaReplacement, LinearRegex, RegexError, WholeRegex } from '../src/regex/index.ts';

/** As in templates of AWS for directories: https://aws-quickstart.github.io/quickstart-microsoft-activedirectory/ */
const PASSWORD =
  '(?=^.{6,255}$)((?=.*\\d)(?=.*[A-Z])(?=.*[a-z])|(?=.*\\d)(?=.*[^A-Za-z0-9])(?=.*[a-z])|(?=.*[^A-Za-z0-9])(?=.*[A-Z])(?=.*[a-z])|(?=.*\\d)(?=.*[A-Z])(?=.*[^A-Za-z0-9]))^.*';

const LONG = `${'a'.repeat(50_000)}!`;

describe('expressions in linear time', () => {
  it.each([
    ['(a+)+$', false],
    ['^(a+)+$', false],
    ['(a|aa)+$', false],
    ['(.*a){30}', true],
    ['(x+x+)+y', false],
    ['(a*)*b', false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', false],
    ['(?<!b)(a+)+!', true],
    ['(a?){50}a{50}', true],
  ])('searches %s in a long text', (source, matches) => {
    const regex = new LinearRegex(source);
    expect(regex.test(LONG)).toBe(matches);
    expect(regex.exec(LONG) !== null).toBe(matches);
  });

  it.each([
    ['(a+)+', false],
    ['(?=(?:a+)+$)a*', false],
    ['(?!(?:a+)+$)(?:a+)+!', true],
    ['(a|a)*!', true],
  ])('matches %s with a whole long text', (source, matches) => {
    expect(new WholeRegex(source).test(LONG)).toBe(matches);
  });

  it.each([
    'a'.repeat(6000),
    '(?:a{900}b{900}){4}',
    '(a?){20}'.repeat(50),
    'a{1,99999999999}',
    '(?i){99999999}',
    '((a{100}){100}){100}',
  ])('refuses an expression that is too large', (source) => {
    expect(() => new LinearRegex(source)).toThrow('The regular expression is too large');
  });

  it('refuses nested groups beyond a limit', () => {
    expect(() => new LinearRegex('('.repeat(5000) + ')'.repeat(5000))).toThrow('too many nested groups');
  });

  it('refuses a text that is too long for a large expression', () => {
    expect(() => new WholeRegex('[ab]*a[ab]{900}').test('ab'.repeat(100_000))).toThrow(
      'The regular expression is too complex for its text',
    );
  });

  it('ends the search for all matches that each reach the end of the text', () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    expect(() => [...new LinearRegex('a(.*z)?').matchAll('a'.repeat(1000))]).toThrow('too complex for its text');
    clock.mockRestore();
  });
});

describe('the syntax of expressions', () => {
  it.each([
    ['[[:alpha:]]+', 'abc', true],
    ['\\p{Alpha}\\P{Digit}[\\p{Upper}-]', 'abC', true],
    ['\\p{L}\\p{IsGreek}\\p{Script=Greek}', 'aαβ', true],
    ['\\u0041\\x42\\x{43}\\u{44}', 'ABCD', true],
    ['\\uD83D\\uDE00.', '😀😀', true],
    ['\\Qa.b\\E+', 'a.ba.b', true],
    ['[\\w-.]+', 'a-.b', true],
    ['[+-\\d]+', '+-1', true],
    ['[a^[]+', 'a^[', true],
    ['[^]{2}', 'a\n', true],
    ['a[]?', 'a', true],
    ['{a}', '{a}', true],
    // Possessive quantifiers where greedy ones mean the same.
    ['"[^"]*+"', '"abc"', true],
    ['"[^"]*+"', '"abc', false],
    ['\\d++-\\w?+', '12-a', true],
    ['\\w{2,3}+@(x++)', 'abc@xx', true],
    ['\\w{2,3}+@(x++)', 'abcd@xx', false],
    ['a++|b*+$|c', 'bb', true],
    ['[\\p{L}]*+ '.repeat(1000), ' '.repeat(1000), true],
    ['.{1,1500}', 'a'.repeat(1500), true],
    ['.{1,1500}', 'a'.repeat(1501), false],
    ['a{1500}', 'a'.repeat(1500), true],
    ['a{1500}', 'a'.repeat(1499), false],
    ['a{1200,}?', 'a'.repeat(1300), true],
    ['(?:a{60}){30}', 'a'.repeat(1800), true],
    ['(?i)abc', 'ABC', true],
    ['(?i:a)b', 'Ab', true],
    ['a|b', 'b', true],
    ['(?:\\h|\\e|\\cA|\\0|\\v)*', '\t\u00a0\u001b\u0001\0\v', true],
    ['a\\R\\Z', 'a\r\n\n', true],
    ['\\é\\-\\/', 'é-/', true],
    ['.', '\r', false],
    ['(?s).', '\r', true],
    ['\\s[\\s]', '\v\v', true],
    ['\\S', '\v', false],
    ['(?<!-)a(?<=a)', 'a', true],
    ['^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$', 'Abcdefg1', true],
    ['^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$', 'abcdefg1', false],
    ['(?!aws)[a-z]+|x', 'awsome', false],
    ['(?!aws)[a-z]+|x', 'x', true],
    ['(?=^.{3,63}$)(?!^(\\d+\\.)+\\d+$)(^[a-z\\d.]+$)', '1.2.3', false],
    ['(?=^.{3,63}$)(?!^(\\d+\\.)+\\d+$)(^[a-z\\d.]+$)', 'a.2.3', true],
    [PASSWORD, 'passw0rd-', true],
    [PASSWORD, 'Passw0rd', true],
    [PASSWORD, 'passw0rd', false],
    [PASSWORD, 'Pa5-', false],
    ['^(?:(?=a)(?i)[ab]+|(?!b)c)d', 'aBd', true],
    ['^(?:(?=a)(?i)[ab]+|(?!b)c)d', 'aBD', false],
    ['^(?:(?=a)(?i)[ab]+|(?!b)c)d', 'cd', true],
    ['((?=a)((?!ab)|(?=abc)).*|x)', 'abc', true],
    ['((?=a)((?!ab)|(?=abc)).*|x)', 'abd', false],
  ])('matches %s', (source, text, matches) => {
    expect(new WholeRegex(source).test(text)).toBe(matches);
  });

  it.each([
    ['(a)\\1', 'Back references are not supported in regular expressions'],
    ['(?<n>a)\\k<n>', 'Back references are not supported in regular expressions'],
    ...[
      'a++a',
      '[^"]*+.',
      '(?:ab)++',
      '(a++)*',
      '(a*+)b',
      'a++b?',
      'a++b{0,2}',
      '(a++|b)c',
      '(?:a++)+$',
      '(?i)A*+a',
      '\\b++',
    ].map((source): [string, string] => [
      source,
      'Possessive quantifiers other than of characters, before a different character or at the end are not supported in regular expressions',
    ]),
    [
      Array.from({ length: 21 }, (_, at) => `[\\p{L}${at}]*+ `).join(''),
      'Possessive quantifiers of more than 20 different characters are not supported in regular expressions',
    ],
    ['(?>a)', 'Atomic groups are not supported in regular expressions'],
    ['a(?=b)', 'Look-aheads inside of an expression are not supported in regular expressions'],
    ['((?!a).)*', 'Look-aheads inside of an expression are not supported in regular expressions'],
    ['(?=a)b', 'Look-aheads inside of an expression are not supported in regular expressions'],
    ['^(?=(a))(b)', 'Look-aheads inside of an expression are not supported in regular expressions'],
    ['[a-z&&[^b]]', 'Intersections of character classes are not supported in regular expressions'],
    ['(?x)a', 'Flags such as (?x) are not supported in regular expressions'],
    ['(a){1001}', 'Repetitions of capturing groups above 1000 are not supported in regular expressions'],
    ['(', 'Invalid regular expression: ('],
    [')', 'Invalid regular expression: )'],
    ['[a', 'Invalid regular expression: [a'],
    ['a**', 'Invalid regular expression: a**'],
    ['a{2,1}', 'Invalid regular expression: a{2,1}'],
    ['[z-a]++b', 'Invalid regular expression: [z-a]++b'],
    ['\\y', 'Invalid regular expression: \\y'],
    ['a\\', 'Invalid regular expression: a\\'],
  ])('refuses %s', (source, message) => {
    expect(() => new LinearRegex(source)).toThrow(message);
    expect(isRegex(source)).toBe(false);
  });

  it.each([
    ['((?!a).)*', 'Look-aheads inside of an expression are not supported in regular expressions'],
    [`${'((?=a)'.repeat(11)}${')'.repeat(11)}`, 'The regular expression has too many groups with look-aheads'],
    ['((?=a)', 'Invalid regular expression: ((?=a)'],
  ])('refuses %s for a whole text', (source, message) => {
    expect(() => new WholeRegex(source)).toThrow(message);
  });

  it('refuses what RE2 refuses', () => {
    expect(() => new LinearRegex('[b-a]')).toThrow(RegexError);
    expect(isRegex('[a-b]')).toBe(true);
  });
});

describe('matches', () => {
  it('have groups and names', () => {
    const match = new LinearRegex('(?<year>\\d+)-(x)?(?P<day>\\d)').exec('on 2024-7');
    expect([...match!]).toEqual(['2024-7', '2024', undefined, '7']);
    expect(match).toMatchObject({ index: 3, groups: { year: '2024', day: '7' } });
  });

  it('obey a look-ahead at the start', () => {
    const regex = new LinearRegex('^(?!b)(.)');
    expect(regex.exec('abc')?.[1]).toBe('a');
    expect(regex.exec('bbc')).toBeNull();
  });

  it('are replaced as in Java', () => {
    const regex = new LinearRegex('(a)(?<x>b)?');
    expect(regex.replaceAll('ab a', javaReplacement('[$1$' + '{x}\\$$10]'))).toBe('[ab$a0] [a$a0]');
    expect(regex.replaceFirst('ab a', javaReplacement('$0$0'))).toBe('abab a');
    expect(() => regex.replaceAll('a', javaReplacement('$3'))).toThrow('No group 3');
    expect(() => regex.replaceAll('a', javaReplacement('$' + '{y}'))).toThrow('No group with name <y>');
    expect(new LinearRegex('x*').replaceAll('ab', () => '-')).toBe('-a-b-');
  });

  it('split texts', () => {
    expect(new LinearRegex(',\\s*').split('a, b,c')).toEqual(['a', 'b', 'c']);
    expect(new LinearRegex('').split('abc')).toEqual(['a', 'b', 'c']);
    expect(new LinearRegex('x').split('abc')).toEqual(['abc']);
  });

  it('ignore case and cross lines by flags', () => {
    expect(new LinearRegex('A.B', { ignoreCase: true, dotAll: true }).test('a\nb')).toBe(true);
    expect(new LinearRegex('A.B').test('A\nB')).toBe(false);
    expect(new LinearRegex('^b$', { multiline: true }).test('a\nb')).toBe(true);
  });
});
