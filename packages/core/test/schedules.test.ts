import { describe, expect, test } from 'vitest';
import { nextRun, parseAt, parseSchedule } from '../src/time/schedules.ts';

const at = (text: string): number => Date.parse(text);
const runs = (expression: string, from: string, count: number): string[] => {
  const schedule = parseSchedule(expression);
  if (!schedule) throw new Error(`${expression} is no schedule`);
  const found: string[] = [];
  let time = at(from);
  for (let run = 0; run < count; run++) {
    const next = nextRun(schedule, time, at(from));
    if (next === undefined) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    time = next;
  }
  return found;
};

describe('schedules', () => {
  test('a cron schedule has no run after the last time of a date', () => {
    const schedule = parseSchedule('cron(0 10 * * ? *)')!;
    expect(nextRun(schedule, 2 ** 63, 0)).toBeUndefined();
  });

  test.each([
    ['rate(1 minute)', ['2026-01-01T00:01', '2026-01-01T00:02']],
    ['rate(5 minutes)', ['2026-01-01T00:05', '2026-01-01T00:10']],
    ['rate(12 hours)', ['2026-01-01T12:00', '2026-01-02T00:00']],
    ['rate(7 days)', ['2026-01-08T00:00', '2026-01-15T00:00']],
    ['cron(0 10 * * ? *)', ['2026-01-01T10:00', '2026-01-02T10:00']],
    ['cron(15 12 * * ? *)', ['2026-01-01T12:15', '2026-01-02T12:15']],
    ['cron(0 18 ? * MON-FRI *)', ['2026-01-01T18:00', '2026-01-02T18:00', '2026-01-05T18:00']],
    ['cron(0 8 1 * ? *)', ['2026-01-01T08:00', '2026-02-01T08:00']],
    ['cron(0/15 * * * ? *)', ['2026-01-01T00:15', '2026-01-01T00:30']],
    ['cron(0/10 * ? * MON-FRI *)', ['2026-01-01T00:10', '2026-01-01T00:20']],
    ['cron(0/5 8-17 ? * MON-FRI *)', ['2026-01-01T08:00', '2026-01-01T08:05']],
    ['cron(0 9 ? * 2#1 *)', ['2026-01-05T09:00', '2026-02-02T09:00']],
    ['cron(0 0 L * ? *)', ['2026-01-31T00:00', '2026-02-28T00:00']],
    ['cron(0 0 3W * ? *)', ['2026-01-02T00:00', '2026-02-03T00:00']],
    ['cron(0 0 ? * 6L *)', ['2026-01-30T00:00', '2026-02-27T00:00']],
    ['cron(0 0 ? * L *)', ['2026-01-03T00:00', '2026-01-10T00:00']],
    ['cron(30 12 25 DEC ? 2026-2027)', ['2026-12-25T12:30', '2027-12-25T12:30']],
    ['cron(0 0 29 FEB ? *)', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ])('%s', (expression, expected) => {
    expect(runs(expression, '2026-01-01T00:00:00Z', expected.length)).toEqual(expected);
  });

  test('ends with its years', () => {
    expect(runs('cron(0 0 1 1 ? 2027)', '2026-01-01T00:00:00Z', 3)).toEqual(['2027-01-01T00:00']);
  });

  test('follow the clock of a time zone', () => {
    const schedule = parseSchedule('cron(0 9 * * ? *)', 'Europe/Berlin')!;
    expect(new Date(nextRun(schedule, at('2026-07-01T00:00:00Z'), 0)!).toISOString()).toBe('2026-07-01T07:00:00.000Z');
  });

  test.each([
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(5 seconds)',
    'rate(-1 days)',
    'rate(99999999999999999999 minutes)',
    'cron(* * * * *)',
    'cron(0 10 * * * *)',
    'cron(0 10 ? * ? *)',
    'cron(60 10 * * ? *)',
    'cron(0 24 * * ? *)',
    'cron(0 10 32 * ? *)',
    'cron(0 10 ? * 8 *)',
    'cron(0 10 ? * MON#6 *)',
    'cron(0 10 * * ? 1969)',
    'cron()',
    '0 10 * * ? *',
    '',
  ])('"%s" is invalid', (expression) => {
    expect(parseSchedule(expression)).toBeUndefined();
  });
});

describe('time zones', () => {
  const zone = 'America/New_York';
  const next = (expression: string, after: string): string => {
    const schedule = parseSchedule(expression, zone)!;
    return new Date(nextRun(schedule, at(after), at(after))!).toISOString().slice(0, 16);
  };

  test('a time that daylight saving omits in spring is skipped', () => {
    expect(next('cron(30 2 * * ? *)', '2026-03-07T12:00:00Z')).toBe('2026-03-09T06:30');
  });

  test('a time that occurs twice in autumn is due once', () => {
    expect(next('cron(30 1 * * ? *)', '2026-10-31T12:00:00Z')).toBe('2026-11-01T05:30');
    expect(next('cron(30 1 * * ? *)', '2026-11-01T05:30:00Z')).toBe('2026-11-02T06:30');
  });

  test('parses times in a time zone', () => {
    expect(parseAt('at(2026-07-01T12:00:00)')).toBe(at('2026-07-01T12:00:00Z'));
    expect(parseAt('at(2026-07-01T12:00:00)', zone)).toBe(at('2026-07-01T16:00:00Z'));
  });

  test.each([
    'at(2026-07-01)',
    'at(2026-07-01T12:00:00Z)',
    'at(2026-02-31T00:00:00)',
    'at(2026-07-01T25:00:00)',
    'rate(1 day)',
  ])('%s is not a valid time', (expression) => expect(parseAt(expression)).toBeUndefined());
});
