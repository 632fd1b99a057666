import type { MemberModel, OperationModel, ServiceModel, Shape } from '@emu/wire';

const structure = (members: Readonly<Record<string, string>>, required: string[] = []): Shape => ({
  type: 'structure',
  members: Object.fromEntries(Object.entries(members).map(([name, shape]): [string, MemberModel] => [name, { shape }])),
  ...(required.length > 0 && { required }),
});
const list = (shape: string): Shape => ({ type: 'list', member: { shape } });

const REQUEST = { DryRun: 'Flag' };
const CREATION = { ...REQUEST, TagSpecifications: 'TagSpecifications' };
const PAGING = { ...REQUEST, MaxResults: 'Limit', NextToken: 'Text' };
const LISTING = { ...PAGING, Filters: 'Filters' };

/** Input, its required members and the output of each operation. */
const OPERATIONS: Readonly<
  Record<string, [input: Record<string, string>, required: string[], output: Record<string, string>]>
> = {
  CreateVpc: [
    { ...CREATION, CidrBlock: 'Text', InstanceTenancy: 'Text', OutpostArn: 'Text', Ipv4NetmaskLength: 'Number' },
    [],
    { Vpc: 'Vpc' },
  ],
  DescribeVpcs: [{ ...LISTING, VpcIds: 'Texts' }, [], { Vpcs: 'Vpcs', NextToken: 'Text' }],
  ModifyVpcAttribute: [
    { ...REQUEST, VpcId: 'Text', EnableDnsSupport: 'FlagValue', EnableDnsHostnames: 'FlagValue' },
    ['VpcId'],
    {},
  ],
  DescribeVpcAttribute: [
    { ...REQUEST, VpcId: 'Text', Attribute: 'Text' },
    ['VpcId', 'Attribute'],
    { VpcId: 'Text', EnableDnsSupport: 'FlagValue', EnableDnsHostnames: 'FlagValue' },
  ],
  AssociateDhcpOptions: [{ ...REQUEST, VpcId: 'Text', DhcpOptionsId: 'Text' }, ['VpcId', 'DhcpOptionsId'], {}],
  DeleteVpc: [{ ...REQUEST, VpcId: 'Text' }, ['VpcId'], {}],
  CreateDhcpOptions: [{ ...CREATION, DomainName: 'Text' }, ['DomainName'], { DhcpOptions: 'DhcpOptions' }],
  DescribeDhcpOptions: [
    { ...LISTING, DhcpOptionsIds: 'Texts' },
    [],
    { DhcpOptions: 'DhcpOptionsList', NextToken: 'Text' },
  ],
  DeleteDhcpOptions: [{ ...REQUEST, DhcpOptionsId: 'Text' }, ['DhcpOptionsId'], {}],
  CreateSubnet: [
    { ...CREATION, VpcId: 'Text', CidrBlock: 'Text', AvailabilityZone: 'Text' },
    ['VpcId', 'CidrBlock'],
    { Subnet: 'Subnet' },
  ],
  DescribeSubnets: [{ ...LISTING, SubnetIds: 'Texts' }, [], { Subnets: 'Subnets', NextToken: 'Text' }],
  DeleteSubnet: [{ ...REQUEST, SubnetId: 'Text' }, ['SubnetId'], {}],
  CreateSecurityGroup: [
    { ...CREATION, GroupName: 'Text', Description: 'Text', VpcId: 'Text' },
    ['GroupName', 'Description', 'VpcId'],
    { GroupId: 'Text', Tags: 'Tags' },
  ],
  DescribeSecurityGroups: [
    { ...LISTING, GroupIds: 'Texts', Owner: 'Text' },
    [],
    { SecurityGroups: 'SecurityGroups', NextToken: 'Text' },
  ],
  DeleteSecurityGroup: [{ ...REQUEST, GroupId: 'Text', GroupName: 'Text' }, [], { Return: 'Flag', GroupId: 'Text' }],
  CreateNatGateway: [
    { ...CREATION, SubnetId: 'Text', SecondarySubnetIds: 'Texts' },
    ['SubnetId'],
    { NatGateway: 'NatGateway' },
  ],
  DescribeNatGateways: [
    { ...PAGING, Filter: 'Filters', NatGatewayIds: 'Texts' },
    [],
    { NatGateways: 'NatGateways', NextToken: 'Text' },
  ],
  DeleteNatGateway: [{ ...REQUEST, NatGatewayId: 'Text' }, ['NatGatewayId'], { NatGatewayId: 'Text' }],
  CreateRoute: [{ ...REQUEST, NatGatewayId: 'Text', NextRouteId: 'Text' }, ['NatGatewayId'], { Route: 'Route' }],
  DescribeRoutes: [REQUEST, [], { Routes: 'Routes' }],
  DeleteRoute: [{ ...REQUEST, RouteId: 'Text' }, ['RouteId'], {}],
};

