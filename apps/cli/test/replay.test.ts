import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run, type Started, started } from './cli.ts';

const HEADER = {
  recording: 1,
  startedAt: '2026-03-02T10:00:00.000Z',
  upstream: 'aws',
  region: 'us-east-1',
  masked: true,
};

/** Returns a recorded request. */
const recorded = (service: string, operation: string, input: object, result: object): object => ({
  n: 1,
  startedAt: '2026-03-02T10:00:01.000Z',
  milliseconds: 3,
  ...{ service, region: 'us-east-1', operation, input, status: 200, headers: {} },
  ...result,
});

const QUEUE = recorded(
  'sqs',
  'CreateQueue',
  { QueueName: 'jobs' },
  { output: { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000001/jobs' } },
);
const MISSING = recorded(
  'sqs',
  'GetQueueUrl',
  { QueueName: 'none' },
  { status: 400, error: { code: 'QueueDoesNotExist', message: 'It does not exist in AWS.' } },
);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'emu-replay-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Writes a recording. @returns its path */
function recording(...lines: readonly object[]): string {
  const file = join(directory, 'a.jsonl');
  writeFileSync(file, [HEADER, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

describe('emu replay', () => {
  test('prints differences with their lines, and exits with 1', async () => {
    const file = recording(QUEUE, MISSING);
    const text = await run(['replay', file]);
    expect(text).toMatchObject({ code: 1, stderr: '' });
    expect(text.stdout).toContain(
      'sqs GetQueueUrl: 1 of 1 requests differ\n  other message: It does not exist in AWS. →',
    );
    expect(text.stdout).toContain('a.jsonl:3');
    expect(text.stdout).toContain('2 requests compared: 1 difference in 1 request');
    expect(await run(['replay', '--service', 'sns', file])).toMatchObject({ code: 0 });
    expect(await run(['replay', '--classes', 'other code,missing member', file])).toMatchObject({ code: 0 });
    const json = await run(['replay', '--report', 'json', file]);
    expect(JSON.parse(json.stdout)).toMatchObject({ compared: 2, operations: [{ operation: 'GetQueueUrl' }] });
  });

  test('writes accepted differences to a list, which later runs read', async () => {
    const file = recording(QUEUE, MISSING);
    const list = join(directory, 'known.json');
    expect(await run(['replay', file, '--ignore', list])).toMatchObject({ code: 1, stdout: '' });
    expect(await run(['replay', file, '--ignore', list, '--accept', 'AWS changed it'])).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual({
      ignored: [
        { service: 'sqs', operation: 'GetQueueUrl', class: 'other message', path: '', reason: 'AWS changed it' },
      ],
    });
    const again = await run(['replay', file, '--ignore', list]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('0 differences in 0 requests, 1 ignored');
  });

  test('rejects files and options that it cannot use', async () => {
    const file = recording(QUEUE, { n: 2 });
    expect(await run(['replay', file])).toMatchObject({
      code: 1,
      stderr: `emu: ${file} cannot be replayed: line 3 of the recording has no valid startedAt.\n`,
    });
    writeFileSync(file, `${JSON.stringify(HEADER)}\n${'['.repeat(100_000)}\n`);
    expect((await run(['replay', file])).stderr).toContain('line 2 of the recording is not JSON');
    expect((await run(['replay', join(directory, 'none')])).stderr).toContain('ENOENT');
    expect((await run(['replay', '--report', 'xml', file])).stderr).toContain('--report must be one of text, json,');
    expect((await run(['replay', '--service', 'sqs,nosuch', file])).stderr).toContain('--service must be one of ');
  });

  describe('with a running emulator', () => {
    let server: Started;
    beforeAll(async () => {
      server = await started();
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test('sends the requests there, and lets its time run again', async () => {
      const file = recording(QUEUE, MISSING);
      const { code, stdout } = await run(['replay', '--endpoint', server.url, file]);
      expect(code).toBe(1);
      expect(stdout).toContain('2 requests compared: 1 difference');
      const clock = (await (await fetch(`${server.url}/_emulator/clock`)).json()) as { frozen: boolean };
      expect(clock.frozen).toBe(false);
    });
  });
});
