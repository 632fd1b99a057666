import { SERVICES } from '@emu/emulator';
import { awsError } from '@emu/wire';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { proofsOf } from '../src/proof.ts';
import { InputReads } from '../src/reads.ts';
import { sqs } from '../src/scenarios/sqs.ts';
import { Stages } from '../src/starts.ts';

type AnyHandler = (input: Record<string, unknown>, ctx: unknown) => unknown;

const manifest = SERVICES.find(({ name }) => name === 'sqs')!;

/** Returns the proof of the members of SendMessage, with an interceptor between the operation and its requests. */
async function proofsWith(between: (handler: AnyHandler) => AnyHandler): Promise<Record<string, string>> {
  const plugin = await manifest.load();
  const operations = plugin.operations as unknown as Record<string, AnyHandler>;
  const changed = { ...operations, SendMessage: between(operations.SendMessage!) };
  vi.spyOn(manifest, 'load').mockResolvedValue({ ...plugin, operations: changed as never });
  await using stages = await Stages.open(sqs);
  return await proofsOf(sqs, 'SendMessage', await stages.startOf('SendMessage'));
}

afterEach(() => vi.restoreAllMocks());

describe('proofsOf', () => {
  it('proves members that change the response, the state or an error', async () => {
    expect(await proofsWith((handler) => handler)).toMatchObject({
      QueueUrl: 'effect',
      MessageBody: 'effect',
      DelaySeconds: 'effect',
      // The queue is not a FIFO queue: it stores the group without effect.
      MessageGroupId: 'echoed',
    });
  });

  it('distinguishes members that no handler reads from those read without effect', async () => {
    const proofs = await proofsWith((handler) => (input, ctx) => {
      const { QueueUrl, MessageBody } = input;
      return input.DelaySeconds === 'never' ? {} : handler({ QueueUrl, MessageBody }, ctx);
    });
    expect(proofs).toMatchObject({ MessageBody: 'effect', DelaySeconds: 'read', MessageGroupId: 'unread' });
  });

  it('reports members without successful requests', async () => {
    const proofs = await proofsWith((handler) => (input, ctx) => {
      if (input.MessageBody === 'hello') throw awsError('InvalidParameterValue', 'No.');
      return handler(input, ctx);
    });
    expect(proofs.DelaySeconds).toBe('untried');
  });
});

describe('InputReads', () => {
  const input = { Name: 'a', Tags: [{ Key: 'k', Value: 'v' }], Options: { Deep: { Flag: true } } };

  it('records existing and read members, also through copies and clones', () => {
    const reads = new InputReads();
    reads.record('Create');
    const watched = reads.of('Create', structuredClone(input)) as typeof input;
    expect([...reads.paths]).toEqual([]);
    expect([...reads.present].sort()).toEqual(
      ['Name', 'Options', 'Options.Deep', 'Options.Deep.Flag', 'Tags', 'Tags[].Key', 'Tags[].Value'].sort(),
    );
    expect(watched.Tags[0]!.Key).toBe('k');
    expect([...reads.paths]).toEqual(['Tags', 'Tags[].Key']);
    expect(structuredClone(watched)).toEqual(input);
    expect(reads.paths.has('Options.Deep.Flag')).toBe(true);
  });

  it('writes to the input, and passes the same input on', () => {
    const reads = new InputReads();
    reads.record('Create');
    const own = { Bucket: 'alias' };
    const watched = reads.of('Create', own) as typeof own;
    watched.Bucket = 'bucket';
    expect(own.Bucket).toBe('bucket');
    expect(reads.of('Create', own)).toBe(watched);
    expect(watched.Bucket).toBe('bucket');
    expect(reads.of('Delete', own)).toBe(own);
  });
});
