import { type CallOptions, type RoleCaller, roleSessionPrincipal, ServiceRole } from '@emu/core/service';

const eventRole = new ServiceRole({ service: 'ses', session: 'ses' });

/**
 * Returns the options of calls with the role of an event destination.
 * @param setArn ARN of the configuration set
 * @throws AwsError of STS for a role that SES cannot assume
 * @see https://docs.aws.amazon.com/ses/latest/dg/event-publishing-add-event-destination-firehose.html
 */
export async function asEventRole(
  roleArn: string,
  setArn: string,
  caller: RoleCaller,
): Promise<Required<Pick<CallOptions, 'principal' | 'authorize'>>> {
  await eventRole.check(roleArn, caller, { sourceArn: setArn });
  return { principal: roleSessionPrincipal(roleArn, 'ses'), authorize: {} };
}
