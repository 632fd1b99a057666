import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyDataDirectory } from '@emu/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Endpoint, eventually, type SnsTest, startEndpoint, startSns } from './support.ts';

let root: string;
let copies: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'emu-test-'));
  copies = 0;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Starts on a copy of a data directory, as after a crash. */
async function afterKill(): Promise<SnsTest> {
  const before = join(root, String(copies++));
  const dataPath = join(root, String(copies));
  await copyDataDirectory(before, dataPath);
  return startSns({ dataPath });
}

/** Subscribes an endpoint that fails from then on, publishes a message and waits for its first attempt. */
async function failedOnce(test: SnsTest, endpoint: Endpoint): Promise<void> {
  const TopicArn = await test.topic('topic');
  await test.subscribe(TopicArn, 'http', endpoint.url, {
    DeliveryPolicy: JSON.stringify({ healthyRetryPolicy: { numRetries: 2, minDelayTarget: 10, maxDelayTarget: 10 } }),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: await test.queue('dlq') }),
  });
  const { body } = await endpoint.reached(1);
  await fetch(JSON.parse(body).SubscribeURL);
  endpoint.requests.length = 0;
  endpoint.status = 503;
  await test.sns.publish({ TopicArn, Message: 'hello' });
  await endpoint.reached(1);
  await eventually(async () => (await test.messages())[0]!.deliveries[0]!.statusCode === 503);
  await test.emulator.kernel.committed();
}

const messageOf = ({ body }: { body: string }): string => JSON.parse(body).Message;

describe('after a crash of emu', () => {
  it('an endpoint is retried at the planned times, with the planned number of attempts', async () => {
    await using endpoint = await startEndpoint();
    await using killed = await startSns({ dataPath: join(root, '0') });
    await failedOnce(killed, endpoint);
    {
      await using test = await afterKill();
      await test.advance(9);
      expect(endpoint.requests).toHaveLength(1);
      await test.advance(1);
      expect(endpoint.requests).toHaveLength(2);
      await test.emulator.kernel.committed();
    }
    // One attempt remains, and not three.
    await using test = await afterKill();
    expect(await test.received('dlq')).toEqual([]);
    await test.advance(3600);
    expect(endpoint.requests.map(messageOf)).toEqual(['hello', 'hello', 'hello']);
    expect((await test.received('dlq')).map(messageOf)).toEqual(['hello']);
  });

  it('a recovered endpoint receives its message once', async () => {
    await using endpoint = await startEndpoint();
    await using killed = await startSns({ dataPath: join(root, '0') });
    await failedOnce(killed, endpoint);
    endpoint.status = 200;
    {
      await using test = await afterKill();
      await test.advance(3600);
      expect(endpoint.requests.map(messageOf)).toEqual(['hello', 'hello']);
      await test.emulator.kernel.committed();
    }
    await using test = await afterKill();
    await test.advance(3600);
    expect(endpoint.requests).toHaveLength(2);
    expect(await test.received('dlq')).toEqual([]);
  });

  it('a dead-letter queue keeps its message, once', async () => {
    await using endpoint = await startEndpoint();
    await using killed = await startSns({ dataPath: join(root, '0') });
    await failedOnce(killed, endpoint);
    {
      await using test = await afterKill();
      await test.advance(20);
      expect(endpoint.requests).toHaveLength(3);
      await test.emulator.kernel.committed();
    }
    await using test = await afterKill();
    await test.advance(3600);
    expect(endpoint.requests).toHaveLength(3);
    expect((await test.received('dlq')).map(messageOf)).toEqual(['hello']);
  });
});
