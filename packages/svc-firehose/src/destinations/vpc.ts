import { hash } from 'node:crypto';
import type { VpcConfiguration, VpcConfigurationDescription } from '@emu/service-types/firehose';
import { invalidArgument } from '../errors.ts';

const SUBNET = /^subnet-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;
const GROUP = /^sg-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

/**
 * Returns the description of a VPC destination. emu has no VPCs: only the form of ids is validated, the VPC id is
 * derived from the first subnet, and the destination is reached at its address.
 * @throws AwsError `InvalidArgumentException`
 */
export function vpcDescription({
  SubnetIds,
  SecurityGroupIds,
  RoleARN,
}: VpcConfiguration): VpcConfigurationDescription {
  const subnet = SubnetIds.find((id) => !SUBNET.test(id));
  if (subnet !== undefined) throw invalidArgument(`The subnet ID '${subnet}' is not valid.`);
  const group = SecurityGroupIds.find((id) => !GROUP.test(id));
  if (group !== undefined) throw invalidArgument(`The security group ID '${group}' is not valid.`);
  const VpcId = `vpc-${hash('sha256', SubnetIds[0]!, 'hex').slice(0, 17)}`;
  return { SubnetIds, SecurityGroupIds, RoleARN, VpcId };
}
