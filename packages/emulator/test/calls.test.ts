import type { Kernel } from '@emu/core';
import type { CallOptions, OperationContext, ServiceHandle, StateScope } from '@emu/core/service';
import type { CreateQueueResult, ReceiveMessageResult } from '@emu/service-types/sqs';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { createEmulator, type Emulator } from '../src/index.ts';

let emu: Emulator;
beforeAll(async () => {
  emu = await createEmulator();
});
afterAll(() => emu.close());

describe('call', () => {
  test('has the types of the operation for every caller', () => {
    type Callers = Kernel | OperationContext | ServiceHandle | StateScope;
    const queue = (caller: Callers) => caller.call('sqs', 'CreateQueue', { QueueName: 'q' });
    const receive = (caller: Callers, options: CallOptions) =>
      caller.call('sqs', 'ReceiveMessage', { QueueUrl: 'q' }, options);
    expectTypeOf(queue).returns.resolves.toEqualTypeOf<CreateQueueResult>();
    expectTypeOf(receive).returns.resolves.toEqualTypeOf<ReceiveMessageResult>();
  });

  test('rejects unknown operations', () => {
    const { kernel } = emu;
    const wrong = [
      // @ts-expect-error no such service
      () => kernel.call('squeues', 'CreateQueue', { QueueName: 'q' }),
      // @ts-expect-error no such operation
      () => kernel.call('sqs', 'MakeQueue', { QueueName: 'q' }),
      // @ts-expect-error no such member
      () => kernel.call('sqs', 'CreateQueue', { QueueName: 'q', Colour: 'red' }),
      // @ts-expect-error a required member is missing
      () => kernel.call('sqs', 'SendMessage', { QueueUrl: 'q' }),
      // @ts-expect-error a value of another type
      () => kernel.call('sqs', 'CreateQueue', { QueueName: 1 }),
    ];
    expect(wrong).toHaveLength(5);
  });
});

describe('callJson', () => {
  test('decodes blobs and timestamps', async () => {
    const { kernel } = emu;
    await kernel.call('s3', 'CreateBucket', { Bucket: 'json' });
    await kernel.callJson('s3', 'PutObject', {
      Bucket: 'json',
      Key: 'a',
      Body: Buffer.from('text').toString('base64'),
    });
    const since = { Bucket: 'json', Key: 'a', IfUnmodifiedSince: '2020-01-01T00:00:00Z' };
    await expect(kernel.callJson('s3', 'HeadObject', since)).rejects.toMatchObject({ code: 'PreconditionFailed' });
    const head = { ...since, IfUnmodifiedSince: Date.now() / 1000 + 3600 };
    await expect(kernel.callJson('s3', 'HeadObject', head)).resolves.toMatchObject({ ContentLength: 4 });
  });

  test('rejects unknown members and values of wrong types with the message of the service', async () => {
    const { kernel } = emu;
    await expect(kernel.callJson('dynamodb', 'DescribeTable', { TableName: 't', Colour: 'red' })).rejects.toMatchObject(
      {
        code: 'ValidationException',
        message:
          "1 validation error detected: Value at 'colour' failed to satisfy constraint: Member must be one that the operation has",
      },
    );
    await expect(kernel.callJson('sts', 'GetSessionToken', { DurationSeconds: '900' })).rejects.toMatchObject({
      code: 'ValidationError',
    });
    // SQS checks the constraints of its model itself, and never receives a value of the wrong type.
    await expect(kernel.callJson('sqs', 'CreateQueue', { QueueName: 1 })).rejects.toMatchObject({
      code: 'ValidationException',
    });
    await expect(kernel.callJson('sqs', 'CreateQueue', { QueueName: 'a b' })).rejects.toMatchObject({
      code: 'InvalidParameterValue',
    });
  });

  test('answers 501 for unsupported operations', async () => {
    const { kernel } = emu;
    for (const [service, operation] of [
      ['glue', 'NotifyEvent'],
      ['sqs', 'MakeQueue'],
      // Internal calls between services are not operations.
      ['s3', 'MeasureStorage'],
    ] as const)
      await expect(kernel.callJson(service, operation, {})).rejects.toMatchObject({
        code: 'NotImplemented',
        status: 501,
      });
  });
});
