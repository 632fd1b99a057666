import { SERVICES } from '@emu/emulator';
import { describe, expect, it } from 'vitest';
import { improvements, losses, readBaseline } from '../src/baseline.ts';
import { SCENARIOS } from '../src/index.ts';

it('every service has a scenario', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(SERVICES.map(({ name }) => name).sort());
});

it('every request known to fail has a reason', () => {
  const unexplained = Object.entries(readBaseline()).flatMap(([service, operations]) =>
    Object.entries(operations).flatMap(([operation, { failures, reasons = {} }]) =>
      failures.join() === Object.keys(reasons).join() ? [] : [`${service}.${operation}`],
    ),
  );
  expect(unexplained).toEqual([]);
});

describe('losses', () => {
  const known = { sqs: { SendMessage: { variants: 2, failures: ['+A'] }, GetQueueUrl: { variants: 1, failures: [] } } };
  const passing = { variants: 1, passes: 1, failures: {}, leftOut: {}, members: {} };

  it('includes new failures, new doubts and removed operations', () => {
    const report = {
      SendMessage: {
        variants: 3,
        passes: 1,
        failures: { '+A': 'known', '-B': 'was accepted' },
        leftOut: {},
        members: {},
        doubt: 'no effect',
      },
    };
    expect(losses(known, { sqs: report })).toEqual([
      'sqs.SendMessage -B: was accepted',
      'sqs.SendMessage: no effect',
      'sqs.GetQueueUrl is gone',
    ]);
  });

  it('excludes new operations that fail, and improvements', () => {
    const report = { SendMessage: passing, GetQueueUrl: passing, PurgeQueue: { ...passing, doubt: 'no effect' } };
    expect(losses(known, { sqs: report })).toEqual(['sqs.PurgeQueue is new and does not pass: no effect']);
  });
});

describe('improvements', () => {
  const reasons = { '+A': 'no network', '+B': 'no time' };
  const known = { sqs: { SendMessage: { variants: 2, failures: ['+A', '+B'], reasons } } };
  const less = { variants: 3, failures: ['+B'], reasons: { '+B': 'no time' } };
  const failing = { variants: 3, passes: 1, failures: { '+B': 'known', '+C': 'new' }, leftOut: {}, members: {} };
  const passing = { variants: 1, passes: 1, failures: {}, leftOut: {}, members: {} };

  it('adopts improvements and new operations that pass; regressions are not adopted, and reasons remain', () => {
    expect(improvements(known, { sqs: { SendMessage: failing, PurgeQueue: passing } })).toEqual({
      sqs: { SendMessage: less, PurgeQueue: { variants: 1, failures: [] } },
    });
    const doubtful = { ...passing, doubt: 'no effect' };
    expect(improvements(known, { sqs: { SendMessage: failing, PurgeQueue: doubtful } })).toEqual({
      sqs: { SendMessage: less },
    });
  });
});
