import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ConfigError,
  createEmulator,
  type EmbeddedEmulator,
  type Emulator,
  type EmulatorOptions,
  SERVICE_NAMES,
} from '../src/index.ts';

let emu: EmbeddedEmulator;
beforeEach(async () => {
  emu = await createEmulator();
});
afterEach(() => emu.close());

const queues = async (emulator: Emulator, options?: Parameters<Emulator['clientConfig']>[0]) =>
  (await new SQSClient(emulator.clientConfig(options)).send(new ListQueuesCommand({}))).QueueUrls ?? [];

describe('an in-process emulator', () => {
  test('serves SDK clients without a socket', async () => {
    const sqs = new SQSClient(emu.clientConfig());
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages?.map(({ Body }) => Body)).toEqual(['hello']);
  });

  test('uses the account and region of a client', async () => {
    const identity = async (options?: Parameters<Emulator['clientConfig']>[0]) =>
      (await new STSClient(emu.clientConfig(options)).send(new GetCallerIdentityCommand({}))).Account;
    expect(await identity()).toBe('123456789012');
    expect(await identity({ accountId: '000000000001' })).toBe('000000000001');
    await new SQSClient(emu.clientConfig({ region: 'eu-west-1' })).send(new CreateQueueCommand({ QueueName: 'jobs' }));
    expect(await queues(emu)).toEqual([]);
    expect(await queues(emu, { region: 'eu-west-1' })).toHaveLength(1);
  });

  test('reports missing services', async () => {
    await using sts = await createEmulator({ services: ['sts'] });
    await expect(queues(sts)).rejects.toMatchObject({
      name: 'NotImplemented',
      message:
        'The request is for sqs, by the signing name sqs, which is not among the services that this emulator was created with.',
    });
    await expect(createEmulator({ services: ['sqss'] })).rejects.toThrow('emu has no service sqss; did you mean sqs?');
  });

  test('rejects requests after it is closed', async () => {
    const closed = await createEmulator({ services: ['sqs'] });
    const checkpoint = closed.snapshot();
    await closed.close();
    const sentence = 'the emulator is closed: close() was called, or the block of its "await using" has ended.';
    await expect(queues(closed)).rejects.toThrow(sentence);
    await expect(closed.fetch('http://localhost/_emulator/health')).rejects.toThrow(sentence);
    await expect(closed.control.health()).rejects.toMatchObject({ cause: { message: sentence } });
    await expect(closed.reset()).rejects.toThrow(sentence);
    await expect(closed.listen()).rejects.toThrow(sentence);
    await expect(closed.restore(checkpoint)).rejects.toThrow(sentence);
    expect(() => closed.snapshot()).toThrow(sentence);
  });

  test('shares nothing with another emulator', async () => {
    await using other = await createEmulator({ accountId: '999999999999', region: 'eu-central-1' });
    await new SQSClient(emu.clientConfig()).send(new CreateQueueCommand({ QueueName: 'mine' }));
    expect(await queues(other, { region: 'us-east-1', accountId: '123456789012' })).toEqual([]);
    const before = other.clock.now();
    await emu.clock.advance('10d');
    expect(other.clock.now() - before).toBeLessThan(86_400_000);
    const [identity] = await Promise.all([new STSClient(other.clientConfig()).send(new GetCallerIdentityCommand({}))]);
    expect(identity.Account).toBe('999999999999');
  });

  test('has only the requested services', async () => {
    await using sts = await createEmulator({ services: ['sts'] });
    expect(sts.kernel.services).toEqual(['sts']);
    await expect(queues(sts)).rejects.toMatchObject({ name: 'NotImplemented', $metadata: { httpStatusCode: 501 } });
    await expect(createEmulator({ services: ['teapot'] })).rejects.toThrow(
      `emu has no service teapot; it has ${SERVICE_NAMES.join(', ')}`,
    );
  });

  test('returns to a checkpoint', async () => {
    await using seeded = await createEmulator({ seed: 'test' });
    const sqs = new SQSClient(seeded.clientConfig());
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'now' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 600 }));
    const receive = async () => {
      const command = new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 300 });
      return (await sqs.send(command)).Messages?.map(({ Body, MessageId }) => ({ Body, MessageId })) ?? [];
    };
    seeded.clock.freeze();
    const checkpoint = seeded.snapshot();
    const runs = [];
    for (let run = 0; run < 3; run++) {
      await seeded.restore(checkpoint);
      expect(seeded.clock.now()).toBe(checkpoint.takenAt);
      const first = await receive();
      expect(await receive()).toEqual([]);
      // A waiting receive whose queue the next restore removes receives a response.
      const waiting = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })).catch(() => undefined);
      await seeded.clock.advance('11m');
      const later = (await waiting)?.Messages?.map(({ Body }) => Body);
      const { MessageId } = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: `of run ${run}` }));
      runs.push({ first, later, MessageId });
    }
    expect(runs[0]!.first).toMatchObject([{ Body: 'now' }]);
    expect(runs[0]!.later).toEqual(['now']);
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
  });

  test('opens no port after it is closed', async () => {
    const closed = await createEmulator({ services: ['sts'] });
    await closed.close();
    await expect(closed.listen()).rejects.toThrow('the emulator is closed');
  });

  test('rejects invalid options with a message', async () => {
    await expect(createEmulator({ verifySigV4: true } as EmulatorOptions)).rejects.toThrow(
      'verifySigV4 is not an option of createEmulator; did you mean verifySigv4?',
    );
    await expect(createEmulator({ accountId: '12' })).rejects.toThrow(ConfigError);
    await expect(createEmulator({ region: 'mars' })).rejects.toThrow('--region must be the name of a region');
  });
});

