import { hexId, memberFilters } from '@emu/core/descriptors';
import { awsError } from '@emu/wire';
import { dependency, descriptor, idErrors, invalid } from './descriptor.ts';
import type { DhcpOptions, NatGateway, SecurityGroup, Subnet, Vpc } from './types.ts';

const CIDR = /^\d+\.\d+\.\d+\.\d+\/(\d+)$/;
const GROUP_NAME = /^[^\s]{1,255}$/;

export const dhcpOptions = descriptor({
  name: 'dhcp-options',
  records: 'dhcpOptions',
  key: 'DhcpOptionsId',
  id: hexId('dopt-'),
  ...idErrors('InvalidDhcpOptionsID', 'dhcpOption'),
  tagged: true,
  filters: memberFilters('DhcpOptionsId', 'DomainName'),
  show: (options): DhcpOptions => options as DhcpOptions,
});
export const CreateDhcpOptions = dhcpOptions.createHandler('CreateDhcpOptions', { answer: 'DhcpOptions' });
export const DescribeDhcpOptions = dhcpOptions.listHandler('DescribeDhcpOptions', { ids: 'DhcpOptionsIds' });
export const DeleteDhcpOptions = dhcpOptions.deleteHandler('DeleteDhcpOptions', {});

export const vpcs = descriptor({
  name: 'vpc',
  records: 'vpcs',
  key: 'VpcId',
  id: hexId('vpc-'),
  ...idErrors('InvalidVpcID', 'vpc'),
  tagged: true,
  rules: [
    ({ CidrBlock }) => {
      const length = Number(CIDR.exec(CidrBlock)?.[1]);
      if (!(length >= 16 && length <= 28)) throw awsError('InvalidVpc.Range', `The CIDR '${CidrBlock}' is invalid.`);
    },
    {
      reference: 'DhcpOptionsId',
      to: dhcpOptions,
      form: { read: (id) => (id === 'default' ? undefined : id), write: (id) => id },
      onDelete: { refuse: ({ DhcpOptionsId }: { DhcpOptionsId: string }) => dependency('dhcpOptions', DhcpOptionsId) },
    },
  ],
  filters: {
    ...memberFilters('VpcId', 'DhcpOptionsId'),
    cidr: 'CidrBlock',
    'owner-id': (_vpc, { accountId }) => accountId,
    state: () => 'available',
  },
  show: ({ EnableDnsHostnames: _, EnableDnsSupport: _s, ...vpc }, { accountId }): Vpc =>
    ({ ...vpc, OwnerId: accountId, State: 'available' }) as Vpc,
});
export const CreateVpc = vpcs.createHandler('CreateVpc', {
  members: {
    OutpostArn: { refused: () => awsError('NotImplemented', 'OutpostArn is not implemented', { status: 501 }) },
    Ipv4NetmaskLength: {
      rule: (length) => {
        if (length < 16 || length > 28) throw invalid(`Invalid netmask length ${length}`);
      },
    },
  },
  defaults: ({ input }) => ({
    CidrBlock: `10.0.0.0/${input.Ipv4NetmaskLength ?? 16}`,
    InstanceTenancy: 'default',
    DhcpOptionsId: 'default',
    EnableDnsSupport: true,
    EnableDnsHostnames: false,
  }),
  created: ({ VpcId }, { ctx }) => {
    const GroupId = hexId('sg-').make(ctx.ids);
    const group = { GroupId, GroupName: 'default', Description: 'default VPC security group', VpcId, Tags: [] };
    ctx.state.securityGroups.put(GroupId, group);
  },
  answer: 'Vpc',
});
export const DescribeVpcs = vpcs.listHandler('DescribeVpcs', { ids: 'VpcIds' });
export const ModifyVpcAttribute = vpcs.updateHandler('ModifyVpcAttribute', {
  members: { EnableDnsHostnames: { attribute: true }, EnableDnsSupport: { attribute: true } },
  oneAttribute: {
    none: () => awsError('MissingParameter', 'No attribute is specified'),
    several: () => awsError('InvalidParameterCombination', 'Fields for multiple attribute types specified'),
  },
});
export const DescribeVpcAttribute = vpcs.getHandler('DescribeVpcAttribute', {
  answer: (_vpc, { record, input: { Attribute } }) => ({
    VpcId: record.VpcId,
    [Attribute]: { Value: record[Attribute] },
  }),
});
export const AssociateDhcpOptions = vpcs.updateHandler('AssociateDhcpOptions', {});
export const DeleteVpc = vpcs.deleteHandler('DeleteVpc', {});

export const subnets = descriptor({
  name: 'subnet',
  records: 'subnets',
  key: 'SubnetId',
  id: hexId('subnet-'),
  ...idErrors('InvalidSubnetID', 'subnet'),
  tagged: true,
  rules: [
    {
      reference: 'VpcId',
      to: vpcs,
      onDelete: { refuse: ({ VpcId }: { VpcId: string }) => dependency('vpc', VpcId) },
    },
    {
      unique: ['VpcId', 'CidrBlock'],
      error: ({ CidrBlock }) =>
        awsError('InvalidSubnet.Conflict', `The CIDR '${CidrBlock}' conflicts with another subnet`),
    },
  ],
  filters: { ...memberFilters('SubnetId', 'VpcId', 'AvailabilityZone', 'MapPublicIpOnLaunch'), cidr: 'CidrBlock' },
  show: (subnet): Subnet => subnet as Subnet,
});
export const CreateSubnet = subnets.createHandler('CreateSubnet', {
  defaults: ({ ctx }) => ({ AvailabilityZone: `${ctx.region}a`, MapPublicIpOnLaunch: false }),
  answer: 'Subnet',
});
export const DescribeSubnets = subnets.listHandler('DescribeSubnets', { ids: 'SubnetIds' });
export const DeleteSubnet = subnets.deleteHandler('DeleteSubnet', {});

