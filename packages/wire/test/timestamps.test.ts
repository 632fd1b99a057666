import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../src/bytes.ts';
import { formatTimestamp, parseAnyTimestamp, parseTimestamp } from '../src/timestamps.ts';

describe('timestamps', () => {
  it.each([
    ['iso8601', '2019-12-16T23:48:18Z', '2019-12-16T23:48:18.000Z'],
    ['iso8601', '2019-12-16T23:48:18.5Z', '2019-12-16T23:48:18.500Z'],
    ['iso8601', '2019-12-16T23:48:18.123456789Z', '2019-12-16T23:48:18.123Z'],
    ['iso8601', '2019-12-17T00:48:18+01:00', '2019-12-16T23:48:18.000Z'],
    ['iso8601', '2019-12-16T22:48:18-0100', '2019-12-16T23:48:18.000Z'],
    ['iso8601', '2019-12-16', '2019-12-16T00:00:00.000Z'],
    ['iso8601', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['rfc822', 'Mon, 16 Dec 2019 23:48:18 GMT', '2019-12-16T23:48:18.000Z'],
    ['rfc822', 'Sun, 02 Jan 2000 20:34:56.456 GMT', '2000-01-02T20:34:56.456Z'],
    ['rfc822', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['rfc822', 'Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37.000Z'],
    ['unixTimestamp', '1576540098', '2019-12-16T23:48:18.000Z'],
    ['unixTimestamp', '1576540098.5', '2019-12-16T23:48:18.500Z'],
    ['unixTimestamp', '-1', '1969-12-31T23:59:59.000Z'],
    ['unixTimestamp', '1.5e3', '1970-01-01T00:25:00.000Z'],
  ] as const)('%s reads %s', (format, text, expected) => {
    expect(parseTimestamp(format, text)?.toISOString()).toBe(expected);
    expect(parseAnyTimestamp('iso8601', text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'now',
    '2019-02-30T00:00:00Z',
    '2019-13-01',
    '2019-12-16T25:00:00Z',
    '1e999',
    'NaN',
    '0x10',
    'Mon, 32 Dec 2019 23:48:18 GMT',
    '1'.repeat(400),
  ])('is invalid: %s', (text) => {
    expect(parseAnyTimestamp('unixTimestamp', text)).toBeUndefined();
  });

  it('are formatted as in AWS', () => {
    const date = new Date('2019-12-16T23:48:18.500Z');
    const whole = new Date('2019-12-16T23:48:18.000Z');
    expect([formatTimestamp('iso8601', date), formatTimestamp('iso8601', whole)]).toEqual([
      '2019-12-16T23:48:18.500Z',
      '2019-12-16T23:48:18Z',
    ]);
    expect(formatTimestamp('rfc822', date)).toBe('Mon, 16 Dec 2019 23:48:18 GMT');
    expect(formatTimestamp('unixTimestamp', date)).toBe('1576540098.5');
  });
});

it('base64 is parsed strictly', () => {
  expect(fromBase64('aGk=')).toEqual(Buffer.from('hi'));
  expect(fromBase64('')).toEqual(Buffer.alloc(0));
  for (const text of ['aGk', 'aG k', 'a-_=', 'aGl=', '=aGk', '====', 'aGk=\n', 'a==='])
    expect(typeof fromBase64(text), text).toBe('string');
});
