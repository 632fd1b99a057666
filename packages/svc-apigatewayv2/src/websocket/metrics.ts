import type { Apigatewayv2State } from '../state.ts';

/**
 * Reports a metric of a WebSocket API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
 */
export function measure(
  { runtime, clock }: Apigatewayv2State,
  { apiId, stage }: { apiId: string; stage: string },
  name: 'ConnectCount' | 'MessageCount' | 'ClientError' | 'ExecutionError' | 'IntegrationLatency',
  value = 1,
): void {
  const { metrics } = runtime;
  if (!metrics) return;
  const now = clock.now();
  const unit = name === 'IntegrationLatency' ? 'Milliseconds' : undefined;
  for (const dimensions of [{ ApiId: apiId }, { ApiId: apiId, Stage: stage }])
    metrics.resource('AWS/ApiGateway', dimensions).add(name, value, now, unit);
}
