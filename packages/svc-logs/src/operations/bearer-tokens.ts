import { checkClass } from '../group-classes.ts';
import { groupIdentified, type In, type LogsContext } from '../lookup.ts';

/**
 * Says whether clients may send events to a group with a bearer token, by the HTTP endpoints.
 * @throws AwsError `ResourceNotFoundException`, `InvalidOperationException` for a class without the feature
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutBearerTokenAuthentication.html
 */
export function PutBearerTokenAuthentication(
  input: In<'PutBearerTokenAuthentication'>,
  ctx: LogsContext,
): Record<string, never> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  checkClass(group, 'PutBearerTokenAuthentication');
  state.groups.update(group, (draft) => {
    draft.bearerTokens = input.bearerTokenAuthenticationEnabled;
  });
  return {};
}
