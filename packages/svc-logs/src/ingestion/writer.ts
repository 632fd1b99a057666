import type { LogLine, LogWriter, ServiceHandle, VendedLogs } from '@emu/core/service';
import { newGroup } from '../groups/groups.ts';
import type { LogsRegistry } from '../registry.ts';
import { ingest } from './ingestion.ts';

/** Appends lines to a stream; creates missing groups and streams. */
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

/** Accepts log lines that services write on their own. */
export const writerOf = (service: ServiceHandle<LogsRegistry>): LogWriter => ({
  async write({ accountId, region, group, stream }, lines) {
    await writeLines(service.state(accountId, region), group, stream, lines);
    await service.committed();
  },
});

/** Accepts vended logs from services for their deliveries. */
export const carrierOf = (service: ServiceHandle<LogsRegistry>): VendedLogs => ({
  async deliver(log, records) {
    await service.state(log.accountId, log.region).vended.deliver(log, records);
    await service.committed();
  },
});
