import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { copyDataDirectory, faultyFileSystem } from '@emu/core/testing';
import { describeKill } from '@emu/gateway/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { startLogs } from './support.ts';

const logGroupName = 'work';
const logStreamName = 'stream';

// Acknowledged events must survive.
describeKill('CloudWatch Logs', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const logs = new CloudWatchLogs(config);
    return {
      prepare: async () => {
        await logs.createLogGroup({ logGroupName });
        await logs.createLogStream({ logGroupName, logStreamName });
      },
      write: async (piece) => {
        const logEvents = [{ timestamp: Date.now(), message: String(piece) }];
        await logs.putLogEvents({ logGroupName, logStreamName, logEvents });
      },
      read: async () => {
        const found: number[] = [];
        let nextToken: string | undefined;
        do {
          const page = await logs.filterLogEvents({ logGroupName, nextToken });
          for (const { message } of page.events!) found.push(Number(message));
          ({ nextToken } = page);
        } while (nextToken !== undefined);
        return found;
      },
      destroy: () => logs.destroy(),
    };
  },
});

async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'emu-logs-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

it.each<[string, (logs: CloudWatchLogs) => Promise<unknown>]>([
  ['a deleted group', (logs) => logs.deleteLogGroup({ logGroupName })],
  ['a deleted stream', (logs) => logs.deleteLogStream({ logGroupName, logStreamName })],
  ['a shorter retention', (logs) => logs.putRetentionPolicy({ logGroupName, retentionInDays: 1 })],
])('keeps the events of %s when the process ends before the write', async (_, remove) => {
  const dataPath = await temporaryDirectory();
  const fs = faultyFileSystem();
  await using test = await startLogs({ dataPath, fs });
  await test.group(logGroupName, logStreamName);
  const day = 86_400_000;
  const logEvents = [{ timestamp: test.now - 2 * day, message: 'kept' }];
  await test.logs.putLogEvents({ logGroupName, logStreamName, logEvents });
  await test.emulator.kernel.committed();
  let pass!: () => void;
  let held = false;
  const gate = new Promise<void>((resolve) => {
    pass = resolve;
  });
  fs.fault = async (call, file) => {
    if (call !== 'write' || !file.startsWith('journal-')) return undefined;
    held = true;
    await gate;
    return undefined;
  };
  const removing = remove(test.logs);
  await vi.waitFor(() => expect(held).toBe(true), { interval: 1, timeout: 20_000 });
  // Long enough for a manifest write without dependencies.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const copy = await temporaryDirectory();
  await copyDataDirectory(dataPath, copy);
  await using restarted = await startLogs({ dataPath: copy });
  const { events } = await restarted.logs.filterLogEvents({ logGroupName });
  expect(events!.map(({ message }) => message)).toEqual(['kept']);
  pass();
  await removing;
});
