import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, type LogsTest, startLogs } from './support.ts';

describe('FilterLogEvents', () => {
  let test: LogsTest;
  beforeAll(async () => {
    test = await startLogs();
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const found = async (input: Parameters<LogsTest['logs']['filterLogEvents']>[0]): Promise<string[]> => {
    const { events } = await test.logs.filterLogEvents(input);
    return events!.map(({ logStreamName, message }) => `${logStreamName} ${message}`);
  };

  it('interleaves streams by time, with stable ids', async () => {
    const { logs, now } = test;
    const logGroupName = await test.group('filter', 'a', 'b', 'other');
    const put = (logStreamName: string, ...logEvents: { timestamp: number; message: string }[]) =>
      logs.putLogEvents({ logGroupName, logStreamName, logEvents });
    await put('a', { timestamp: now - 4, message: 'ERROR 1' }, { timestamp: now - 1, message: 'ERROR 4' });
    await put('b', { timestamp: now - 3, message: 'info 2' }, { timestamp: now - 2, message: 'ERROR 3' });
    await put('other', { timestamp: now, message: 'ERROR 5' });
    expect(await found({ logGroupName })).toEqual(['a ERROR 1', 'b info 2', 'b ERROR 3', 'a ERROR 4', 'other ERROR 5']);
    const errors = ['a ERROR 1', 'b ERROR 3', 'a ERROR 4', 'other ERROR 5'];
    expect(await found({ logGroupName, filterPattern: 'ERROR' })).toEqual(errors);
    expect(await found({ logGroupName, logStreamNames: ['b', 'none'] })).toEqual(['b info 2', 'b ERROR 3']);
    expect(await found({ logGroupName, logStreamNamePrefix: 'o' })).toEqual(['other ERROR 5']);
    // The end time is inclusive.
    expect(await found({ logGroupName, startTime: now - 3, endTime: now - 2 })).toEqual(['b info 2', 'b ERROR 3']);
    const ids = async () => (await logs.filterLogEvents({ logGroupName })).events!.map(({ eventId }) => eventId);
    const first = await ids();
    expect(await ids()).toEqual(first);
    expect(first.toSorted()).toEqual(first);
    for (const id of first) expect(id).toMatch(/^\d{56}$/);
  });

  it('continues pages by token', async () => {
    const { logs } = test;
    const logGroupName = await test.group('filter-pages', 'a', 'b');
    await test.put(logGroupName, 'a', 'x 1', 'y 2', 'x 3');
    await test.put(logGroupName, 'b', 'x 4', 'x 5', 'y 6');
    const pages: string[][] = [];
    let nextToken: string | undefined;
    do {
      const page = await logs.filterLogEvents({ logGroupName, filterPattern: 'x', limit: 2, nextToken });
      pages.push(page.events!.map(({ message }) => message!));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    expect(pages).toEqual([
      ['x 1', 'x 4'],
      ['x 5', 'x 3'],
    ]);
    const refused = [
      [{ nextToken: 'unknown' }, 'The specified nextToken is invalid.'],
      [
        { limit: 10_001 },
        "1 validation error detected: Value '10001' at 'limit' failed to satisfy constraint: " +
          'Member must have value less than or equal to 10000',
      ],
      [{ filterPattern: '{ $.a' }, 'Invalid metric filter pattern'],
      [
        { logStreamNames: ['a'], logStreamNamePrefix: 'a' },
        'LogStreamNames and logStreamNamePrefix are mutually exclusive parameters.',
      ],
    ] satisfies [object, string][];
    for (const [input, message] of refused)
      expect(await failureOf(logs.filterLogEvents({ logGroupName, ...input }))).toBe(
        `InvalidParameterException: ${message}`,
      );
  });
});
