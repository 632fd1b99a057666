import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { IAM } from '@aws-sdk/client-iam';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';

const OTHER = '000000000002';

let emulator: EmbeddedEmulator;
beforeAll(async () => {
  emulator = await createEmulator({ seed: 'files' });
});
afterAll(() => emulator.close());
beforeEach(() => emulator.control.reset());

const clientsOf = (of: EmbeddedEmulator, accountId?: string) => {
  const config = of.clientConfig(accountId === undefined ? {} : { accountId });
  return { iam: new IAM(config), logs: new CloudWatchLogs(config), s3: new S3(config), sqs: new SQS(config) };
};
const state = () => emulator.control.state;
const queues = async (of = emulator, accountId?: string): Promise<string[]> => {
  const { QueueUrls = [] } = await clientsOf(of, accountId).sqs.listQueues({});
  return QueueUrls.map((url) => url.slice(url.lastIndexOf('/') + 1));
};

describe('a state file', () => {
  it('restores records, bodies, events, credentials and the time, repeatedly', async () => {
    const { iam, logs, s3, sqs } = clientsOf(emulator);
    const { QueueUrl } = await sqs.createQueue({ QueueName: 'orders' });
    await sqs.sendMessage({ QueueUrl, MessageBody: 'first' });
    await s3.createBucket({ Bucket: 'photos' });
    await s3.putObject({ Bucket: 'photos', Key: 'a', Body: 'a'.repeat(2_000_000) });
    // Small bodies, two of which are equal and one empty, share a file in the archive.
    const small = { b: 'small', c: 'small', d: '', e: 'another' };
    for (const [Key, Body] of Object.entries(small)) await s3.putObject({ Bucket: 'photos', Key, Body });
    await iam.createUser({ UserName: 'ann' });
    const { AccessKey } = await iam.createAccessKey({ UserName: 'ann' });
    const place = { logGroupName: 'app', logStreamName: 'one' };
    await logs.createLogGroup({ logGroupName: 'app' });
    await logs.createLogStream(place);
    const logEvents = [{ timestamp: Date.now(), message: 'started' }];
    await logs.putLogEvents({ ...place, logEvents });
    await emulator.control.clock.freeze();
    const { now } = await emulator.control.clock.advance('3d');

    const file = await state().save();
    for (let round = 0; round < 2; round++) {
      await emulator.control.clock.reset();
      await sqs.deleteQueue({ QueueUrl });
      await s3.deleteObject({ Bucket: 'photos', Key: 'a' });
      await logs.deleteLogGroup({ logGroupName: 'app' });
      await sqs.createQueue({ QueueName: `later-${round}` });

      const { loaded, takenAt } = await state().load(file);
      expect(loaded).toMatchObject({ sqs: expect.any(Number), s3: expect.any(Number), logs: expect.any(Number) });
      expect(takenAt).toBe(now);
      expect(await emulator.control.clock.state()).toMatchObject({ now, frozen: true });
      expect(await queues()).toEqual(['orders']);
      const { Messages } = await sqs.receiveMessage({ QueueUrl });
      expect(Messages!.map(({ Body }) => Body)).toEqual(['first']);
      const { Body } = await s3.getObject({ Bucket: 'photos', Key: 'a' });
      expect((await Body!.transformToString()).length).toBe(2_000_000);
      for (const [Key, text] of Object.entries(small)) {
        const object = await s3.getObject({ Bucket: 'photos', Key });
        expect(await object.Body!.transformToString()).toBe(text);
      }
      const { events } = await logs.filterLogEvents({ logGroupName: 'app' });
      expect(events!.map(({ message }) => message)).toEqual(['started']);
      const { UserName } = await iam.getAccessKeyLastUsed({ AccessKeyId: AccessKey!.AccessKeyId });
      expect(UserName).toBe('ann');
    }
    await emulator.control.clock.reset();
  });

  it('can contain some services and accounts, and replaces no others', async () => {
    for (const account of [undefined, OTHER]) {
      const { sqs, s3 } = clientsOf(emulator, account);
      await sqs.createQueue({ QueueName: `saved-${account ?? 'own'}` });
      await s3.createBucket({ Bucket: `saved-${account ?? 'own'}` });
    }
    const file = await state().save({ services: ['sqs'], accounts: [OTHER] });
    for (const account of [undefined, OTHER])
      await clientsOf(emulator, account).sqs.createQueue({ QueueName: `later-${account ?? 'own'}` });
    expect(await state().load(file)).toMatchObject({ loaded: { sqs: expect.any(Number) } });
    expect(await queues()).toEqual(['later-own', 'saved-own']);
    expect(await queues(emulator, OTHER)).toEqual([`saved-${OTHER}`]);
    const { Buckets } = await clientsOf(emulator).s3.listBuckets({});
    expect(Buckets!.map(({ Name }) => Name)).toEqual(['saved-own']);
  });

  it('is merged with existing state if requested', async () => {
    const { sqs, logs } = clientsOf(emulator);
    await sqs.createQueue({ QueueName: 'saved' });
    const write = async (logGroupName: string) => {
      await logs.createLogGroup({ logGroupName });
      await logs.createLogStream({ logGroupName, logStreamName: 's' });
      const logEvents = [{ timestamp: Date.now(), message: `of ${logGroupName}` }];
      await logs.putLogEvents({ logGroupName, logStreamName: 's', logEvents });
    };
    await write('saved');
    const file = await state().save();
    await emulator.control.reset();
    await sqs.createQueue({ QueueName: 'there' });
    await write('there');
    await state().load(file, { mode: 'merge' });
    expect(await queues()).toEqual(['saved', 'there']);
    for (const logGroupName of ['saved', 'there']) {
      const { events } = await logs.filterLogEvents({ logGroupName });
      expect(events!.map(({ message }) => message)).toEqual([`of ${logGroupName}`]);
    }
  });

  it('moves from memory to a data directory and back', async () => {
    const { s3 } = clientsOf(emulator);
    await s3.createBucket({ Bucket: 'photos' });
    for (const Key of ['a', 'b']) await s3.putObject({ Bucket: 'photos', Key, Body: 'the same' });
    const file = await state().save();
    const directory = await mkdtemp(join(tmpdir(), 'emu-state-file-'));
    try {
      for (let start = 0; start < 2; start++) {
        const persistent = await createEmulator({ dataPath: directory });
        try {
          if (start === 0) await persistent.control.state.load(file);
          const { Body } = await clientsOf(persistent).s3.getObject({ Bucket: 'photos', Key: 'b' });
          expect(await Body!.transformToString()).toBe('the same');
          if (start === 1) {
            await emulator.control.reset();
            await state().load(await persistent.control.state.save());
          }
        } finally {
          await persistent.close();
        }
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    const { Contents } = await s3.listObjectsV2({ Bucket: 'photos' });
    expect(Contents!.map(({ Key }) => Key)).toEqual(['a', 'b']);
  });

  it('leaves nothing in the temporary directory', async () => {
    const left = async () => (await readdir(tmpdir())).filter((name) => /^emu-state-[A-Za-z0-9]{6}$/.test(name));
    const before = await left();
    await state().load(await state().save());
    await emulator.fetch('http://localhost/_emulator/state', { method: 'HEAD' });
    await emulator.fetch('http://localhost/_emulator/state').then(({ body }) => body!.cancel());
    expect(await left()).toEqual(before);
  });
});

type Entries = { name: string; content: Buffer; type?: 'symlink' | 'link'; linkname?: string }[];

async function entriesOf(file: Uint8Array): Promise<Entries> {
  const archive = extract();
  archive.end(gunzipSync(file));
  const entries: Entries = [];
  for await (const entry of archive) entries.push({ name: entry.header.name, content: await buffer(entry) });
  return entries;
}

async function fileOf(entries: Entries): Promise<Uint8Array> {
  const archive = pack();
  for (const { content, ...header } of entries) archive.entry(header, content);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** Returns an archive with an index that matches changed entries. */
async function changed(file: Uint8Array, change: (entries: Entries) => void): Promise<Uint8Array> {
  const [index, ...entries] = await entriesOf(file);
  change(entries);
  const described = entries.map(({ name, content }) => ({
    path: name,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const content = Buffer.from(JSON.stringify({ ...JSON.parse(index!.content.toString()), entries: described }));
  return fileOf([{ name: index!.name, content }, ...entries]);
}

describe('a modified state file', () => {
  const text = (entries: Entries, name: string, edit: (content: string) => string) => {
    const entry = entries.find((each) => each.name === name)!;
    entry.content = Buffer.from(edit(entry.content.toString()));
  };
  const damages: [what: string, damage: (file: Uint8Array) => Uint8Array | Promise<Uint8Array>, reason: RegExp][] = [
    ['empty', () => new Uint8Array(), /gzip|empty|tar/],
    ['no gzip file', () => Buffer.from('{"state":1}'), /it is no gzip file/],
    ['cut off', (file) => file.subarray(0, file.length / 2), /damaged|missing/],
    ['an archive of something else', () => fileOf([{ name: 'a', content: Buffer.from('a') }]), /it begins with "a"/],
    [
      'of another format',
      async (file) => {
        const [index, ...entries] = await entriesOf(file);
        const content = Buffer.from(JSON.stringify({ ...JSON.parse(index!.content.toString()), format: 2 }));
        return fileOf([{ name: index!.name, content }, ...entries]);
      },
      /it has format 2, and this version of emu reads format 1/,
    ],
    [
      'with an index that expands a thousandfold',
      async (file) => {
        const [index, ...entries] = await entriesOf(file);
        const content = Buffer.concat([index!.content, Buffer.alloc(64 * 1024 * 1024, ' ')]);
        return fileOf([{ name: index!.name, content }, ...entries]);
      },
      /its index is too large/,
    ],
    [
      'changed without its index',
      async (file) => {
        const entries = await entriesOf(file);
        text(entries, 'sqs/snapshot.json', (content) => content.replace('orders', 'others'));
        return fileOf(entries);
      },
      /sqs\/snapshot.json is not what the index says/,
    ],
    [
      'with an entry more',
      async (file) => fileOf([...(await entriesOf(file)), { name: 'sqs/more', content: Buffer.from('a') }]),
      /its index does not name "sqs\/more"/,
    ],
    ['with an entry less', async (file) => fileOf((await entriesOf(file)).slice(0, -1)), /is missing/],
    [
      'with a path that leads out of its directory',
      (file) => changed(file, (entries) => entries.push({ name: '../evil', content: Buffer.from('a') })),
      /"..\/evil" is no path of an entry/,
    ],
    [
      'with a link',
      async (file) =>
        fileOf([
          ...(await entriesOf(file)),
          { name: 'sqs/link', type: 'symlink', linkname: '/etc/passwd', content: Buffer.alloc(0) },
        ]),
      /"sqs\/link" is no file/,
    ],
    [
      'with a hard link',
      async (file) =>
        fileOf([
          ...(await entriesOf(file)),
          { name: 'sqs/link', type: 'link', linkname: '../../../etc/passwd', content: Buffer.alloc(0) },
        ]),
      /"sqs\/link" is no file/,
    ],
    [
      'with a link in the place of a file',
      async (file) => {
        const entries = await entriesOf(file);
        const at = entries.findIndex(({ name }) => name === 'sqs/snapshot.json');
        const link = { name: 'sqs/snapshot.json', type: 'symlink' as const, linkname: '/etc/passwd' };
        return fileOf(entries.with(at, { ...link, content: Buffer.alloc(0) }));
      },
      /"sqs\/snapshot.json" is no file/,
    ],
    [
      'with an absolute path',
      (file) => changed(file, (entries) => entries.push({ name: '/tmp/evil', content: Buffer.from('a') })),
      /"\/tmp\/evil" is no path of an entry/,
    ],
    [
      'with a damaged snapshot',
      (file) =>
        changed(file, (all) => text(all, 'sqs/snapshot.json', (content) => content.replace('orders', 'others'))),
      /checksum does not match/,
    ],
    [
      'with a service that emu does not have',
      (file) =>
        changed(file, (entries) => {
          const { content } = entries.find(({ name }) => name === 'sqs/snapshot.json')!;
          entries.push({ name: 'mainframe/snapshot.json', content });
        }),
      /it holds state of mainframe, which this version of emu does not have/,
    ],
    [
      'without a body that a record names',
      (file) =>
        changed(file, (entries) => {
          entries.splice(
            entries.findIndex(({ name }) => name.startsWith('s3/bodies/')),
            1,
          );
        }),
      /the body [0-9a-f]{64} of s3 is missing/,
    ],
  ];

  it.each(damages)('is rejected and changes nothing: %s', async (_what, damage, reason) => {
    const { sqs, s3 } = clientsOf(emulator);
    await sqs.createQueue({ QueueName: 'orders' });
    await s3.createBucket({ Bucket: 'photos' });
    await s3.putObject({ Bucket: 'photos', Key: 'a', Body: 'a' });
    const file = await damage(await state().save());
    await sqs.createQueue({ QueueName: 'later' });
    await expect(state().load(file)).rejects.toMatchObject({
      status: 400,
      code: 'InvalidState',
      message: expect.stringMatching(reason),
    });
    expect(await queues()).toEqual(['later', 'orders']);
  });

  it.each([
    ['services=mainframe', /"mainframe" is not a service of emu/],
    ['accounts=12', /"12" is not a 12-digit account id/],
    ['mode=beside', /mode is replace or merge, not beside/],
  ])('is rejected with an invalid query: %s', async (query, reason) => {
    const answer = await emulator.fetch(`http://localhost/_emulator/state?${query}`, { method: 'POST', body: 'x' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(reason) } });
  });
});
