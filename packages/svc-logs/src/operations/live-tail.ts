import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { checkClass } from '../groups/group-classes.ts';
import { groupIdentified } from '../lookup.ts';
import { parsePattern } from '../patterns/parse.ts';

/**
 * Streams new events.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`, `InvalidOperationException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_StartLiveTail.html
 */
export function StartLiveTail(input: InputOf<'StartLiveTail'>, ctx: LogsContext): OutputOf<'StartLiveTail'> {
  const { logGroupIdentifiers, logStreamNames, logStreamNamePrefixes, logEventFilterPattern } = input;
  if (logStreamNames && logStreamNamePrefixes)
    throw invalidParameter('LogStreamNames and logStreamNamePrefixes are mutually exclusive parameters.');
  if ((logStreamNames || logStreamNamePrefixes) && logGroupIdentifiers.length > 1)
    throw invalidParameter('Log streams can be specified for one log group only.');
  const pattern = parsePattern(logEventFilterPattern ?? '');
  const targets = logGroupIdentifiers.map((identifier) => {
    if (!identifier.startsWith('arn:'))
      throw invalidParameter(`The specified log group identifier ${identifier} is not an ARN.`);
    return groupIdentified(identifier, ctx);
  });
  for (const { group } of targets) checkClass(group, 'StartLiveTail');
  const [first, ...others] = targets;
  if (others.some(({ state }) => state !== first!.state))
    throw invalidParameter('All log groups of a session must be in the same account.');
  const request = {
    groups: targets.map(({ group }) => group),
    streams: logStreamNames
      ? (name: string) => logStreamNames.includes(name)
      : logStreamNamePrefixes && ((name: string) => logStreamNamePrefixes.some((prefix) => name.startsWith(prefix))),
    pattern,
  };
  const sessionStart = {
    requestId: ctx.requestId,
    sessionId: ctx.ids.uuid(),
    logGroupIdentifiers,
    ...(logStreamNames && { logStreamNames }),
    ...(logStreamNamePrefixes && { logStreamNamePrefixes }),
    ...(logEventFilterPattern !== undefined && { logEventFilterPattern }),
  };
  return { responseStream: first!.state.tails.open(request, { sessionStart }, ctx.signal) };
}
