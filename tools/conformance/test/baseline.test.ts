import { SERVICES } from '@emu/emulator';
import { describe, expect, it } from 'vitest';
import { improvements, losses } from '../src/baseline.ts';
import { SCENARIOS } from '../src/index.ts';

it('every service has a scenario', () => {
  expect(Object.keys(SCENARIOS).sort()).toEqual(SERVICES.map(({ name }) => name).sort());
});

describe('losses', () => {
  const known = { sqs: { SendMessage: { variants: 2, failures: ['+A'] }, GetQueueUrl: { variants: 1, failures: [] } } };
  const passing = { variants: 1, passes: 1, failures: {}, leftOut: {}, members: {} };

  it('are new failures, new doubts and operations that are gone', () => {
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

  it('are new operations that do not pass; what passes now is none', () => {
    const report = { SendMessage: passing, GetQueueUrl: passing, PurgeQueue: { ...passing, doubt: 'no effect' } };
    expect(losses(known, { sqs: report })).toEqual(['sqs.PurgeQueue is new and does not pass: no effect']);
  });
});

describe('improvements', () => {
  const known = { sqs: { SendMessage: { variants: 2, failures: ['+A', '+B'] } } };
  const failing = { variants: 3, passes: 1, failures: { '+B': 'known', '+C': 'new' }, leftOut: {}, members: {} };
  const passing = { variants: 1, passes: 1, failures: {}, leftOut: {}, members: {} };

  it('are passes that were none, and new operations that pass; losses are not taken over', () => {
    expect(improvements(known, { sqs: { SendMessage: failing, PurgeQueue: passing } })).toEqual({
      sqs: { SendMessage: { variants: 3, failures: ['+B'] }, PurgeQueue: { variants: 1, failures: [] } },
    });
    const doubtful = { ...passing, doubt: 'no effect' };
    expect(improvements(known, { sqs: { SendMessage: failing, PurgeQueue: doubtful } })).toEqual({
      sqs: { SendMessage: { variants: 3, failures: ['+B'] } },
    });
  });
});
