import type { LogLine, LogWriter, ServiceHandle, VendedLogs } from '@emu/core';
import { newGroup } from './groups.ts';
import { ingest } from './ingestion.ts';
import type { LogsRegistry } from './registry.ts';

/** Appends lines to a stream, which is made, as its group, where it is missing. */
export async function writeLines(
  state: LogsRegistry,
  groupName: string,
  streamName: string,
  lines: readonly LogLine[],
): Promise<void> {
  const { groups, clock, ids } = state;
  const group = groups.find(groupName) ?? groups.create(newGroup(groupName, ids.uuid(), clock.now()));
  if (!group.stream(streamName)) groups.createStream(group, streamName, clock.now());
  const stream = group.stream(streamName)!;
  state.retention.enforce();
  const events = lines.map(({ timestamp, message }) => ({ timestamp, message }));
  await ingest({ state, group, stream }, events, (index) => lines[index]!.cause);
}

/** Takes the lines of services that log of their own accord. */
export const writerOf = (service: ServiceHandle<LogsRegistry>): LogWriter => ({
  async write({ accountId, region, group, stream }, lines) {
    await writeLines(service.state(accountId, region), group, stream, lines);
    await service.committed();
  },
});

/** Takes the logs that services make of their resources for whoever wants them delivered. */
export const carrierOf = (service: ServiceHandle<LogsRegistry>): VendedLogs => ({
  async deliver(log, records) {
    await service.state(log.accountId, log.region).vended.deliver(log, records);
    await service.committed();
  },
});
