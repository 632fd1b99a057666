import { expect, it } from 'vitest';
import { timerDelay } from '../../../../tools/testing/delays.ts';
import { startLogs } from '../support.ts';

const grok = (match: string) => [{ grok: { match } }];
const DATA = grok(Array.from({ length: 5 }, (_, at) => `%{DATA:d${at}}`).join(' '));
const REQUEST =
  '127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "http://example.com/" "Mozilla/4.08"';

it.each([
  ['many events', '%{APACHE_ACCESS_LOG}', Array(6000).fill(REQUEST), /"status_code":200/],
  ['long events', DATA[0]!.grok.match, Array(4).fill('a '.repeat(60_000)), /"d4":"a /],
])('transforms %s without delay of the main thread', async (_, match, messages, expected) => {
  await using test = await startLogs();
  const { logs } = test;
  await test.group('g', 's');
  await logs.putTransformer({ logGroupIdentifier: 'g', transformerConfig: grok(match) });
  const logEvents = (messages as string[]).map((message) => ({ timestamp: test.now, message }));
  // Without the encoding of the request, which this process also does.
  await logs.putLogEvents({ logGroupName: 'g', logStreamName: 's', logEvents: logEvents.slice(0, 1) });
  const delay = await timerDelay(() => logs.putLogEvents({ logGroupName: 'g', logStreamName: 's', logEvents }));
  expect(delay).toBeLessThan(100);
  const { transformedLogs } = await logs.testTransformer({
    transformerConfig: grok(match),
    logEventMessages: (messages as string[]).slice(0, 1),
  });
  expect(transformedLogs![0]!.transformedEventMessage).toMatch(expected);
});
