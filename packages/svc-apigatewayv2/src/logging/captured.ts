import { isText } from '../http/event-v2.ts';
import type { HttpExchange } from '../http/exchange.ts';

/** Maximum number of stored body characters. */
const MAX_BODY = 64 * 1024;

/** Records a request for the control route. */
export function capture(exchange: HttpExchange, statusCode: number): void {
  const { state, stage, body, request, routeKey } = exchange;
  const text = isText(exchange);
  const kept = body.subarray(0, MAX_BODY);
  state.runtime.captured.add({
    accountId: state.accountId,
    region: state.region,
    requestId: exchange.requestId,
    apiId: stage.api.ApiId,
    stage: stage.name,
    ...(routeKey !== undefined && { routeKey }),
    method: exchange.method,
    path: exchange.fullPath,
    queryString: request.query,
    headers: Object.fromEntries(
      [...exchange.headers.entries()].map(([name, values]) => [name.toLowerCase(), values.join(',')]),
    ),
    ...(body.length > 0 && { body: kept.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !text,
    sourceIp: exchange.sourceIp,
    statusCode,
    timestamp: new Date(exchange.receivedAt).toISOString(),
  });
}
