import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createEmulator, type EmbeddedEmulator } from '@emu/emulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orderStatus, placeOrder, type Resources, shipDueOrders } from '../src/orders.ts';

let emu: EmbeddedEmulator;
let resources: Resources;

beforeEach(async () => {
  // A separate emulator for each test, without a port and without data of earlier tests.
  emu = await createEmulator({ services: ['sqs', 'dynamodb'] });
  const db = new DynamoDBClient({ ...emu.clientConfig(), maxAttempts: 1 });
  const sqs = new SQSClient(emu.clientConfig());
  await db.send(
    new CreateTableCommand({
      TableName: 'orders',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    }),
  );
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'orders' }));
  resources = { db, sqs, table: 'orders', queueUrl: QueueUrl! };
});
afterEach(() => emu.close());

test('an order is shipped after the cancellation period', async () => {
  await placeOrder(resources, 'order-1');
  expect(await shipDueOrders(resources)).toEqual([]);
  expect(await orderStatus(resources, 'order-1')).toEqual('placed');

  await emu.clock.advance('15m');
  expect(await shipDueOrders(resources)).toEqual(['order-1']);
  expect(await orderStatus(resources, 'order-1')).toEqual('shipped');
  const { messages } = await emu.control.sqs.messages();
  expect(messages).toEqual([]);
});

test('an order with a failed shipment is shipped later', async () => {
  await placeOrder(resources, 'order-1');
  await emu.clock.advance('15m');

  await emu.control.faults.add({ service: 'dynamodb', operation: 'UpdateItem', times: 1, throttle: {} });
  await expect(shipDueOrders(resources)).rejects.toMatchObject({ name: 'ThrottlingException' });
  expect(await orderStatus(resources, 'order-1')).toEqual('placed');

  // After the visibility timeout the queue returns the order again.
  await emu.clock.advance('30s');
  expect(await shipDueOrders(resources)).toEqual(['order-1']);
  expect(await orderStatus(resources, 'order-1')).toEqual('shipped');
});

test('an order that cannot be stored is not shipped', async () => {
  await emu.control.faults.add({
    service: 'dynamodb',
    operation: 'PutItem',
    error: { code: 'InternalServerError', status: 500 },
  });
  await expect(placeOrder(resources, 'order-1')).rejects.toMatchObject({ name: 'InternalServerError' });
  await emu.clock.advance('1h');
  expect(await shipDueOrders(resources)).toEqual([]);
});
