import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Lambda } from '@aws-sdk/client-lambda';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, type Outcome, run } from '../src/programs.ts';
import { zipOf } from '../src/zip.ts';

const cli = canRun('aws', '--version');

describe.skipIf(!cli)(`SNS by the AWS CLI${cli ? '' : ' (skipped: there is no `aws` on this machine)'}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const aws = (...args: string[]): Promise<Outcome> =>
    run('aws', ['--endpoint-url', emu.url, '--output', 'json', ...args], { env: clientEnvironment(emu.url) });
  const answer = async (...args: string[]) => {
    const { code, stdout, stderr } = await aws(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim() ? (JSON.parse(stdout) as Record<string, unknown>) : {};
  };

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

/** Publishes to the topic that invokes it, and hands the trace header on as the SDKs do. */
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

test('a function that publishes to its own topic is stopped as AWS stops it', { timeout: 120_000 }, async () => {
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
  // Lambda lets a function run sixteen times in one chain of requests; each run publishes once.
  await expect.poll(published, { timeout: 60_000 }).toBe(17);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await published()).toBe(17);
  lambda.destroy();
  sns.destroy();
});

const plugins = process.env.EMU_TF_PLUGINS ?? '/opt/tf-plugins';
const reason = !canRun('terraform', 'version')
  ? 'there is no `terraform` on this machine'
  : !existsSync(plugins)
    ? `there are no providers in ${plugins}; EMU_TF_PLUGINS names another folder`
    : undefined;

describe.skipIf(reason !== undefined)(`SNS by Terraform${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('applies, plans no changes, and destroys', { timeout: 600_000 }, async () => {
    await using emu = await startEmu();
    using directory = temporaryDirectory();
    cpSync(fileURLToPath(new URL('../terraform-sns/', import.meta.url)), directory.path, { recursive: true });
    const env = {
      ...clientEnvironment(emu.url),
      AWS_ENDPOINT_URL: undefined,
      TF_VAR_endpoint: emu.url,
      TF_CLI_CONFIG_FILE: undefined,
      TF_IN_AUTOMATION: '1',
      CHECKPOINT_DISABLE: '1',
    };
    const terraform = (...args: string[]): Promise<Outcome> =>
      run('terraform', [...args, '-no-color'], { cwd: directory.path, env });
    const succeed = async (...args: string[]): Promise<void> => {
      const { code, stdout, stderr } = await terraform(...args);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    };
    const config = {
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    const sns = new SNS(config);
    const sqs = new SQS(config);
    const TopicArn = 'arn:aws:sns:eu-central-1:123456789012:orders';

    await succeed('init', `-plugin-dir=${plugins}`, '-input=false');
    await succeed('apply', '-auto-approve', '-input=false');
    const { Attributes } = await sns.getTopicAttributes({ TopicArn });
    expect(Attributes).toMatchObject({
      DisplayName: 'Orders',
      SignatureVersion: '2',
      SQSSuccessFeedbackSampleRate: '50',
      SubscriptionsConfirmed: '2',
    });
    expect(JSON.parse(Attributes!.Policy!).Statement).toMatchObject([{ Sid: 'publish' }]);
    for (const Message of ['{"kind":"order-1","total":9}', '{"kind":"order-2","total":11}'])
      await sns.publish({ TopicArn, Message });
    const { QueueUrl } = await sqs.getQueueUrl({ QueueName: 'orders' });
    const { Messages } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    expect(Messages?.map(({ Body }) => Body)).toEqual(['{"kind":"order-2","total":11}']);

    const plan = await terraform('plan', '-detailed-exitcode', '-input=false');
    expect(plan.code, plan.stdout + plan.stderr).toBe(0);
    await succeed('destroy', '-auto-approve', '-input=false');
    expect((await sns.listTopics({})).Topics).toEqual([]);
    expect((await sns.listSubscriptions({})).Subscriptions).toEqual([]);
    expect((await sns.listPlatformApplications({})).PlatformApplications).toEqual([]);
    sns.destroy();
    sqs.destroy();
  });
});