describe('reset', () => {
  test('of everything, a service, and an account in it', async () => {
    const create = (accountId?: string) =>
      new SQSClient(emu.clientConfig({ accountId })).send(new CreateQueueCommand({ QueueName: 'jobs' }));
    await create();
    await create('000000000001');
    await emu.reset('sqs', '000000000001');
    expect(await queues(emu)).toHaveLength(1);
    expect(await queues(emu, { accountId: '000000000001' })).toEqual([]);
    await emu.reset('sqs');
    expect(await queues(emu)).toEqual([]);
    await create();
    await emu.reset();
    expect(await queues(emu)).toEqual([]);
    await expect(emu.reset('sqs', '123')).rejects.toMatchObject({
      code: 'InvalidRequest',
      message: '"123" is not a 12-digit account id.',
    });
    await expect(emu.reset('teapot')).rejects.toMatchObject({ code: 'NotImplemented' });
  });
});

describe('the clock', () => {
  test('stands still, advances and runs timers that are due', async () => {
    const sqs = new SQSClient(emu.clientConfig());
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'later' }));
    emu.clock.freeze();
    const start = emu.clock.now();
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', DelaySeconds: 900 }));
    const receive = async () => (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.length ?? 0;
    await emu.clock.advance('14m59s');
    expect(await receive()).toBe(0);
    await emu.clock.advance(1000);
    expect(await receive()).toBe(1);
    expect(emu.clock.now()).toBe(start + 900_000);
    await emu.clock.set('2031-05-01T00:00:00Z');
    expect(new Date(emu.clock.now()).toISOString()).toBe('2031-05-01T00:00:00.000Z');
    await emu.clock.set(new Date(0));
    expect(emu.clock.now()).toBe(0);
    emu.clock.resume();
    expect(emu.clock.now()).toBeLessThan(60_000);
  });

  test.each(['', '15', 'm', '1h 30m', '-5s', -1, Number.NaN])('rejects the duration %j', async (duration) => {
    await expect(emu.clock.advance(duration)).rejects.toThrow(RangeError);
  });

  test('rejects invalid times', async () => {
    await expect(emu.clock.set('teatime')).rejects.toThrow(RangeError);
  });
});

test('a seed makes ids reproducible', async () => {
  const messageIds = async (seed: string) => {
    await using emulator = await createEmulator({ seed });
    const sqs = new SQSClient(emulator.clientConfig());
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
    return (await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }))).MessageId;
  };
  expect(await messageIds('a')).toBe(await messageIds('a'));
  expect(await messageIds('a')).not.toBe(await messageIds('b'));
});

test('a port serves the same state, and closes with the emulator', async () => {
  const sqs = new SQSClient(emu.clientConfig());
  await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
  const { port } = await emu.listen();
  const { requestHandler: _, ...config } = emu.clientConfig();
  const remote = new SQSClient({ ...config, endpoint: `http://127.0.0.1:${port}` });
  expect((await remote.send(new ListQueuesCommand({}))).QueueUrls).toEqual([
    `http://127.0.0.1:${port}/123456789012/jobs`,
  ]);
  remote.destroy();
  await emu.close();
  await expect(fetch(`http://127.0.0.1:${port}/_emulator/health`)).rejects.toThrow();
});

test('the control routes answer without a socket', async () => {
  const sqs = new SQSClient(emu.clientConfig());
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'jobs' }));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
  const { messages } = await emu.control.sqs.messages();
  expect(messages.map(({ body }) => body)).toEqual(['hello']);
  await using small = await createEmulator({ services: ['sqs'] });
  await expect(small.control.kms.usage()).rejects.toMatchObject({ status: 501 });
});

test('an injected fault reaches the client, and its retry succeeds', async () => {
  await emu.control.faults.add({ service: 'sqs', operation: 'ListQueues', times: 1, throttle: {} });
  const once = new SQSClient({ ...emu.clientConfig(), maxAttempts: 1 });
  await expect(once.send(new ListQueuesCommand({}))).rejects.toMatchObject({ name: 'ThrottlingException' });
  await emu.control.faults.add({ service: 'sqs', times: 1, drop: true });
  const patient = new SQSClient({ ...emu.clientConfig(), maxAttempts: 2 });
  expect((await patient.send(new ListQueuesCommand({}))).$metadata.attempts).toBe(2);
});

test('state in a data directory outlives the emulator, and belongs to one at a time', async () => {
  const dataPath = mkdtempSync(join(tmpdir(), 'emu-embedded-'));
  try {
    {
      await using first = await createEmulator({ dataPath });
      await new SQSClient(first.clientConfig()).send(new CreateQueueCommand({ QueueName: 'kept' }));
      await expect(createEmulator({ dataPath })).rejects.toThrow(dataPath);
    }
    await using second = await createEmulator({ dataPath });
    expect(await queues(second)).toEqual(['http://localhost/123456789012/kept']);
  } finally {
    rmSync(dataPath, { recursive: true, force: true });
  }
});
