import type { Apigatewayv2State } from '../state.ts';

/**
 * Counts something of a WebSocket API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-logging.html
 */
export function measure(
  { runtime, clock }: Apigatewayv2State,
  { apiId, stage }: { apiId: string; stage: string },
  name: 'ConnectCount' | 'MessageCount' | 'ClientError' | 'ExecutionError',
): void {
  const { metrics } = runtime;
  if (!metrics) return;
  const now = clock.now();
  metrics.resource('AWS/ApiGateway', { ApiId: apiId }).add(name, 1, now);
  metrics.resource('AWS/ApiGateway', { ApiId: apiId, Stage: stage }).add(name, 1, now);
}
