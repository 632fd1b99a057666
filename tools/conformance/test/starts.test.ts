import { expect, it } from 'vitest';
import { sqs } from '../src/scenarios/sqs.ts';
import { Stages } from '../src/starts.ts';

it('a start returns the records that a request changed, and restores them', async () => {
  await using stages = await Stages.open(sqs);
  const start = await stages.startOf('TagQueue');
  const { stage, facts } = await start.fresh();
  const tagsOf = async () => (await stage.send('ListQueueTags', { QueueUrl: facts.queue })).Tags;
  expect(await tagsOf()).toEqual({ team: 'a' });
  expect(start.changes()).toEqual([]);

  await stage.send('TagQueue', { QueueUrl: facts.queue, Tags: { color: 'red' } });
  expect(start.changes()).toEqual(['sqs queues 123456789012 us-east-1 jobs']);
  expect(await tagsOf()).toEqual({ team: 'a', color: 'red' });

  await start.shared();
  expect(start.changes()).toEqual([]);
  expect(await tagsOf()).toEqual({ team: 'a' });
});

it('ids and the time are equal for all requests from the same state', async () => {
  await using stages = await Stages.open(sqs);
  const start = await stages.startOf('SendMessage');
  const sent = async () => {
    const { stage, facts } = await start.fresh();
    const { MessageId } = await stage.send('SendMessage', { QueueUrl: facts.queue, MessageBody: 'hello' });
    return [MessageId, [...stage.records()], stage.emulator.clock.now()];
  };
  expect(await sent()).toEqual(await sent());
});
