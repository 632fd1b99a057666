/** Types of a fictitious service with the conventions of EC2, in the form of generated types. */
export interface Tag {
  Key?: string | undefined;
  Value?: string | undefined;
}
export interface TagSpecification {
  ResourceType?: string | undefined;
  Tags?: Tag[] | undefined;
}
export interface Filter {
  Name?: string | undefined;
  Values?: string[] | undefined;
}
export interface Flag {
  Value?: boolean | undefined;
}
interface Request {
  DryRun?: boolean | undefined;
}
interface Creation extends Request {
  TagSpecifications?: TagSpecification[] | undefined;
}
interface Listing extends Request {
  Filters?: Filter[] | undefined;
  MaxResults?: number | undefined;
  NextToken?: string | undefined;
}
// biome-ignore lint/complexity/noBannedTypes: generated types have it for operations without an output
type Nothing = {};
interface Page {
  NextToken?: string | undefined;
}

export interface Vpc {
  VpcId?: string | undefined;
  OwnerId?: string | undefined;
  CidrBlock?: string | undefined;
  InstanceTenancy?: string | undefined;
  DhcpOptionsId?: string | undefined;
  State?: string | undefined;
  Tags?: Tag[] | undefined;
}
export interface DhcpOptions {
  DhcpOptionsId?: string | undefined;
  DomainName?: string | undefined;
  Tags?: Tag[] | undefined;
}
export interface Subnet {
  SubnetId?: string | undefined;
  VpcId?: string | undefined;
  CidrBlock?: string | undefined;
  AvailabilityZone?: string | undefined;
  MapPublicIpOnLaunch?: boolean | undefined;
  Tags?: Tag[] | undefined;
}
export interface SecurityGroup {
  GroupId?: string | undefined;
  GroupName?: string | undefined;
  Description?: string | undefined;
  VpcId?: string | undefined;
  Tags?: Tag[] | undefined;
}
export interface NatGateway {
  NatGatewayId?: string | undefined;
  SubnetId?: string | undefined;
  SecondarySubnetIds?: string[] | undefined;
  State?: string | undefined;
  CreateTime?: Date | undefined;
  Tags?: Tag[] | undefined;
}
export interface Route {
  RouteId?: string | undefined;
  NatGatewayId?: string | undefined;
  NextRouteId?: string | undefined;
}

/** The operations of the service. */
export interface NetworkOperations {
  CreateVpc: {
    input: Creation & { CidrBlock?: string; InstanceTenancy?: string; OutpostArn?: string; Ipv4NetmaskLength?: number };
    output: { Vpc?: Vpc };
  };
  DescribeVpcs: { input: Listing & { VpcIds?: string[] }; output: Page & { Vpcs?: Vpc[] } };
  ModifyVpcAttribute: {
    input: Request & { VpcId: string; EnableDnsSupport?: Flag; EnableDnsHostnames?: Flag };
    output: Nothing;
  };
  DescribeVpcAttribute: {
    input: Request & { VpcId: string; Attribute: 'EnableDnsSupport' | 'EnableDnsHostnames' };
    output: { VpcId?: string; EnableDnsSupport?: Flag; EnableDnsHostnames?: Flag };
  };
  AssociateDhcpOptions: { input: Request & { VpcId: string; DhcpOptionsId: string }; output: Nothing };
  DeleteVpc: { input: Request & { VpcId: string }; output: Nothing };
  CreateDhcpOptions: { input: Creation & { DomainName: string }; output: { DhcpOptions?: DhcpOptions } };
  DescribeDhcpOptions: {
    input: Listing & { DhcpOptionsIds?: string[] };
    output: Page & { DhcpOptions?: DhcpOptions[] };
  };
  DeleteDhcpOptions: { input: Request & { DhcpOptionsId: string }; output: Nothing };
  CreateSubnet: {
    input: Creation & { VpcId: string; CidrBlock: string; AvailabilityZone?: string };
    output: { Subnet?: Subnet };
  };
  DescribeSubnets: { input: Listing & { SubnetIds?: string[] }; output: Page & { Subnets?: Subnet[] } };
  DeleteSubnet: { input: Request & { SubnetId: string }; output: Nothing };
  CreateSecurityGroup: {
    input: Creation & { GroupName: string; Description: string; VpcId: string };
    output: { GroupId?: string; Tags?: Tag[] };
  };
  DescribeSecurityGroups: {
    input: Listing & { GroupIds?: string[]; Owner?: string };
    output: Page & { SecurityGroups?: SecurityGroup[] };
  };
  DeleteSecurityGroup: {
    input: Request & { GroupId?: string; GroupName?: string };
    output: { Return?: boolean; GroupId?: string };
  };
  CreateNatGateway: {
    input: Creation & { SubnetId: string; SecondarySubnetIds?: string[] };
    output: { NatGateway?: NatGateway };
  };
  DescribeNatGateways: {
    input: Omit<Listing, 'Filters'> & { Filter?: Filter[]; NatGatewayIds?: string[] };
    output: Page & { NatGateways?: NatGateway[] };
  };
  DeleteNatGateway: { input: Request & { NatGatewayId: string }; output: { NatGatewayId?: string } };
  CreateRoute: { input: Request & { NatGatewayId: string; NextRouteId?: string }; output: { Route?: Route } };
  DescribeRoutes: { input: Request; output: { Routes?: Route[] } };
  DeleteRoute: { input: Request & { RouteId: string }; output: Nothing };
}
