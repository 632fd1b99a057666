import type { OperationContext } from '@emu/core/service';
import { invalid } from '../errors.ts';

/**
 * Name of the user who calls, for operations that mean the caller where they name nobody.
 * @throws AwsError `ValidationError` where the caller is no user
 */
export function principalUserName(ctx: OperationContext<unknown>): string {
  const { type, arn } = ctx.principal;
  if (type !== 'user') throw invalid('Must specify userName when calling with non-User credentials');
  return arn.slice(arn.lastIndexOf('/') + 1);
}