const RESOURCES: Readonly<Record<string, Shape>> = {
  Vpc: structure({
    VpcId: 'Text',
    OwnerId: 'Text',
    CidrBlock: 'Text',
    InstanceTenancy: 'Text',
    DhcpOptionsId: 'Text',
    State: 'Text',
    Tags: 'Tags',
  }),
  DhcpOptions: structure({ DhcpOptionsId: 'Text', DomainName: 'Text', Tags: 'Tags' }),
  Subnet: structure({
    SubnetId: 'Text',
    VpcId: 'Text',
    CidrBlock: 'Text',
    AvailabilityZone: 'Text',
    MapPublicIpOnLaunch: 'Flag',
    Tags: 'Tags',
  }),
  SecurityGroup: structure({ GroupId: 'Text', GroupName: 'Text', Description: 'Text', VpcId: 'Text', Tags: 'Tags' }),
  NatGateway: structure({
    NatGatewayId: 'Text',
    SubnetId: 'Text',
    SecondarySubnetIds: 'Texts',
    State: 'Text',
    CreateTime: 'Time',
    Tags: 'Tags',
  }),
  Route: structure({ RouteId: 'Text', NatGatewayId: 'Text', NextRouteId: 'Text' }),
};

/** The model of the service. */
export const model: ServiceModel = {
  service: 'networks',
  source: { botocore: '0', path: 'none' },
  metadata: {
    apiVersion: '2026-01-01',
    endpointPrefix: 'networks',
    signingName: 'networks',
    serviceId: 'Networks',
    protocols: ['awsJson1_0'],
    targetPrefix: 'Networks',
  },
  operations: Object.fromEntries(
    Object.keys(OPERATIONS).map((name): [string, OperationModel] => [
      name,
      { http: { method: 'POST', uri: '/' }, input: { shape: `${name}Request` }, output: { shape: `${name}Result` } },
    ]),
  ),
  shapes: {
    Text: { type: 'string' },
    Texts: list('Text'),
    Number: { type: 'integer' },
    Limit: { type: 'integer', min: 2, max: 1000 },
    Flag: { type: 'boolean' },
    FlagValue: structure({ Value: 'Flag' }),
    Time: { type: 'timestamp' },
    Tag: structure({ Key: 'Text', Value: 'Text' }),
    Tags: list('Tag'),
    TagSpecification: structure({ ResourceType: 'Text', Tags: 'Tags' }),
    TagSpecifications: list('TagSpecification'),
    Filter: structure({ Name: 'Text', Values: 'Texts' }),
    Filters: list('Filter'),
    ...RESOURCES,
    Vpcs: list('Vpc'),
    DhcpOptionsList: list('DhcpOptions'),
    Subnets: list('Subnet'),
    SecurityGroups: list('SecurityGroup'),
    NatGateways: list('NatGateway'),
    Routes: list('Route'),
    ...Object.fromEntries(
      Object.entries(OPERATIONS).flatMap(([name, [input, required, output]]): [string, Shape][] => [
        [`${name}Request`, structure(input, required)],
        [`${name}Result`, structure(output)],
      ]),
    ),
  },
};

const page = <const Result extends string>(result: Result) =>
  ({ token: 'NextToken', next: 'NextToken', limit: 'MaxResults', result }) as const;

/** Members by which its operations are paged. */
export const pagination = {
  DescribeVpcs: page('Vpcs'),
  DescribeDhcpOptions: page('DhcpOptions'),
  DescribeSubnets: page('Subnets'),
  DescribeSecurityGroups: page('SecurityGroups'),
  DescribeNatGateways: page('NatGateways'),
} as const;
