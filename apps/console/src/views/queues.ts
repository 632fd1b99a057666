import { call, control, type Json, pages, place } from '../api.ts';
import { button, field, fill, form, h, heading, link, table, tell } from '../dom.ts';
import { reload, type View } from '../view.ts';

const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Queues, their messages without receiving them, sending and redriving. */
export const queues: View = (main, [name]) => (name === undefined ? list(main) : queue(main, name));

async function list(main: HTMLElement): Promise<void> {
  const urls = await pages('sqs', 'ListQueues', { MaxResults: 1000 }, ['NextToken', 'NextToken', 'QueueUrls']);
  const rows = await Promise.all(
    urls.slice(0, 200).map(async (url: string) => {
      const { Attributes: a } = await call('sqs', 'GetQueueAttributes', { QueueUrl: url, AttributeNames: ['All'] });
      return [
        link(nameOf(url), 'queues', nameOf(url)),
        a.ApproximateNumberOfMessages,
        a.ApproximateNumberOfMessagesNotVisible,
        a.ApproximateNumberOfMessagesDelayed,
        a.RedrivePolicy ? JSON.parse(a.RedrivePolicy).deadLetterTargetArn : '',
      ];
    }),
  );
  const name = h('input', { required: true, placeholder: 'my-queue or my-queue.fifo' });
  const create = async () => {
    const Attributes = name.value.endsWith('.fifo') ? { FifoQueue: 'true', ContentBasedDeduplication: 'true' } : {};
    await call('sqs', 'CreateQueue', { QueueName: name.value, Attributes });
    reload();
  };
  fill(
    main,
    heading('SQS queues', button('Refresh', reload)),
    table(['Name', 'Visible', 'In flight', 'Delayed', 'Dead-letter queue'], rows, 'No queues yet.'),
    urls.length > rows.length &&
      h('p', { className: 'empty' }, `Only the first ${rows.length} of ${urls.length} are shown.`),
    form(create, 'Create queue', field('Queue name', name)),
  );
}

async function queue(main: HTMLElement, name: string): Promise<void> {
  const { QueueUrl } = await call('sqs', 'GetQueueUrl', { QueueName: name });
  const { Attributes } = await call('sqs', 'GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
  const { messages } = await control('GET', '/_emulator/sqs/messages');
  const mine = messages.filter(
    (each: Json) => each.queueName === name && each.accountId === place.accountId && each.region === place.region,
  );
  const rows = mine.map(({ messageId, body, state, receiveCount }: Json) => [
    h('span', { className: 'badge' }, state ?? ''),
    h('pre', { className: 'body' }, body),
    receiveCount ?? '',
    h('code', {}, messageId),
  ]);
  const body = h('textarea', { required: true, rows: 4, placeholder: '{"hello":"world"}' });
  const group = h('input', { placeholder: 'group', required: name.endsWith('.fifo') });
  const delay = h('input', { type: 'number', min: '0', max: '900', value: '0' });
  const isFifo = name.endsWith('.fifo');
  const send = async () => {
    const ordered = isFifo ? { MessageGroupId: group.value } : { DelaySeconds: Number(delay.value) };
    const { MessageId } = await call('sqs', 'SendMessage', { QueueUrl, MessageBody: body.value, ...ordered });
    tell(`Sent as ${MessageId}`);
    reload();
  };
  const redrive = button('Redrive to sources', async () => {
    await call('sqs', 'StartMessageMoveTask', { SourceArn: Attributes.QueueArn });
    tell('The messages move back to where they came from.');
    reload();
  });
  const purge = button(
    'Purge',
    async () => {
      if (!confirm(`Remove every message of ${name}?`)) return;
      await call('sqs', 'PurgeQueue', { QueueUrl });
      reload();
    },
    'danger',
  );
  fill(
    main,
    heading(name, button('Refresh', reload), redrive, purge),
    h('nav', { className: 'crumbs' }, link('Queues', 'queues'), ' / ', name),
    table(['State', 'Body', 'Receives', 'Message id'], rows, 'No messages. Looking here does not receive any.'),
    form(
      send,
      'Send message',
      field('Body', body),
      isFifo ? field('Message group', group) : field('Delay in seconds', delay),
    ),
    h('h2', {}, 'Attributes'),
    table(
      ['Attribute', 'Value'],
      Object.entries(Attributes).map(([key, value]) => [key, h('code', {}, String(value))]),
      '',
    ),
  );
}
