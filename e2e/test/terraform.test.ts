import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, type Outcome, run } from '../src/programs.ts';

const plugins = process.env.EMU_TF_PLUGINS ?? '/opt/tf-plugins';
const reason = !canRun('terraform', 'version')
  ? 'there is no `terraform` on this machine'
  : !existsSync(plugins)
    ? `there are no providers in ${plugins}; EMU_TF_PLUGINS names another folder`
    : undefined;

describe.skipIf(reason !== undefined)(`Terraform${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('applies, plans no changes, and destroys', { timeout: 600_000 }, async () => {
    await using emu = await startEmu();
    using directory = temporaryDirectory();
    cpSync(fileURLToPath(new URL('../terraform/', import.meta.url)), directory.path, { recursive: true });
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
    const sqs = new SQSClient({
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const attributesOf = async (QueueName: string) => {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
      return (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes!;
    };

    await succeed('init', `-plugin-dir=${plugins}`, '-input=false');
    await succeed('apply', '-auto-approve', '-input=false');

    const orders = await attributesOf('orders');
    expect(orders).toMatchObject({
      QueueArn: 'arn:aws:sqs:eu-central-1:123456789012:orders',
      DelaySeconds: '5',
      MaximumMessageSize: '2048',
      ReceiveMessageWaitTimeSeconds: '10',
      VisibilityTimeout: '60',
      SqsManagedSseEnabled: 'true',
    });
    expect(JSON.parse(orders.RedrivePolicy!)).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:eu-central-1:123456789012:dead',
      maxReceiveCount: 4,
    });
    expect(JSON.parse(orders.Policy!).Statement[0].Sid).toBe('send');
    expect(JSON.parse((await attributesOf('dead')).RedriveAllowPolicy!)).toEqual({
      redrivePermission: 'byQueue',
      sourceQueueArns: [orders.QueueArn],
    });
    expect(await attributesOf('orders.fifo')).toMatchObject({
      FifoQueue: 'true',
      ContentBasedDeduplication: 'true',
      DeduplicationScope: 'messageGroup',
      FifoThroughputLimit: 'perMessageGroupId',
    });
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'orders' }));
    expect((await sqs.send(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({
      Environment: 'test',
      Team: 'orders + invoices',
    });

    const plan = await terraform('plan', '-detailed-exitcode', '-input=false');
    expect(plan.code, plan.stdout + plan.stderr).toBe(0);
    await succeed('destroy', '-auto-approve', '-input=false');
    expect((await sqs.send(new ListQueuesCommand({}))).QueueUrls ?? []).toEqual([]);
    sqs.destroy();
  });
});
