import type { ControlRouteOf, HttpRouteName, LambdaInvocation, LambdaWarmContainer } from '@emu/control-client';
import type { ControlRoute, ServiceHandle } from '@emu/core';
import type { LambdaState } from '../state.ts';
import { Executor } from './executor.ts';
import { ExecutionHost } from './host.ts';

/** A route of Lambda, held to the types its clients have. */
type Route<Path extends string> = ControlRouteOf<
  Extract<HttpRouteName, `${string} ${Path}`>,
  ServiceHandle<LambdaState>
>;

const toTimestamp = (time: number): string => new Date(time).toISOString();

/** What ran, oldest first. */
const invocations: Route<'/_emulator/lambda/invocations'> = {
  method: 'GET',
  path: '/_emulator/lambda/invocations',
  handle(_request, service) {
    const listed: (LambdaInvocation & { at: number })[] = [];
    for (const { accountId, region, state } of service.states())
      for (const record of Executor.of(state).records.list()) {
        const { payload, response, functionError, timestamp, ...rest } = record;
        listed.push({
          accountId,
          region,
          ...rest,
          payload: Buffer.from(payload).toString(),
          ...(response && { response: Buffer.from(response).toString() }),
          ...(functionError && { functionError }),
          timestamp: toTimestamp(timestamp),
          at: timestamp,
        });
      }
    listed.sort((a, b) => a.at - b.at);
    return { json: { invocations: listed.map(({ at: _, ...invocation }) => invocation) } };
  },
};

/** Environments that are up, in order of account, region, function and start. */
const warmContainers: Route<'/_emulator/lambda/warm-containers'> = {
  method: 'GET',
  path: '/_emulator/lambda/warm-containers',
  async handle(_request, service) {
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
  },
};

/** Ends the idle environments of every function of a name, so that the next invocation starts cold. */
const evict: Route<'/_emulator/lambda/{function_name}/evict-container'> = {
  method: 'POST',
  path: '/_emulator/lambda/{function_name}/evict-container',
  async handle({ params }, service) {
    let evictedContainers = 0;
    for (const { state } of service.states()) evictedContainers += await Executor.of(state).evict(params.function_name);
    return { json: { evictedContainers } };
  },
};

/** Lambda's routes for tests to see and to influence what runs. */
export const executionControl: readonly ControlRoute<LambdaState>[] = [invocations, warmContainers, evict];
