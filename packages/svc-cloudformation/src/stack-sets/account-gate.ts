import { type CallOptions, formatArn, type ServiceCaller } from '@emu/core/service';
import type { AccountGateResult } from '@emu/service-types/cloudformation';
import { AwsError, isObject, parseJson } from '@emu/wire';
import type { Place } from './store.ts';

/** Name of the function that can block deployments to an account. */
const FUNCTION = 'AWSCloudFormationStackSetAccountGate';

/**
 * Invokes the account gate function of an account and region. Returns whether it allows a deployment.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/stacksets-account-gating.html
 */
export async function passGate(
  caller: Pick<ServiceCaller, 'call'>,
  { account, region }: Place,
  options: CallOptions,
): Promise<AccountGateResult> {
  const arn = formatArn({ service: 'lambda', region, accountId: account, resource: `function:${FUNCTION}` });
  try {
    const { Payload, FunctionError } = await caller.call('lambda', 'Invoke', { FunctionName: FUNCTION }, options);
    if (FunctionError) return { Status: 'FAILED', StatusReason: `Function ${arn} failed: ${FunctionError}` };
    const answer: unknown = parseJson(Buffer.from(Payload ?? []).toString('utf8') || 'null');
    return isObject(answer) && answer.Status === 'SUCCEEDED'
      ? { Status: 'SUCCEEDED' }
      : { Status: 'FAILED', StatusReason: `Function ${arn} did not answer the status SUCCEEDED` };
  } catch (error) {
    // An account without the function, or without Lambda, has no gate.
    if (error instanceof AwsError && /^(ResourceNotFoundException|NotImplemented)$/.test(error.code))
      return { Status: 'SKIPPED', StatusReason: `Function not found: ${arn}` };
    if (error instanceof AwsError || error instanceof SyntaxError)
      return { Status: 'FAILED', StatusReason: `Function ${arn} failed: ${error.message}` };
    throw error;
  }
}
