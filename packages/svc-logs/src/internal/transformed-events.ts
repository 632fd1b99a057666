import type { LogsInternalOperations } from '@emu/service-types/internal/logs';
import type { LogsContext } from '../context.ts';
import { checkReadable } from '../groups/group-classes.ts';
import { groupNamed } from '../lookup.ts';
import { formatEventId, parseEventId } from '../store/event.ts';

type Operation = LogsInternalOperations['ReadTransformedEvents'];

/** Maximum number of events per page. */
const MAX_EVENTS = 10_000;

/**
 * Returns the transformed events of a group, for contributor insights rules.
 * @throws AwsError `ResourceNotFoundException`
 */
export async function ReadTransformedEvents(input: Operation['input'], ctx: LogsContext): Promise<Operation['output']> {
  const { startTime: from, endTime: to } = input;
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkReadable(group, 'FilterLogEvents');
  const transforms = state.transformers.transforms(group);
  const events: Operation['output']['events'] = [];
  for await (const chunk of group.events.read({ from, to, after: parseEventId(input.nextToken ?? '') })) {
    for (const event of chunk.events) {
      const message = event.transformed ?? (transforms ? undefined : event.message);
      if (message === undefined) continue;
      events.push({ timestamp: event.timestamp, message: state.protection.masked(group, { ...event, message }) });
    }
    if (events.length >= MAX_EVENTS) return { events, nextToken: formatEventId(chunk.position) };
  }
  return { events };
}
