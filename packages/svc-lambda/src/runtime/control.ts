import type { DeclareRoute, LambdaInvocation, LambdaLogLine, LambdaWarmContainer } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import type { LambdaState } from '../state.ts';
import { Executor } from './executor.ts';
import { ExecutionHost } from './host.ts';

const route: DeclareRoute<ServiceHandle<LambdaState>, ControlRoute<LambdaState>> = controlRoute;

const toTimestamp = (time: number): string => new Date(time).toISOString();

/** A listed item with its time in epoch milliseconds. */
interface Timed<Entry> {
  at: number;
  entry: Entry;
}

/** Items of one region are in order of arrival; the sort is stable. */
const oldestFirst = <Entry>(listed: Timed<Entry>[]): Entry[] =>
  listed.sort((a, b) => a.at - b.at).map(({ entry }) => entry);

/** Invocations, oldest first. */
const invocations = route('GET /_emulator/lambda/invocations', (_request, service) => {
  const listed: Timed<LambdaInvocation>[] = [];
  for (const { accountId, region, state } of service.states())
    for (const record of Executor.of(state).records.list()) {
      const { payload, response, functionError, timestamp, ...rest } = record;
      const entry = {
        accountId,
        region,
        ...rest,
        payload: Buffer.from(payload).toString(),
        ...(response && { response: Buffer.from(response).toString() }),
        ...(functionError && { functionError }),
        timestamp: toTimestamp(timestamp),
      };
      listed.push({ at: timestamp, entry });
    }
  return { json: { invocations: oldestFirst(listed) } };
});

/** Default and maximum number of returned lines. */
const DEFAULT_LINES = 1000;
const MAX_LINES = 10_000;

/** @throws ControlError 400 */
function limitOf(text: string | null): number {
  const limit = text === null ? DEFAULT_LINES : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LINES) return limit;
  throw new ControlError(400, 'InvalidParameter', `limit is a whole number from 1 to ${MAX_LINES}, not ${text}`);
}

/**
 * Parses epoch milliseconds.
 * @throws ControlError 400
 */
function sinceOf(text: string | null): number {
  const since = text === null ? Number.NEGATIVE_INFINITY : Date.parse(text);
  if (!Number.isNaN(since)) return since;
  throw new ControlError(400, 'InvalidParameter', `since is a time such as 2026-01-31T12:00:00Z, not ${text}`);
}

/** Newest function log lines that match the query, oldest first. */
const logs = route('GET /_emulator/lambda/logs', ({ query }, service) => {
  const [name, id] = [query.get('function_name'), query.get('request_id')];
  const [limit, since] = [limitOf(query.get('limit')), sinceOf(query.get('since'))];
  const listed: Timed<LambdaLogLine>[] = [];
  for (const { accountId, region, state } of service.states())
    for (const event of Executor.of(state).logs.events()) {
      const { functionName, version, group, stream, source, requestId, timestamp, message } = event;
      if ((name !== null && functionName !== name) || (id !== null && requestId !== id) || timestamp < since) continue;
      const entry = {
        accountId,
        region,
        functionName,
        version,
        requestId,
        source,
        logGroup: group,
        logStream: stream,
        timestamp: toTimestamp(timestamp),
        message: message.replace(/\n$/, ''),
      };
      listed.push({ at: timestamp, entry });
    }
  return { json: { lines: oldestFirst(listed).slice(-limit) } };
});

/** Running environments, in order of account, region, function and start. */
const warmContainers = route('GET /_emulator/lambda/warm-containers', async (_request, service) => {
  const containers: LambdaWarmContainer[] = [];
  for (const { accountId, region, state } of service.states()) {
    const environments = [...Executor.of(state).environments()];
    environments.sort((a, b) => (a.functionName < b.functionName ? -1 : a.functionName > b.functionName ? 1 : 0));
    if (environments.length === 0) continue;
    const backend = await ExecutionHost.of(service).backend();
    for (const { functionName, slot } of environments)
      containers.push({
        accountId,
        region,
        functionName,
        functionArn: state.functionArn(functionName),
        version: slot.version,
        containerId: slot.environment?.id ?? '',
        backend,
        busy: slot.busy,
        startedAt: toTimestamp(slot.startedAt),
        ...(slot.lastUsedAt !== undefined && { lastUsedAt: toTimestamp(slot.lastUsedAt) }),
      });
  }
  return { json: { containers } };
});

/** Ends the idle environments of all functions with a name, so that the next invocation is a cold start. */
const evict = route('POST /_emulator/lambda/{function_name}/evict-container', async ({ params }, service) => {
  let evictedContainers = 0;
  for (const { state } of service.states()) evictedContainers += await Executor.of(state).evict(params.function_name);
  return { json: { evictedContainers } };
});

/** Lambda's control routes for tests that inspect and control invocations. */
export const executionControl: readonly ControlRoute<LambdaState>[] = [invocations, logs, warmContainers, evict];
