import { Lambda } from '@aws-sdk/client-lambda';
import { SNS } from '@aws-sdk/client-sns';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';

describe.skipIf(noCli !== undefined)(`SNS through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const { run: aws, answer } = awsCli(() => emu.url);

  test('a topic from creation to deletion', { timeout: 180_000 }, async () => {
    const arn = 'arn:aws:sns:us-east-1:123456789012:cli';
    const topic = ['--topic-arn', arn];
    expect(await answer('sns', 'create-topic', '--name', 'cli')).toEqual({ TopicArn: arn });
    const { QueueUrl } = await answer('sqs', 'create-queue', '--queue-name', 'cli');
    const { SubscriptionArn } = await answer(
      ...['sns', 'subscribe', ...topic, '--protocol', 'sqs'],
      ...['--notification-endpoint', 'arn:aws:sqs:us-east-1:123456789012:cli'],
      ...['--attributes', '{"FilterPolicy":"{\\"colour\\":[\\"blue\\"]}"}'],
    );
    const attributes = (colour: string) => `{"colour":{"DataType":"String","StringValue":"${colour}"}}`;
    for (const colour of ['red', 'blue'])
      await answer('sns', 'publish', ...topic, '--message', `${colour} ✓`, '--message-attributes', attributes(colour));
    const { Messages } = await answer('sqs', 'receive-message', '--queue-url', String(QueueUrl));
    const bodies = (Messages as { Body: string }[]).map(({ Body }) => JSON.parse(Body));
    expect(bodies).toMatchObject([{ Type: 'Notification', TopicArn: arn, Message: 'blue ✓' }]);
    const failed = await aws('sns', 'publish', '--topic-arn', `${arn}-none`, '--message', 'x');
    expect(failed.stderr.trim()).toBe(
      'An error occurred (NotFound) when calling the Publish operation: Topic does not exist',
    );
    await answer('sns', 'unsubscribe', '--subscription-arn', String(SubscriptionArn));
    expect(await answer('sns', 'list-subscriptions')).toEqual({ Subscriptions: [] });
    await answer('sns', 'delete-topic', ...topic);
    expect(await answer('sns', 'list-topics')).toEqual({ Topics: [] });
  });
});

/** Publishes to the topic that invokes it, and forwards the trace header as the SDKs do. */
const ECHO = `exports.handler = async (event) => {
  const [{ Sns }] = event.Records;
  const response = await fetch(process.env.AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-amzn-trace-id': process.env._X_AMZN_TRACE_ID,
    },
    body: new URLSearchParams({ Action: 'Publish', Version: '2010-03-31', TopicArn: Sns.TopicArn, Message: Sns.Message }),
  });
  return response.status;
};`;

test('a function that publishes to its own topic is stopped as in AWS', { timeout: 120_000 }, async () => {
  await using emu = await startEmu();
  const config = {
    endpoint: emu.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const lambda = new Lambda(config);
  const sns = new SNS(config);
  const { FunctionArn } = await lambda.createFunction({
    FunctionName: 'echo',
    Runtime: 'nodejs20.x',
    Role: 'arn:aws:iam::123456789012:role/echo',
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': ECHO }) },
  });
  const { TopicArn } = await sns.createTopic({ Name: 'echo' });
  await sns.subscribe({ TopicArn, Protocol: 'lambda', Endpoint: FunctionArn });
  await sns.publish({ TopicArn, Message: 'hello' });
  const published = async (): Promise<number> => {
    const { messages } = (await (await fetch(`${emu.url}/_emulator/sns/messages`)).json()) as { messages: unknown[] };
    return messages.length;
  };
  // Lambda runs a function sixteen times in one chain of requests; each run publishes once.
  await expect.poll(published, { timeout: 60_000 }).toBe(17);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await published()).toBe(17);
  lambda.destroy();
  sns.destroy();
});
