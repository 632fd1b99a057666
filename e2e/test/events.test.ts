import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';
import { canRun, clientEnvironment, run } from '../src/programs.ts';

let emu: Emu;
beforeAll(async () => {
  emu = await startEmu();
});
afterAll(() => emu?.kill());

const config = (region = 'us-east-1') => ({
  endpoint: emu.url,
  region,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

/** Waits for a number of messages in a queue and returns their bodies as JSON. */
async function received(sqs: SQS, QueueName: string, count: number): Promise<Record<string, unknown>[]> {
  const { QueueUrl } = await sqs.getQueueUrl({ QueueName });
  const bodies: Record<string, unknown>[] = [];
  await expect
    .poll(
      async () => {
        const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
        bodies.push(...Messages.map(({ Body }) => JSON.parse(Body!) as Record<string, unknown>));
        return bodies.length;
      },
      { timeout: 20_000 },
    )
    .toBe(count);
  return bodies;
}

describe('EventBridge through the JavaScript SDK', () => {
  let server: Server;
  const paths: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url} ${request.headers['x-key']}`);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('archived events are replayed to an API destination', { timeout: 60_000 }, async () => {
    const events = new EventBridge(config());
    const { EventBusArn } = await events.createEventBus({ Name: 'sdk' });
    const { ArchiveArn } = await events.createArchive({ ArchiveName: 'sdk', EventSourceArn: EventBusArn });
    await events.putEvents({
      Entries: [1, 2].map((n) => ({ EventBusName: 'sdk', Source: 'app', DetailType: 'Order', Detail: `{"n":${n}}` })),
    });
    const { ConnectionArn } = await events.createConnection({
      Name: 'sdk',
      AuthorizationType: 'API_KEY',
      AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: 'secret' } },
    });
    const { ApiDestinationArn } = await events.createApiDestination({
      Name: 'sdk',
      ConnectionArn,
      InvocationEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders/*`,
      HttpMethod: 'PUT',
    });
    await events.putRule({ Name: 'sdk', EventBusName: 'sdk', EventPattern: '{"detail":{"n":[{"numeric":[">",1]}]}}' });
    const target = {
      Id: 'shop',
      Arn: ApiDestinationArn,
      RoleArn: 'arn:aws:iam::123456789012:role/call',
      HttpParameters: { PathParameterValues: ['$.detail.n'] },
    };
    await events.putTargets({ Rule: 'sdk', EventBusName: 'sdk', Targets: [target] });
    await events.startReplay({
      ReplayName: 'sdk',
      EventSourceArn: ArchiveArn,
      EventStartTime: new Date(Date.now() - 60_000),
      EventEndTime: new Date(Date.now() + 60_000),
      Destination: { Arn: EventBusArn },
    });
    await expect.poll(() => paths, { timeout: 20_000 }).toEqual(['PUT /orders/2 secret']);
    await expect
      .poll(async () => (await events.describeReplay({ ReplayName: 'sdk' })).State, { timeout: 20_000 })
      .toBe('COMPLETED');
    events.destroy();
  });
});

describe.skipIf(noCli !== undefined)(`EventBridge through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  const cli = awsCli(() => emu.url);

  test('a rule from creation to deletion', { timeout: 180_000 }, async () => {
    const events = (...args: string[]) => cli.answer('events', ...args);
    const sqs = new SQS(config());
    await sqs.createQueue({ QueueName: 'events-cli' });
    expect(await events('put-rule', '--name', 'cli', '--event-pattern', '{"source":["cli"]}')).toEqual({
      RuleArn: 'arn:aws:events:us-east-1:123456789012:rule/cli',
    });
    await events(
      ...['put-targets', '--rule', 'cli', '--targets'],
      'Id=queue,Arn=arn:aws:sqs:us-east-1:123456789012:events-cli,InputPath=$.detail',
    );
    const entry = [{ Source: 'cli', DetailType: 'Order', Detail: '{"name":"ü"}' }];
    expect(await events('put-events', '--entries', JSON.stringify(entry))).toMatchObject({ FailedEntryCount: 0 });
    expect(await received(sqs, 'events-cli', 1)).toEqual([{ name: 'ü' }]);
    expect(await events('list-rules')).toMatchObject({ Rules: [{ Name: 'cli', EventBusName: 'default' }] });
    const missing = await cli.run('events', 'describe-rule', '--name', 'none');
    expect(missing.stderr.trim()).toBe(
      'An error occurred (ResourceNotFoundException) when calling the DescribeRule operation: Rule none does not exist on EventBus default.',
    );
    await events('remove-targets', '--rule', 'cli', '--ids', 'queue');
    await events('delete-rule', '--name', 'cli');
    expect(await events('list-rules')).toEqual({ Rules: [] });
    sqs.destroy();
  });
});

const boto3 = canRun('python3', '-c', 'import boto3');

describe.skipIf(!boto3)(`EventBridge by boto3${boto3 ? '' : ' (skipped: python3 cannot import it here)'}`, () => {
  test('buses, rules, targets and archives', { timeout: 120_000 }, async () => {
    const program = fileURLToPath(new URL('../python/events_client.py', import.meta.url));
    expect(await run('python3', [program], { env: clientEnvironment(emu.url) })).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: '',
    });
  });
});
