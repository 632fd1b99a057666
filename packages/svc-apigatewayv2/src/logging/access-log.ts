import { accessLogLine, writeAccessLine } from '@emu/apigateway-common';
import { contextOf } from '../http/context.ts';
import type { HttpExchange } from '../http/exchange.ts';
import type { HttpAnswer } from '../http/response.ts';

/**
 * Writes a line to the stage's access log, if configured, in the background; failures are logged.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html
 */
export function writeAccessLog(exchange: HttpExchange, answer: HttpAnswer): void {
  const { stage, state, receivedAt, request } = exchange;
  const { DestinationArn: destination, Format } = stage.stage.AccessLogSettings ?? {};
  if (destination === undefined || Format === undefined) return;
  const line = accessLogLine(Format, {
    ...contextOf(exchange),
    dataProcessed: exchange.body.length + answer.body.length,
    status: answer.status,
    responseLength: answer.body.length,
    responseLatency: state.clock.now() - receivedAt,
  });
  const stream = `${stage.api.ApiId}/${stage.name}`;
  const cause = request.requestId;
  writeAccessLine(state.scope, { destination, stream, line, at: receivedAt, cause }).catch((error) =>
    state.service.log.warn('an access log could not be written', { destination, error }),
  );
}
