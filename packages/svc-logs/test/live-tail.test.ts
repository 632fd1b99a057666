import type { StartLiveTailResponseStream } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failureOf, groupArn, type LogsTest, startLogs } from './support.ts';

let test: LogsTest;
beforeAll(async () => {
  test = await startLogs();
});
afterAll(() => test[Symbol.asyncDispose]());

it('streams matching new events, and an update each second', async () => {
  const group = await test.group('tailed', 'app-1', 'other');
  await test.put(group, 'app-1', 'ERROR before');
  const request = {
    logGroupIdentifiers: [groupArn(group)],
    logStreamNamePrefixes: ['app'],
    logEventFilterPattern: 'ERROR',
  };
  const { responseStream } = await test.logs.startLiveTail(request);
  const events = responseStream![Symbol.asyncIterator]();
  const next = async () => (await events.next()).value as StartLiveTailResponseStream;
  expect((await next()).sessionStart).toMatchObject(request);
  const update = next();
  await test.put(group, 'other', 'ERROR elsewhere');
  await test.put(group, 'app-1', 'ERROR 1', 'info', 'ERROR 2');
  expect((await update).sessionUpdate).toEqual({
    sessionMetadata: { sampled: false },
    sessionResults: ['ERROR 1', 'ERROR 2'].map((message, index) => ({
      logStreamName: 'app-1',
      logGroupIdentifier: groupArn(group),
      message,
      timestamp: test.now - 2 + 2 * index,
      ingestionTime: test.now,
    })),
  });
  const quiet = next();
  await test.advance(1);
  expect((await quiet).sessionUpdate!.sessionResults).toEqual([]);
  const many = next();
  await test.put(group, 'app-1', ...Array.from({ length: 600 }, (_, index) => `ERROR ${index}`));
  const { sessionMetadata, sessionResults } = (await many).sessionUpdate!;
  expect([sessionMetadata!.sampled, sessionResults!.length]).toEqual([true, 500]);
  const rest = (async () => {
    while (await next());
  })();
  const ended = expect(rest).rejects.toMatchObject({
    name: 'SessionTimeoutException',
    message: 'The Live Tail session has timed out.',
  });
  await test.advance(3 * 3600);
  await ended;
});

it('rejects unsupported groups and filters', async () => {
  const group = await test.group('refused', 'a');
  const other = await test.group('refused-too', 'a');
  const start = (input: Parameters<typeof test.logs.startLiveTail>[0]) => failureOf(test.logs.startLiveTail(input));
  expect(await start({ logGroupIdentifiers: [group] })).toBe(
    'InvalidParameterException: The specified log group identifier refused is not an ARN.',
  );
  expect(await start({ logGroupIdentifiers: [groupArn('none')] })).toBe(
    'ResourceNotFoundException: The specified log group does not exist.',
  );
  const two = [groupArn(group), groupArn(other)];
  expect(await start({ logGroupIdentifiers: two, logStreamNames: ['a'] })).toBe(
    'InvalidParameterException: Log streams can be specified for one log group only.',
  );
});

it('GetLogObject streams a complete event', async () => {
  const group = await test.group('objects', 'a');
  await test.put(group, 'a', 'all of it');
  const { events } = await test.logs.filterLogEvents({ logGroupName: group });
  const { fieldStream } = await test.logs.getLogObject({ logObjectPointer: events![0]!.eventId! });
  const chunks: Uint8Array[] = [];
  for await (const { fields } of fieldStream!) if (fields?.data) chunks.push(fields.data);
  expect(Buffer.concat(chunks).toString()).toBe('all of it');
  expect(await failureOf(test.logs.getLogObject({ logObjectPointer: 'x' }))).toBe(
    'ResourceNotFoundException: The specified log object does not exist.',
  );
});
