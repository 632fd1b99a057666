import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from 'vitest';
import { startEmu } from '../src/emu.ts';
import { noTerraform, terraformAt } from '../src/terraform.ts';

describe.skipIf(noTerraform !== undefined)(`Terraform${noTerraform ? ` (skipped: ${noTerraform})` : ''}`, () => {
  test('applies, plans no changes, and destroys', { timeout: 600_000 }, async () => {
    await using emu = await startEmu();
    using terraform = terraformAt('terraform', emu.url);
    const sqs = new SQSClient({
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const attributesOf = async (QueueName: string) => {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
      return (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes!;
    };

    await terraform.apply();

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

    await terraform.planNothing();
    await terraform.destroy();
    expect((await sqs.send(new ListQueuesCommand({}))).QueueUrls ?? []).toEqual([]);
    sqs.destroy();
  });
});
