import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { createLogger } from '@emu/core';
import { inspectDataDirectory } from '@emu/core/doctor';
import type { ServiceManifest } from '@emu/core/service';
import { DAMAGES } from '@emu/core/testing';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ACCOUNT, REGION } from './support.ts';

const MANIFESTS: ServiceManifest[] = [kinesis, logs];
const logGroupName = 'group';
const StreamName = 'stream';
const MESSAGES = ['one', 'two', 'three', 'four', 'five'];
/** Number of items that fill two bodies and leave some beside them. */
const RECORDS = 1200;
const SEGMENT_BODY = /^[0-9a-f]{64}$/;

let root: string;
let template: string;

async function open(dataPath: string): Promise<{ emulator: TestEmulator; lines: string[] }> {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  const settings = { accountId: ACCOUNT, region: REGION };
  return { emulator: await createTestEmulator({ manifests: MANIFESTS, dataPath, settings, log }), lines };
}

async function messages(emulator: TestEmulator): Promise<string[]> {
  const { events } = await new CloudWatchLogs(emulator.clientConfig()).filterLogEvents({ logGroupName });
  return events!.map(({ message }) => message!);
}

async function records(emulator: TestEmulator): Promise<number> {
  const client = new Kinesis(emulator.clientConfig());
  const ShardId = 'shardId-000000000000';
  let { ShardIterator } = await client.getShardIterator({ StreamName, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
  let count = 0;
  for (;;) {
    const page = await client.getRecords({ ShardIterator, Limit: 500 });
    count += page.Records!.length;
    if (page.Records!.length === 0) return count;
    ShardIterator = page.NextShardIterator;
  }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'emu-damages-'));
  template = join(root, 'template');
  const { emulator } = await open(template);
  const client = new CloudWatchLogs(emulator.clientConfig());
  await client.createLogGroup({ logGroupName });
  await client.createLogStream({ logGroupName, logStreamName: 's' });
  const timestamp = Date.now();
  for (const message of MESSAGES)
    await client.putLogEvents({ logGroupName, logStreamName: 's', logEvents: [{ timestamp, message }] });
  const streams = new Kinesis(emulator.clientConfig());
  await streams.createStream({ StreamName, ShardCount: 1 });
  const status = async () =>
    (await streams.describeStreamSummary({ StreamName })).StreamDescriptionSummary!.StreamStatus;
  await vi.waitFor(async () => expect(await status()).toBe('ACTIVE'), { timeout: 15_000 });
  const Data = Buffer.alloc(1000, 'x');
  for (let from = 0; from < RECORDS; from += 400)
    await streams.putRecords({
      StreamName,
      Records: Array.from({ length: 400 }, (_, index) => ({ Data, PartitionKey: String(from + index) })),
    });
  const bodies = () => filesBelow(join(template, 'kinesis', 'bodies'));
  const whole = async () => (await bodies()).filter((file) => SEGMENT_BODY.test(basename(file)));
  await vi.waitFor(async () => expect((await whole()).length).toBe(2), { timeout: 15_000 });
  // A segment's record follows its file immediately: both exist after another request.
  await status();
  await emulator.close();
});
afterAll(() => rm(root, { recursive: true }));

