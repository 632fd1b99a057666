import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';

/** Returns a client without retries, because a repeated request could arrive twice. */
export function clientOf(url: string): SQSClient {
  return new SQSClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
}

/** Messages as known to clients when the emulator is killed. */
export class Ledger {
  /** Bodies sent, with or without a response. */
  readonly sent = new Set<string>();
  /** Bodies with an acknowledged SendMessage. */
  readonly acknowledged = new Set<string>();
  /** Bodies with a requested deletion. */
  readonly deleting = new Set<string>();
  /** Bodies with an acknowledged deletion. */
  readonly deleted = new Set<string>();
}

/** Sends messages individually and in batches until the emulator has ended. */
export async function sendUntilGone(sqs: SQSClient, QueueUrl: string, name: string, ledger: Ledger): Promise<void> {
  for (let round = 0; ; round++) {
    const bodies =
      round % 2 ? Array.from({ length: 5 }, (_, index) => `${name}/${round}/${index}`) : [`${name}/${round}`];
    for (const body of bodies) ledger.sent.add(body);
    try {
      if (bodies.length === 1) {
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: bodies[0] }));
        ledger.acknowledged.add(bodies[0]!);
      } else {
        const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
        const { Successful = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
        for (const { Id } of Successful) ledger.acknowledged.add(bodies[Number(Id)]!);
      }
    } catch {
      return;
    }
  }
}

/** Receives and deletes messages until the emulator has ended. */
export async function deleteUntilGone(sqs: SQSClient, QueueUrl: string, ledger: Ledger): Promise<void> {
  for (;;) {
    try {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 3, VisibilityTimeout: 1, WaitTimeSeconds: 1 }),
      );
      if (!Messages.length) continue;
      for (const { Body } of Messages) ledger.deleting.add(Body!);
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      const { Successful = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      for (const { Id } of Successful) ledger.deleted.add(Messages[Number(Id)]!.Body!);
    } catch {
      return;
    }
  }
}

/** Receives all messages of a queue, including those that become visible later. Returns bodies in order of arrival. */
export async function drain(sqs: SQSClient, QueueUrl: string): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    bodies.push(...Messages.map(({ Body }) => Body!));
    if (Messages.length) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    if (Messages.length < 10 && (await messagesIn(sqs, QueueUrl)) === 0) return bodies;
  }
}

async function messagesIn(sqs: SQSClient, QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return Object.values(Attributes).reduce((sum, value) => sum + Number(value), 0);
}
