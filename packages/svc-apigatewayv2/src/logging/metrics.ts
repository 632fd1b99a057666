import { resourceOf } from '../http/event-v1.ts';
import type { HttpExchange } from '../http/exchange.ts';
import type { HttpAnswer } from '../http/response.ts';

/**
 * Reports metrics of a request to an HTTP API.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
 */
export function measureRequest(exchange: HttpExchange, answer: HttpAnswer): void {
  const { state, stage, log, receivedAt, routeKey } = exchange;
  const { metrics } = state.runtime;
  if (!metrics) return;
  const now = state.clock.now();
  const { ApiId } = stage.api;
  const sets: Record<string, string>[] = [{ ApiId }, { ApiId, Stage: stage.name }];
  if (routeKey !== undefined && stage.settingsOf(routeKey).DetailedMetricsEnabled) {
    const Method = routeKey.includes(' ') ? routeKey.slice(0, routeKey.indexOf(' ')) : routeKey;
    sets.push({ ApiId, Method, Resource: resourceOf(routeKey), Stage: stage.name });
  }
  for (const dimensions of sets) {
    const of = metrics.resource('AWS/ApiGateway', dimensions);
    of.add('Count', 1, now);
    of.add('4xx', answer.status >= 400 && answer.status < 500 ? 1 : 0, now);
    of.add('5xx', answer.status >= 500 ? 1 : 0, now);
    of.add('Latency', now - receivedAt, now, 'Milliseconds');
    of.add('DataProcessed', exchange.body.length + answer.body.length, now, 'Bytes');
    if (log.integrationLatency !== undefined) of.add('IntegrationLatency', log.integrationLatency, now, 'Milliseconds');
  }
}
