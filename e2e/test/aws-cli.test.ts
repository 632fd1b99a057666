import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';
import { type ClientCredentials, clientEnvironment, run } from '../src/programs.ts';

/** Exit code for an error response: 254, or 255 in version 1. */
const REFUSED = expect.toBeOneOf([254, 255]);

/** Waits for the next second of the clock, because the CLI names change sets by the second. */
const nextSecond = (): Promise<void> => sleep(1001 - (Date.now() % 1000));

describe.skipIf(noCli !== undefined)(`AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const cli = awsCli(() => emu.url);
  const answer = (args: string[], credentials?: ClientCredentials) =>
    cli.with({ ...(credentials && { credentials }) }).answer(...args);

  test('the program finds the emulator by itself', { timeout: 60_000 }, async () => {
    const { code, stdout, stderr } = await run('aws', ['--output', 'json', 'sts', 'get-caller-identity'], {
      env: clientEnvironment(emu.url),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ Account: '123456789012' });
  });

  test('sqs: a message from creation to deletion', { timeout: 120_000 }, async () => {
    const { QueueUrl } = (await answer(['sqs', 'create-queue', '--queue-name', 'cli'])) as { QueueUrl: string };
    expect(QueueUrl).toBe(`${emu.url}/123456789012/cli`);
    expect(await answer(['sqs', 'list-queues'])).toEqual({ QueueUrls: [QueueUrl] });

    const attributes = '{"colour":{"DataType":"String","StringValue":"blue"}}';
    const sent = await answer([
      ...['sqs', 'send-message', '--queue-url', QueueUrl],
      ...['--message-body', 'hello & <goodbye> ✓', '--message-attributes', attributes],
    ]);
    const { Messages } = (await answer([
      ...['sqs', 'receive-message', '--queue-url', QueueUrl],
      ...['--message-attribute-names', 'All', '--attribute-names', 'All'],
    ])) as { Messages: Record<string, unknown>[] };
    expect(Messages).toHaveLength(1);
    expect(Messages[0]).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'hello & <goodbye> ✓',
      MD5OfBody: sent.MD5OfMessageBody,
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      MessageAttributes: { colour: { DataType: 'String', StringValue: 'blue' } },
      Attributes: { ApproximateReceiveCount: '1' },
    });
    const handle = String(Messages[0]!.ReceiptHandle);
    await answer(['sqs', 'delete-message', '--queue-url', QueueUrl, '--receipt-handle', handle]);
    await answer(['sqs', 'delete-queue', '--queue-url', QueueUrl]);
    expect(await answer(['sqs', 'list-queues'])).toEqual({});
  });

  test('sqs: an error equals that of AWS', { timeout: 60_000 }, async () => {
    const { code, stderr } = await cli.run('sqs', 'get-queue-url', '--queue-name', 'nobody');
    expect(code).toEqual(REFUSED);
    expect(stderr.trim()).toBe(
      'An error occurred (AWS.SimpleQueueService.NonExistentQueue) when calling the GetQueueUrl operation: The specified queue does not exist.',
    );
  });

  test('sts: identity, a role, and the identity of the role', { timeout: 60_000 }, async () => {
    expect(await answer(['sts', 'get-caller-identity'])).toEqual({
      UserId: '123456789012',
      Account: '123456789012',
      Arn: 'arn:aws:iam::123456789012:root',
    });
    const role = 'arn:aws:iam::210987654321:role/cli';
    const out = (await answer(['sts', 'assume-role', '--role-arn', role, '--role-session-name', 'cli'])) as {
      Credentials: { AccessKeyId: string; SecretAccessKey: string; SessionToken: string };
      AssumedRoleUser: { AssumedRoleId: string; Arn: string };
    };
    const session = {
      accessKeyId: out.Credentials.AccessKeyId,
      secretAccessKey: out.Credentials.SecretAccessKey,
      sessionToken: out.Credentials.SessionToken,
    };
    expect(await answer(['sts', 'get-caller-identity'], session)).toEqual({
      UserId: out.AssumedRoleUser.AssumedRoleId,
      Account: '210987654321',
      Arn: 'arn:aws:sts::210987654321:assumed-role/cli/cli',
    });
    const keyInfo = await answer(['sts', 'get-access-key-info', '--access-key-id', session.accessKeyId]);
    expect(keyInfo).toEqual({ Account: '210987654321' });
  });

  test('sts: an access error equals that of AWS', { timeout: 60_000 }, async () => {
    const { code, stderr } = await cli.run(
      ...['sts', 'assume-role', '--role-arn', 'nothing-valid-in-here', '--role-session-name', 'cli'],
    );
    expect(code).toEqual(REFUSED);
    expect(stderr.trim()).toBe(
      'An error occurred (ValidationError) when calling the AssumeRole operation: nothing-valid-in-here is invalid',
    );
  });

  test('cloudformation: a template is deployed, redeployed without changes, updated, and its stack deleted', {
    timeout: 120_000,
  }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'emu-aws-cli-'));
    const file = join(directory, 'template.yaml');
    const write = (seconds: number) =>
      writeFile(
        file,
        [
          'Parameters: { Name: { Type: String } }',
          'Resources:',
          `  Jobs: { Type: AWS::SQS::Queue, Properties: { QueueName: !Sub '\${Name}-jobs', VisibilityTimeout: ${seconds} } }`,
          'Outputs: { Url: { Value: !Ref Jobs } }',
        ].join('\n'),
      );
    const deploy = () =>
      cli.succeed(
        ...['cloudformation', 'deploy', '--stack-name', 'cli', '--template-file', file],
        ...['--parameter-overrides', 'Name=cli', '--tags', 'team=shop', '--no-fail-on-empty-changeset'],
      );
    const described = async () =>
      ((await answer(['cloudformation', 'describe-stacks', '--stack-name', 'cli'])) as { Stacks: object[] }).Stacks;
    const timeout = () =>
      answer([
        ...['sqs', 'get-queue-attributes', '--queue-url', `${emu.url}/123456789012/cli-jobs`],
        ...['--attribute-names', 'VisibilityTimeout'],
      ]);

    await write(40);
    expect(await deploy()).toContain('Successfully created/updated stack - cli');
    expect(await described()).toMatchObject([
      {
        StackStatus: 'CREATE_COMPLETE',
        Tags: [{ Key: 'team', Value: 'shop' }],
        Outputs: [{ OutputKey: 'Url', OutputValue: `${emu.url}/123456789012/cli-jobs` }],
      },
    ]);
    await nextSecond();
    expect(await deploy()).toContain('No changes to deploy. Stack cli is up to date');
    expect(await timeout()).toEqual({ Attributes: { VisibilityTimeout: '40' } });
    await write(50);
    await nextSecond();
    expect(await deploy()).toContain('Successfully created/updated stack - cli');
    expect(await timeout()).toEqual({ Attributes: { VisibilityTimeout: '50' } });

    await answer(['cloudformation', 'delete-stack', '--stack-name', 'cli']);
    await answer(['cloudformation', 'wait', 'stack-delete-complete', '--stack-name', 'cli']);
    const { code, stderr } = await cli.run('cloudformation', 'describe-stacks', '--stack-name', 'cli');
    expect(code).toEqual(REFUSED);
    expect(stderr.trim()).toBe(
      'An error occurred (ValidationError) when calling the DescribeStacks operation: Stack with id cli does not exist',
    );
    await rm(directory, { recursive: true });
  });
});
