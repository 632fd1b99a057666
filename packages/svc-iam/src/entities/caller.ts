import type { OperationContext } from '@emu/core/service';
import { invalid } from '../errors.ts';

/**
 * Returns the name of the calling user, the default of operations without a user name.
 * @throws AwsError `ValidationError` if the caller is not a user
 */
export function principalUserName(ctx: OperationContext<unknown>): string {
  const { type, arn } = ctx.principal;
  if (type !== 'user') throw invalid('Must specify userName when calling with non-User credentials');
  return arn.slice(arn.lastIndexOf('/') + 1);
}
