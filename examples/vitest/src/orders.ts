import { type DynamoDBClient, GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Clients of the application. Production and tests differ only in their configuration. */
export interface Resources {
  db: DynamoDBClient;
  sqs: SQSClient;
  /** Table of orders, keyed by `id`. */
  table: string;
  /** Queue of orders to ship. */
  queueUrl: string;
}

/** Seconds in which a customer can cancel. */
const COOLING_OFF = 900;

/** Places an order, which is shipped after the cancellation period. */
export async function placeOrder({ db, sqs, table, queueUrl }: Resources, id: string): Promise<void> {
  await db.send(new PutItemCommand({ TableName: table, Item: { id: { S: id }, status: { S: 'placed' } } }));
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: id, DelaySeconds: COOLING_OFF }));
}

/** Ships the orders that are due. Resolves to their ids. */
export async function shipDueOrders({ db, sqs, table, queueUrl }: Resources): Promise<string[]> {
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }));
  for (const { Body, ReceiptHandle } of Messages) {
    await db.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { id: { S: Body! } },
        UpdateExpression: 'SET #status = :shipped',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':shipped': { S: 'shipped' } },
      }),
    );
    await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  }
  return Messages.map(({ Body }) => Body!);
}

/** Returns the status of an order; undefined for an unknown one. */
export async function orderStatus({ db, table }: Resources, id: string): Promise<string | undefined> {
  const { Item } = await db.send(new GetItemCommand({ TableName: table, Key: { id: { S: id } } }));
  return Item?.status?.S;
}
