import type { IamContext } from '../context.ts';
import { noSuchEntity } from '../errors.ts';
import { checkPolicyArn, findPolicy } from './managed.ts';

/**
 * Checks that a policy can be a permissions boundary. `OperationContext.wouldRefuse` checks that it exists.
 * @throws AwsError `NoSuchEntity`, `ValidationError`
 */
export async function checkBoundary(ctx: IamContext, arn: string): Promise<void> {
  checkPolicyArn(arn);
  if (!(await findPolicy(ctx.state, arn)))
    ctx.wouldRefuse(noSuchEntity(`Scope ARN: ${arn} does not exist or is not attachable.`));
}
