import { accessLogLine } from '@emu/apigateway-common';
import { logWriter, metricsOf, parseArn } from '@emu/core';
import type { StageView } from '../state.ts';
import type { Call, CallAnswer } from './call.ts';

/** Writes a line to the stage's access log, where it has one. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html */
async function logAccess(call: Call, stage: StageView): Promise<void> {
  const { destinationArn, format } = stage.accessLogSettings ?? {};
  if (destinationArn === undefined || format === undefined) return;
  const { state, request } = call;
  const line = accessLogLine(format, call.context);
  const arn = parseArn(destinationArn);
  if (arn?.service === 'firehose') {
    const name = arn.resource.split('/')[1] ?? '';
    await state.scope.call(
      'firehose',
      'PutRecord',
      { DeliveryStreamName: name, Record: { Data: Buffer.from(`${line}\n`) } },
      { accountId: arn.accountId, region: arn.region, cause: request.requestId },
    );
    return;
  }
  const group = /^log-group:([^:]+)/.exec(arn?.resource ?? '')?.[1];
  const writer = group === undefined ? undefined : await state.scope.service.capability(logWriter);
  if (!writer || !arn || group === undefined) return;
  const place = { accountId: arn.accountId, region: arn.region, group, stream: streamName(call) };
  await writer.write(place, [{ timestamp: call.startedAt, message: line }]);
}

/** Name of the stream of a stage's logs. */
const streamName = ({ stage, apiId }: Call): string =>
  Buffer.from(`${apiId}/${stage.name}`).toString('hex').padEnd(32, '0').slice(0, 32);

/** Writes the execution log, as far as the settings of the method ask for it. */
async function logExecution(call: Call): Promise<void> {
  const { state, log, apiId, stage, request } = call;
  if (!log.on) return;
  const level = stage.settings(call.resource?.path ?? '', call.method?.httpMethod ?? '').loggingLevel;
  if (level !== 'INFO' && level !== 'ERROR') return;
  const lines = log.lines.filter(({ error }) => level === 'INFO' || error);
  const writer = lines.length > 0 ? await state.scope.service.capability(logWriter) : undefined;
  if (!writer) return;
  const group = `API-Gateway-Execution-Logs_${apiId}/${stage.name}`;
  const place = { accountId: state.accountId, region: state.region, group, stream: streamName(call) };
  await writer.write(
    place,
    lines.map(({ at, text }) => ({ timestamp: at, message: `(${request.requestId}) ${text}` })),
  );
}

/** Counts a request. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
function measure(call: Call, name: string, answer: CallAnswer): void {
  const { state, stage, resource, method, integrationLatency } = call;
  const board = metricsOf(state.scope.service, state.accountId, state.region);
  if (!board) return;
  const now = state.clock.now();
  const detailed = resource && stage.settings(resource.path, method.httpMethod!).metricsEnabled;
  const dimensions: Record<string, string>[] = [{ ApiName: name }, { ApiName: name, Stage: stage.name }];
  if (detailed)
    dimensions.push({ ApiName: name, Method: method.httpMethod!, Resource: resource.path, Stage: stage.name });
  for (const one of dimensions) {
    const metrics = board.resource('AWS/ApiGateway', one);
    metrics.add('Count', 1, now);
    metrics.add('4XXError', answer.status >= 400 && answer.status < 500 ? 1 : 0, now);
    metrics.add('5XXError', answer.status >= 500 ? 1 : 0, now);
    metrics.add('Latency', now - call.startedAt, now, 'Milliseconds');
    if (integrationLatency !== undefined) metrics.add('IntegrationLatency', integrationLatency, now, 'Milliseconds');
  }
}

/** Tells logs and metrics of an answered request; what goes wrong with it is logged and stops nobody. */
export async function report(call: Call, apiName: string, stage: StageView, answer: CallAnswer): Promise<void> {
  const { context, state } = call;
  context.status = answer.status;
  context.responseLength = answer.body.length;
  context.responseLatency = state.clock.now() - call.startedAt;
  if (call.integrationLatency !== undefined) {
    context.integrationLatency = call.integrationLatency;
    context.integration = { latency: call.integrationLatency, status: answer.status };
  }
  measure(call, apiName, answer);
  try {
    await logAccess(call, stage);
    await logExecution(call);
  } catch (error) {
    state.scope.log.warn('a log of an API could not be written', { api: call.apiId, stage: stage.stageName, error });
  }
}