async function filesBelow(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Result of a damaged directory, which must not be `silent`. */
type Outcome = 'whole' | 'refused' | 'refused when read' | 'silent';

async function outcomeOf(path: string, file: string): Promise<Outcome> {
  let running: Awaited<ReturnType<typeof open>>;
  try {
    running = await open(path);
  } catch (error) {
    expect(String(error)).toContain(file);
    expect(String(error)).toContain(`emu doctor --data-path ${path}`);
    return 'refused';
  }
  const { emulator, lines } = running;
  try {
    const found = [await messages(emulator), await records(emulator)];
    return JSON.stringify(found) === JSON.stringify([MESSAGES, RECORDS]) ? 'whole' : 'silent';
  } catch (error) {
    expect(error).toMatchObject({ $metadata: { httpStatusCode: 500 } });
    expect(String(error)).toContain(file);
    expect(lines.join('')).toContain(`lost: ${file}`);
    return 'refused when read';
  } finally {
    await emulator.close();
  }
}

const inspect = (directory: string, repair: boolean) =>
  inspectDataDirectory({
    directory,
    version: '0.0.0',
    manifests: MANIFESTS,
    repair,
    log: createLogger({ level: 'error', format: 'text' }),
    now: 0,
  });

let count = 0;

/** Damages a copy, returns the result, and checks that the doctor reports it and moves it away. */
async function examine(name: string, damage: (path: string) => Promise<void>): Promise<Outcome> {
  const path = join(root, `case-${count++}`);
  const copy = `${path}-copy`;
  await cp(template, path, { recursive: true });
  await damage(join(path, name));
  await cp(path, copy, { recursive: true });
  const outcome = await outcomeOf(copy, join(copy, name));
  const report = (await inspect(path, false))!;
  expect(report.starts).toBe(outcome !== 'refused');
  const damages = report.services.flatMap((service) => service.damage);
  if (outcome === 'whole') expect(damages).toEqual([]);
  else {
    expect(damages.join()).toContain(join(path, name));
    await inspect(path, true);
    const { emulator, lines } = await open(path);
    expect(lines).toEqual([]);
    // The remaining data is readable and writable.
    const client = new CloudWatchLogs(emulator.clientConfig());
    const logEvents = [{ timestamp: Date.now(), message: 'later' }];
    await client.putLogEvents({ logGroupName, logStreamName: 's', logEvents });
    expect(await messages(emulator)).toContain('later');
    await emulator.close();
    const left = (await inspect(path, false))!.services.flatMap((service) => service.damage);
    expect(left.filter((sentence) => !sentence.endsWith('is missing'))).toEqual([]);
  }
  for (const directory of [path, copy]) await rm(directory, { recursive: true });
  return outcome;
}

/** Data after the committed part may be arbitrary: it was never acknowledged. */
const BEHIND = Object.fromEntries(
  [
    'with its last line twice',
    'with a line of rubbish at its end',
    'with rubbish at its end',
    'with zeros at its end',
  ].map((damage) => [damage, 'whole']),
) as Record<string, Outcome>;
const SHORTER = Object.fromEntries(
  [
    'emptied',
    'deleted',
    'without its second line',
    ...Object.keys(DAMAGES).filter((damage) => damage.startsWith('cut ')),
  ].map((damage) => [damage, 'refused']),
) as Record<string, Outcome>;

describe.each([
  { what: 'the manifest of log events', folder: 'logs', pattern: /^manifest\.json$/, otherwise: 'refused', except: {} },
  {
    what: 'a segment of log events',
    folder: 'logs',
    pattern: /^segment-/,
    otherwise: 'refused when read',
    except: { ...SHORTER, ...BEHIND },
  },
  {
    what: 'a segment of a stream',
    folder: 'kinesis/bodies',
    pattern: SEGMENT_BODY,
    otherwise: 'refused when read',
    except: {},
  },
] as const)('damage of $what', ({ folder, pattern, otherwise, except }) => {
  test('is never silent', async () => {
    const path = (await filesBelow(join(template, folder))).find((file) => pattern.test(basename(file)))!;
    const name = path.slice(template.length + 1);
    const whole = await readFile(path);
    const outcomes: Record<string, Outcome> = {};
    for (const [damage, change] of Object.entries(DAMAGES)) {
      const damaged = change(whole);
      if (damaged.equals(whole)) continue;
      outcomes[damage] = await examine(name, (file) => writeFile(file, damaged));
    }
    outcomes.deleted = await examine(name, (file) => rm(file));
    const expected = except as Readonly<Record<string, Outcome>>;
    expect(outcomes).toEqual(
      Object.fromEntries(Object.keys(outcomes).map((damage) => [damage, expected[damage] ?? otherwise])),
    );
    expect(Object.keys(outcomes).length).toBeGreaterThan(12);
  });
});

test('reports missing log events if all were removed', async () => {
  const outcome = await examine('logs/manifest.json', async (manifest) => {
    for (const file of await filesBelow(join(manifest, '..')))
      if (/manifest\.json$|segment-/.test(file)) await rm(file);
  });
  expect(outcome).toBe('refused');
});
