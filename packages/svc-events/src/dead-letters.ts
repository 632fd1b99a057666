import { type CallOptions, type DeepReadonly, parseArn } from '@emu/core/service';
import type { DeadLetterConfig } from '@emu/service-types/events';
import { type BusEvent, eventJson } from './event.ts';
import type { EventsState } from './state.ts';

/**
 * Sends an event to a dead-letter queue.
 * @param attributes message attributes; undefined ones are omitted
 * @param caller returns the caller in the account and region of the queue
 * @returns whether the queue accepted it; undefined without a queue
 */
export async function sendDeadLetter(
  state: EventsState,
  config: DeepReadonly<DeadLetterConfig> | undefined,
  event: BusEvent,
  attributes: Readonly<Record<string, string | undefined>>,
  caller: (accountId: string, region: string) => CallOptions,
): Promise<boolean | undefined> {
  const queue = config?.Arn;
  const arn = queue === undefined ? undefined : parseArn(queue);
  if (!arn) return undefined;
  const input = {
    QueueUrl: `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`,
    MessageBody: eventJson(event),
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).flatMap(([name, StringValue]) =>
        StringValue === undefined ? [] : [[name, { DataType: 'String', StringValue }]],
      ),
    ),
  };
  try {
    await state.call('sqs', 'SendMessage', input, caller(arn.accountId, arn.region));
    return true;
  } catch (error) {
    state.log.warn(`the dead-letter queue ${queue} did not take an event`, { error });
    return false;
  }
}
