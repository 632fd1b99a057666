import { accessLogLine, logStreamOf, writeAccessLine, writeExecutionLog } from '@emu/apigateway-common';
import { metricsOf, type RegionMetrics, type ResourceMetrics } from '@emu/core/service';
import type { StageView } from '../state.ts';
import type { Call, CallAnswer } from './call.ts';

/**
 * Returns `$context` for access logs.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
function loggedContext(call: Call, { status }: CallAnswer, length: number): Record<string, unknown> {
  const { state, context, notes, method, startedAt } = call;
  const { integration, authorizer, authorize, authenticate, basePathMatched, routingRuleIdMatched } = notes;
  const { methodIntegration } = method ?? {};
  const { tls } = call.request;
  return {
    ...context,
    authenticate,
    authorize,
    authorizer: { ...(context.authorizer as object | undefined), ...authorizer },
    awsEndpointRequestId: integration.requestId,
    customDomain: { basePathMatched, routingRuleIdMatched },
    endpointType: state.apis.get(call.apiId)?.endpointConfiguration.types?.[0],
    cipherSuite: tls?.cipher,
    integration: {
      ...integration,
      ...(methodIntegration && {
        responseTransferMode: methodIntegration.responseTransferMode === 'STREAM' ? 'STREAMED' : 'BUFFERED',
      }),
    },
    integrationErrorMessage: integration.error,
    integrationLatency: integration.latency,
    integrationStatus: integration.integrationStatus,
    responseLatency: state.clock.now() - startedAt,
    responseLength: length,
    status,
    tlsVersion: tls?.version,
  };
}

/**
 * Writes a line to the stage's access log, if configured.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 */
async function logAccess(call: Call, stage: StageView, answer: CallAnswer, length: number): Promise<void> {
  const { destinationArn, format } = stage.accessLogSettings ?? {};
  if (destinationArn === undefined || format === undefined) return;
  const { state, request } = call;
  const line = accessLogLine(format, loggedContext(call, answer, length));
  const stream = logStreamOf(call.apiId, call.stage.name);
  const cause = request.requestId;
  await writeAccessLine(state.scope, { destination: destinationArn, stream, line, at: call.startedAt, cause });
}

/** Writes the execution log according to the method settings. */
async function logExecution(call: Call): Promise<void> {
  const { state, log, apiId, stage, request } = call;
  const { loggingLevel: level, dataTraceEnabled: traced } = stage.settings(
    call.resource?.path ?? '',
    call.method?.httpMethod ?? '',
  );
  const group = `API-Gateway-Execution-Logs_${apiId}/${stage.name}`;
  const place = { accountId: state.accountId, region: state.region, group, stream: logStreamOf(apiId, stage.name) };
  await writeExecutionLog(state.scope, place, request.requestId, log.written(level, traced));
}

/** Metrics of stages, valid while the stage record and the account's metrics are unchanged. */
const ofStages = new WeakMap<StageView, { readonly board: RegionMetrics; readonly all: readonly ResourceMetrics[] }>();

/** Returns the metrics to which every request of a stage contributes. */
function metricsOfStage(board: RegionMetrics, ApiName: string, stage: StageView): readonly ResourceMetrics[] {
  const known = ofStages.get(stage);
  if (known?.board === board) return known.all;
  const dimensions = [{ ApiName }, { ApiName, Stage: stage.stageName }];
  const all = dimensions.map((one) => board.resource('AWS/ApiGateway', one));
  ofStages.set(stage, { board, all });
  return all;
}

/**
 * Reports metrics of a request.
 * @param ApiName name of the API
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
 */
export function measure(call: Call, ApiName: string, stage: StageView, answer: CallAnswer): void {
  const { state, resource, method } = call;
  const board = metricsOf(state.scope.service, state.accountId, state.region);
  if (!board) return;
  const now = state.clock.now();
  for (const metrics of metricsOfStage(board, ApiName, stage)) count(metrics, call, answer, now);
  if (!resource || !call.stage.settings(resource.path, method.httpMethod!).metricsEnabled) return;
  const detailed = { ApiName, Method: method.httpMethod!, Resource: resource.path, Stage: stage.stageName };
  count(board.resource('AWS/ApiGateway', detailed), call, answer, now);
}

function count(metrics: ResourceMetrics, { startedAt, latency, cache }: Call, { status }: CallAnswer, now: number) {
  metrics.add('Count', 1, now);
  metrics.add('4XXError', status >= 400 && status < 500 ? 1 : 0, now);
  metrics.add('5XXError', status >= 500 ? 1 : 0, now);
  metrics.add('Latency', now - startedAt, now, 'Milliseconds');
  if (latency !== undefined) metrics.add('IntegrationLatency', latency, now, 'Milliseconds');
  if (cache !== undefined) metrics.add(cache === 'hit' ? 'CacheHitCount' : 'CacheMissCount', 1, now);
}

/**
 * Writes the logs of a completed request; failures are logged only.
 * @param length bytes of the response body
 */
export async function writeLogs(call: Call, stage: StageView, answer: CallAnswer, length: number): Promise<void> {
  try {
    if (stage.accessLogSettings) await logAccess(call, stage, answer, length);
    if (call.log.on) await logExecution(call);
  } catch (error) {
    const { state, apiId: api } = call;
    state.scope.log.warn('a log of an API could not be written', { api, stage: stage.stageName, error });
  }
}
