import { lowerId } from '@emu/core/descriptors';
import type { VpcLink } from '@emu/service-types/apigatewayv2';
import { descriptor } from '../descriptor.ts';
import { badRequest, notFound } from '../errors.ts';
import { wholeSeconds } from '../members.ts';

const MAX_NAME = 128;
const SUBNET = /^subnet-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;
const SECURITY_GROUP = /^sg-(?:[0-9a-f]{8}|[0-9a-f]{17})$/;

const MESSAGES = {
  AVAILABLE: 'VPC link is ready to route traffic',
  PENDING: 'VPC link is provisioning ENIs',
};

/**
 * VPC links. emu has no subnets and security groups: only the syntax of their ids is checked.
 * @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks-vpclinkid.html
 */
export const vpcLinks = descriptor({
  name: 'VpcLink',
  records: 'vpcLinks',
  key: 'VpcLinkId',
  id: lowerId(6),
  missing: () => notFound('Invalid Vpc Link identifier specified'),
  tagged: true,
  states: { ready: 'AVAILABLE', creating: { state: 'PENDING', lasts: 120_000 } },
  rules: [
    ({ Name }) => {
      if (Name === '' || Name.length > MAX_NAME) throw badRequest(`Name must have 1 to ${MAX_NAME} characters`);
    },
    ({ SubnetIds }) => {
      if (SubnetIds.length === 0) throw badRequest('At least one subnet is required for a VPC link');
      for (const id of SubnetIds) if (!SUBNET.test(id)) throw badRequest(`Invalid subnet identifier specified: ${id}`);
    },
    ({ SecurityGroupIds }) => {
      for (const id of SecurityGroupIds)
        if (!SECURITY_GROUP.test(id)) throw badRequest(`Invalid security group identifier specified: ${id}`);
    },
  ],
  show: ({ createdAt, ...link }, _ctx, VpcLinkStatus): VpcLink =>
    ({
      ...link,
      CreatedDate: wholeSeconds(createdAt),
      VpcLinkStatus,
      VpcLinkStatusMessage: MESSAGES[VpcLinkStatus],
      VpcLinkVersion: 'V2',
    }) as VpcLink,
});
