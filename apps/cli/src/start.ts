import type { Flags } from './argv.ts';
import { announce } from './banner.ts';
import { reportFailures } from './failure.ts';
import { releaseMemoryWhenIdle } from './idle-memory.ts';
import { closeOnSignals } from './lifetime.ts';
import { prepare, startServer } from './server.ts';

/** `emu start`: runs in the foreground until a signal ends it. */
export async function start(flags: Flags): Promise<void> {
  await reportFailures(async () => {
    const server = await startServer(flags, process.env);
    closeOnSignals(server);
    await prepare(server);
    announce(server);
    releaseMemoryWhenIdle();
    void server.emulator.kernel.resume();
  });
}
