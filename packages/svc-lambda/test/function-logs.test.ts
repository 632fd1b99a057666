import { createLogger } from '@emu/core';
import type { LogWriter } from '@emu/core/service';
import { expect, it } from 'vitest';
import { FunctionLogs, type LogEvent } from '../src/runtime/function-logs.ts';

const line = (length: number, message = 'x'.repeat(length)): LogEvent => ({
  functionName: 'orders',
  version: '$LATEST',
  group: 'g',
  stream: 's',
  source: 'function',
  requestId: 'r',
  routine: false,
  timestamp: 0,
  message,
});
const place = { accountId: '000000000000', region: 'us-east-1' };
const quiet = createLogger({ level: 'error', format: 'text' });

it('keeps the newest lines, by number and size, without CloudWatch Logs', async () => {
  const logs = new FunctionLogs(place, () => undefined, quiet);
  logs.add(line(1));
  await logs.flushed();
  for (let count = 0; count < 12_000; count++) logs.add(line(10));
  expect(logs.events()).toHaveLength(10_000);
  for (let count = 0; count < 200; count++) logs.add(line(262_144));
  expect(logs.events()).toHaveLength(128);
});

it('limits its buffer while CloudWatch Logs is slow, and accepts lines again afterwards', async () => {
  const taken: number[] = [];
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const writer: LogWriter = {
    async write(_place, lines) {
      await gate;
      taken.push(lines.length);
    },
  };
  const logs = new FunctionLogs(place, () => writer, quiet);
  for (let count = 0; count < 500; count++) logs.add(line(262_144));
  expect(logs.events()).toHaveLength(128);
  open();
  await logs.flushed();
  logs.add(line(1));
  await logs.flushed();
  expect(taken.reduce((sum, length) => sum + length)).toBe(129);
});

it.each([
  ['hello\n', 'hello'],
  ['two\n  lines\n', 'two\n  lines'],
  ['\x1b[31mred\x1b[0m and \x1b]0;title\x07 bell \x07', 'red and  bell \\x07'],
  ['over\rwritten\x9b', 'over\\x0dwritten\\x9b'],
])("copies lines with the function's name to emu's log, escaped for terminals", async (message, told) => {
  const written: string[] = [];
  const log = createLogger({ level: 'info', format: 'text', write: (text) => written.push(text) });
  const logs = new FunctionLogs(place, () => undefined, log);
  logs.add(line(0, message));
  logs.add({ ...line(0, 'START RequestId: r'), source: 'platform', routine: true });
  await logs.flushed();
  expect(written.map((text) => text.slice('00:00:00.000 '.length))).toEqual([`INFO  [orders] ${told}\n`]);
});
