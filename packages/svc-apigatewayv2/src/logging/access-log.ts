import { accessLogLine } from '@emu/apigateway-common';
import { logWriter, parseArn } from '@emu/core';
import { contextOf } from '../http/context.ts';
import type { HttpExchange } from '../http/exchange.ts';
import type { HttpAnswer } from '../http/response.ts';

/**
 * Writes a line of the stage's access log, where it has one; nobody waits for it, and what goes wrong is logged.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html
 */
export function writeAccessLog(exchange: HttpExchange, answer: HttpAnswer): void {
  const { stage, state } = exchange;
  const { DestinationArn, Format } = stage.stage.AccessLogSettings ?? {};
  const arn = DestinationArn === undefined ? undefined : parseArn(DestinationArn);
  if (!arn || Format === undefined) return;
  const context = {
    ...contextOf(exchange),
    status: answer.status,
    responseLength: answer.body.length,
    responseLatency: state.clock.now() - exchange.receivedAt,
  };
  const message = accessLogLine(Format, context);
  const written = arn.service === 'firehose' ? deliver(exchange, arn, message) : write(exchange, arn, message);
  written.catch((error) => state.service.log.warn('an access log could not be written', { DestinationArn, error }));
}

type Arn = NonNullable<ReturnType<typeof parseArn>>;

async function write({ stage, state, receivedAt }: HttpExchange, arn: Arn, message: string): Promise<void> {
  const writer = await state.service.capability(logWriter);
  const group = arn.resource.replace(/^log-group:/, '').replace(/:\*$/, '');
  const stream = `${stage.api.ApiId}/${stage.name}`;
  const place = { accountId: arn.accountId, region: arn.region, group, stream };
  await writer?.write(place, [{ timestamp: receivedAt, message }]);
}

async function deliver({ state, request }: HttpExchange, arn: Arn, message: string): Promise<void> {
  const [, DeliveryStreamName = ''] = arn.resource.split('/');
  const { accountId, region } = arn;
  const Record = { Data: Buffer.from(`${message}\n`) };
  await state.scope.call(
    'firehose',
    'PutRecord',
    { DeliveryStreamName, Record },
    { accountId, region, cause: request.requestId },
  );
}
