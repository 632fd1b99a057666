import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { notFound } from '../errors.ts';

/**
 * Streams a complete event.
 * @param input its pointer is an event id
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogObject.html
 */
export async function GetLogObject(
  input: InputOf<'GetLogObject'>,
  ctx: LogsContext,
): Promise<OutputOf<'GetLogObject'>> {
  for (const group of ctx.state.groups.list()) {
    const event = await group.events.find(input.logObjectPointer);
    if (!event) continue;
    const message = input.unmask ? event.message : ctx.state.protection.masked(group, event);
    return { fieldStream: fieldsOf(message) };
  }
  throw notFound('The specified log object does not exist.');
}

async function* fieldsOf(message: string) {
  yield { fields: { data: Buffer.from(message) } };
}
