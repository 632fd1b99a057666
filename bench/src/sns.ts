import type { Benchmark } from './compare.ts';
import { alternate, type Figure } from './measure.ts';

const QUEUES = 100;
/** Messages between two purges, which keep the memory constant. */
const PUBLISHES = 200;
const ACCOUNT = '123456789012';
const BODY = 'x'.repeat(100);

/**
 * Deliveries per second: one message to a hundred queues through a topic, compared with sending it to each, all in this
 * process.
 */
const fanOut: Benchmark = async ({ rounds }) => {
  const { createEmulator } = await import('@emu/emulator');
  await using emulator = await createEmulator();
  const { kernel } = emulator;
  const call = kernel.call.bind(kernel);
  const queues = await Promise.all(
    Array.from({ length: QUEUES }, async (_, n) => {
      const { QueueUrl } = await call('sqs', 'CreateQueue', { QueueName: `bench-${n}` });
      return QueueUrl!;
    }),
  );
  const topicWith = async (name: string, Attributes: Record<string, string>): Promise<string> => {
    const { TopicArn } = await call('sns', 'CreateTopic', { Name: name });
    for (let n = 0; n < QUEUES; n++) {
      const Endpoint = `arn:aws:sqs:us-east-1:${ACCOUNT}:bench-${n}`;
      await call('sns', 'Subscribe', { TopicArn: TopicArn!, Protocol: 'sqs', Endpoint, Attributes });
    }
    return TopicArn!;
  };
  const perSecond = async (deliver: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    for (let n = 0; n < PUBLISHES; n++) await deliver();
    const seconds = (performance.now() - start) / 1000;
    await emulator.reset('sqs');
    for (let n = 0; n < QUEUES; n++) await call('sqs', 'CreateQueue', { QueueName: `bench-${n}` });
    return (PUBLISHES * QUEUES) / seconds;
  };
  const publish = (TopicArn: string) => () => perSecond(() => call('sns', 'Publish', { TopicArn, Message: BODY }));
  // Every queue receives a different text, as with notifications, which contain the subscription's ARN.
  const send = (text: string) => () =>
    perSecond(() =>
      Promise.all(queues.map((QueueUrl, n) => call('sqs', 'SendMessage', { QueueUrl, MessageBody: `${text}${n}` }))),
    );
  const figures: Figure[] = [];
  for (const [name, raw] of [
    ['raw messages', 'true'],
    ['notifications', 'false'],
  ] as const) {
    const TopicArn = await topicWith(`bench-${raw}`, { RawMessageDelivery: raw });
    await call('sns', 'Publish', { TopicArn, Message: BODY });
    const { Messages } = await call('sqs', 'ReceiveMessage', { QueueUrl: queues[0]! });
    // The text from the topic is also sent directly, because a notification is longer than its message.
    const body = Messages![0]!.Body!;
    await publish(TopicArn)();
    await send(body)();
    figures.push({
      name: `SNS to ${QUEUES} queues, ${name} of ${body.length} bytes, beside ${QUEUES} sends in-process`,
      unit: 'messages/s',
      target: { atLeast: 0.5 },
      ...(await alternate(rounds, publish(TopicArn), send(body))),
    });
  }
  return figures;
};

/** Benchmarks of publishing by name. */
export const snsBenchmarks: Readonly<Record<string, Benchmark>> = { 'fan-out': fanOut };
