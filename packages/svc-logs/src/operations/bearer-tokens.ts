import type { InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { checkClass } from '../groups/group-classes.ts';
import { groupIdentified } from '../lookup.ts';

/**
 * Sets whether clients may send events to a group with a bearer token through the HTTP endpoints.
 * @throws AwsError `ResourceNotFoundException`, `InvalidOperationException` for an unsupported class
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutBearerTokenAuthentication.html
 */
export function PutBearerTokenAuthentication(
  input: InputOf<'PutBearerTokenAuthentication'>,
  ctx: LogsContext,
): OutputOf<'PutBearerTokenAuthentication'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  checkClass(group, 'PutBearerTokenAuthentication');
  state.groups.update(group, (draft) => {
    draft.bearerTokens = input.bearerTokenAuthenticationEnabled;
  });
  return {};
}
