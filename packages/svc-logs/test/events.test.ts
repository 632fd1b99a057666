import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, groupArn, type LogsTest, startLogs } from './support.ts';

// Messages are from AWS recordings where available.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('log events', () => {
  let test: LogsTest;
  beforeAll(async () => {
    test = await startLogs();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('returns events in order of time, with their ingestion times', async () => {
    const { logs, now } = test;
    const logGroupName = await test.group('order', 'one');
    await logs.putLogEvents({
      logGroupName,
      logStreamName: 'one',
      logEvents: [
        { timestamp: now - 5, message: 'second "quoted" \\ ü\n' },
        { timestamp: now, message: 'third' },
      ],
    });
    await logs.putLogEvents({
      logGroupName,
      logStreamName: 'one',
      logEvents: [{ timestamp: now - 10, message: 'first' }],
    });
    const { events } = await logs.getLogEvents({ logGroupIdentifier: groupArn('order'), logStreamName: 'one' });
    expect(events).toEqual([
      { timestamp: now - 10, message: 'first', ingestionTime: now },
      { timestamp: now - 5, message: 'second "quoted" \\ ü\n', ingestionTime: now },
      { timestamp: now, message: 'third', ingestionTime: now },
    ]);
    const { logStreams } = await logs.describeLogStreams({ logGroupName });
    expect(logStreams).toEqual([
      expect.objectContaining({
        firstEventTimestamp: now - 10,
        lastEventTimestamp: now,
        lastIngestionTime: now,
        arn: `${groupArn('order')}:log-stream:one`,
      }),
    ]);
  });

  it('pages in both directions, with unchanged tokens at either end', async () => {
    const { logs } = test;
    const logGroupName = await test.group('pages', 'one');
    const logStreamName = 'one';
    await test.put(logGroupName, logStreamName, 'a', 'b', 'c', 'd', 'e');
    const page = async (options: { nextToken?: string; startFromHead?: boolean; limit?: number } = {}) => {
      const { events, nextForwardToken, nextBackwardToken } = await logs.getLogEvents({
        logGroupName,
        logStreamName,
        limit: 2,
        ...options,
      });
      return {
        text: events!.map(({ message }) => message).join(''),
        forward: nextForwardToken!,
        back: nextBackwardToken!,
      };
    };
    const newest = await page();
    expect(newest.text).toBe('de');
    const before = await page({ nextToken: newest.back });
    expect(before.text).toBe('bc');
    const first = await page({ nextToken: before.back });
    expect(first.text).toBe('a');
    const end = await page({ nextToken: first.back });
    expect([end.text, end.back]).toEqual(['', first.back]);
    const head = await page({ startFromHead: true });
    expect(head.text).toBe('ab');
    const last = await page({ nextToken: newest.forward });
    expect([last.text, last.forward]).toEqual(['', newest.forward]);
    await test.put(logGroupName, logStreamName, 'f');
    expect((await page({ nextToken: newest.forward })).text).toBe('f');
    expect(await failureOf(page({ nextToken: 'f/1/s' }))).toBe(
      'InvalidParameterException: The specified nextToken is invalid.',
    );
  });

  it('selects a time range with an exclusive end', async () => {
    const { logs, now } = test;
    const logGroupName = await test.group('range', 'one');
    await test.put(logGroupName, 'one', 'a', 'b', 'c');
    const range = { startTime: now - 1, endTime: now };
    const { events } = await logs.getLogEvents({ logGroupName, logStreamName: 'one', ...range });
    expect(events!.map(({ message }) => message)).toEqual(['b']);
  });

  it('rejects batches that are unsorted, too large, or span more than a day', async () => {
    const { logs, now } = test;
    const logGroupName = await test.group('batches', 'one');
    const refused = (...logEvents: { timestamp: number; message: string }[]) =>
      failureOf(logs.putLogEvents({ logGroupName, logStreamName: 'one', logEvents }));
    expect(await refused({ timestamp: now, message: 'b' }, { timestamp: now - 1, message: 'a' })).toBe(
      'InvalidParameterException: Log events in a single PutLogEvents request must be in chronological order.',
    );
    expect(await refused({ timestamp: now - DAY - 1, message: 'a' }, { timestamp: now, message: 'b' })).toBe(
      'InvalidParameterException: The batch of log events in a single PutLogEvents request cannot span more than 24 hours.',
    );
    const half = 'x'.repeat(524_288 - 25);
    expect(await refused({ timestamp: now, message: half }, { timestamp: now, message: half })).toBe(
      'InvalidParameterException: Upload too large: 1048578 bytes exceeds limit of 1048576',
    );
    expect(await refused({ timestamp: now, message: 'x'.repeat(1_048_551) })).toBe(
      'InvalidParameterException: Log event too large: 1048577 bytes exceeds limit of 1048576',
    );
    const largest = { timestamp: now, message: 'x'.repeat(1_048_550) };
    await logs.putLogEvents({ logGroupName, logStreamName: 'one', logEvents: [largest] });
    const { events } = await logs.getLogEvents({ logGroupName, logStreamName: 'one' });
    expect(events![0]!.message).toHaveLength(1_048_550);
  });

  it.each([
    ['too old', -14 * DAY - 1, { tooOldLogEventEndIndex: 1 }],
    ['too new', 2 * HOUR + 1, { tooNewLogEventStartIndex: 0 }],
  ])('rejects events that are %s, and accepts others of the batch', async (name, away, rejectedLogEventsInfo) => {
    const { logs, now } = test;
    const logGroupName = await test.group(`rejected-${name.replace(' ', '-')}`, 'one');
    const border = { timestamp: now + away - Math.sign(away), message: 'kept' };
    const rejected = { timestamp: now + away, message: 'rejected' };
    const logEvents = away < 0 ? [rejected, border] : [border, rejected];
    const answer = await logs.putLogEvents({ logGroupName, logStreamName: 'one', logEvents });
    expect(answer.rejectedLogEventsInfo).toEqual(away < 0 ? rejectedLogEventsInfo : { tooNewLogEventStartIndex: 1 });
    expect(answer.nextSequenceToken).toMatch(/^\d{56}$/);
    const { events } = await logs.getLogEvents({ logGroupName, logStreamName: 'one' });
    expect(events!.map(({ message }) => message)).toEqual(['kept']);
  });

  it('requires an existing group and stream', async () => {
    const { logs, now } = test;
    const logGroupName = await test.group('missing');
    const put = (name: string, logStreamName: string) =>
      failureOf(
        logs.putLogEvents({ logGroupName: name, logStreamName, logEvents: [{ timestamp: now, message: 'a' }] }),
      );
    expect(await put('nothing', 'one')).toBe('ResourceNotFoundException: The specified log group does not exist.');
    expect(await put(logGroupName, 'one')).toBe('ResourceNotFoundException: The specified log stream does not exist.');
    expect(await failureOf(logs.getLogEvents({ logGroupName, logStreamName: 'one', limit: 10_001 }))).toBe(
      "InvalidParameterException: 1 validation error detected: Value '10001' at 'limit' failed to satisfy constraint: " +
        'Member must have value less than or equal to 10000',
    );
    expect(await failureOf(logs.describeLogStreams({ logGroupName, logGroupIdentifier: logGroupName }))).toBe(
      'ValidationException: LogGroup name and LogGroup ARN are mutually exclusive parameters.',
    );
  });
});