export const securityGroups = descriptor({
  name: 'security-group',
  records: 'securityGroups',
  key: 'GroupId',
  id: hexId('sg-'),
  ...idErrors('InvalidGroup', 'security group'),
  tagged: true,
  rules: [
    ({ GroupName }) => {
      if (!GROUP_NAME.test(GroupName)) throw invalid(`Invalid group name ${GroupName}`);
    },
    {
      reference: 'VpcId',
      to: vpcs,
      onDelete: {
        refuse: ({ VpcId }: { VpcId: string }, { GroupName }) =>
          GroupName === 'default' ? undefined : dependency('vpc', VpcId),
        delete: true,
      },
    },
    {
      unique: ['VpcId', 'GroupName'],
      error: ({ GroupName, VpcId }) =>
        awsError('InvalidGroup.Duplicate', `The security group '${GroupName}' already exists for VPC '${VpcId}'`),
    },
  ],
  filters: memberFilters('GroupId', 'GroupName', 'Description', 'VpcId'),
  show: (group): SecurityGroup => group as SecurityGroup,
});
export const CreateSecurityGroup = securityGroups.createHandler('CreateSecurityGroup', {
  answer: ({ GroupId, Tags }) => ({ GroupId: GroupId!, Tags: Tags! }),
});
export const DescribeSecurityGroups = securityGroups.listHandler('DescribeSecurityGroups', {
  ids: 'GroupIds',
  matching: { Owner: (_group, owner, { accountId }) => owner === accountId },
});
export const DeleteSecurityGroup = securityGroups.deleteHandler('DeleteSecurityGroup', {
  id: ({ GroupId, GroupName }, { state }) =>
    GroupId ?? [...state.securityGroups.values()].find((group) => group.GroupName === GroupName)?.GroupId ?? '',
  check: ({ GroupName }) => {
    if (GroupName === 'default') throw awsError('CannotDelete', 'the default group cannot be deleted by a user');
  },
  answer: ({ GroupId }) => ({ Return: true, GroupId: GroupId! }),
});

export const natGateways = descriptor({
  name: 'natgateway',
  records: 'natGateways',
  key: 'NatGatewayId',
  id: hexId('nat-'),
  missing: (id) => awsError('NatGatewayNotFound', `The Nat Gateway ${id} was not found`),
  malformed: (id) => awsError('NatGatewayMalformed', `The Nat Gateway ${id} is malformed`),
  tagged: true,
  states: {
    ready: 'available',
    creating: { state: 'pending', lasts: 90_000 },
    deleting: { state: 'deleting', lasts: 60_000, next: 'deleted', visible: 3_600_000 },
    changeable: ['available', 'failed'],
    refuse: (id, state) => awsError('IncorrectState', `The Nat Gateway ${id} is ${state}`),
  },
  rules: [
    {
      reference: 'SubnetId',
      to: subnets,
      onDelete: { refuse: ({ SubnetId }: { SubnetId: string }) => dependency('subnet', SubnetId) },
    },
    {
      reference: 'SecondarySubnetIds',
      to: subnets,
      onDelete: {
        detach: (gateway) => {
          delete gateway.SecondarySubnetIds;
        },
      },
    },
  ],
  filters: { ...memberFilters('NatGatewayId', 'SubnetId'), state: (_gateway, _ctx, state) => state },
  show: ({ life: _, createdAt, ...gateway }, _ctx, State): NatGateway =>
    ({ ...gateway, State, CreateTime: new Date(createdAt) }) as NatGateway,
});
export const CreateNatGateway = natGateways.createHandler('CreateNatGateway', {
  values: ({ ctx }) => ({ createdAt: ctx.clock.now() }),
  answer: 'NatGateway',
});
export const DescribeNatGateways = natGateways.listHandler('DescribeNatGateways', {
  ids: 'NatGatewayIds',
  filters: 'Filter',
});
export const DeleteNatGateway = natGateways.deleteHandler('DeleteNatGateway', {
  answer: ({ NatGatewayId }) => ({ NatGatewayId: NatGatewayId! }),
});

export const routes = descriptor({
  name: 'route',
  records: 'routes',
  key: 'RouteId',
  id: hexId('r-'),
  ...idErrors('InvalidRouteID', 'route'),
  rules: [
    { reference: 'NatGatewayId', to: natGateways, states: ['available'] },
    {
      reference: 'NextRouteId',
      to: 'self',
      onDelete: { refuse: ({ RouteId }: { RouteId: string }) => dependency('route', RouteId) },
    },
  ],
});
export const CreateRoute = routes.createHandler('CreateRoute', { answer: 'Route' });
export const DescribeRoutes = routes.listHandler('DescribeRoutes', { result: 'Routes' });
export const DeleteRoute = routes.deleteHandler('DeleteRoute', {});
