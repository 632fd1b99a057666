import { type CallOptions, type RoleCaller, roleSessionPrincipal, ServiceRole } from '@emu/core/service';
import { badRole } from '../errors.ts';

const receiptRole = new ServiceRole({ service: 'ses', session: 'ses', refuse: badRole });

/**
 * Returns the options of calls with the role of an S3 action.
 * @param ruleArn ARN of the rule
 * @throws AwsError `InvalidS3ConfigurationException` for a role that SES cannot assume
 */
export async function asReceiptRole(roleArn: string, ruleArn: string, caller: RoleCaller): Promise<CallOptions> {
  await receiptRole.check(roleArn, caller, { sourceArn: ruleArn });
  return { principal: roleSessionPrincipal(roleArn, 'ses'), authorize: {} };
}
