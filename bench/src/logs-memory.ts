// Puts two million log events of 200 bytes into an emulator in memory mode, and prints their memory.
import { createEmulator } from '@emu/emulator';

const EVENTS = 2_000_000;
const BATCH = 4000;
const LENGTH = 200;

await using emulator = await createEmulator();
const run = emulator.kernel.call.bind(emulator.kernel);
const stream = { logGroupName: 'bench', logStreamName: 'stream' };
await run('logs', 'CreateLogGroup', { logGroupName: stream.logGroupName });
await run('logs', 'CreateLogStream', stream);
const put = async (count: number): Promise<void> => {
  const timestamp = Date.now();
  for (let start = 0; start < count; start += BATCH) {
    const logEvents = Array.from({ length: BATCH }, (_, n) => ({
      timestamp,
      message: String(start + n).padEnd(LENGTH),
    }));
    await run('logs', 'PutLogEvents', { ...stream, logEvents });
  }
};
// Code and temporary memory of a batch are allocated before.
await put(BATCH * 10);
const before = process.memoryUsage.rss();
await put(EVENTS);
process.send!({ grown: process.memoryUsage.rss() - before, bytes: EVENTS * LENGTH });
process.disconnect();
