import type { Living } from '@emu/core/descriptors';
import { type Collection, defineCollection, type OperationContext, type StateScope } from '@emu/core/service';
import type { Tag } from './types.ts';

interface Tagged {
  Tags: Tag[];
}
export interface VpcRecord extends Tagged {
  VpcId: string;
  CidrBlock: string;
  InstanceTenancy: string;
  DhcpOptionsId: string;
  EnableDnsSupport: boolean;
  EnableDnsHostnames: boolean;
}
export interface DhcpOptionsRecord extends Tagged {
  DhcpOptionsId: string;
  DomainName: string;
}
export interface SubnetRecord extends Tagged {
  SubnetId: string;
  VpcId: string;
  CidrBlock: string;
  AvailabilityZone: string;
  MapPublicIpOnLaunch: boolean;
}
export interface SecurityGroupRecord extends Tagged {
  GroupId: string;
  GroupName: string;
  Description: string;
  VpcId: string;
}
export interface NatGatewayRecord extends Tagged, Living {
  NatGatewayId: string;
  SubnetId: string;
  SecondarySubnetIds?: string[] | undefined;
  createdAt: number;
}
export interface RouteRecord {
  RouteId: string;
  NatGatewayId: string;
  NextRouteId?: string | undefined;
}

const vpcs = defineCollection<VpcRecord>('vpcs', 'region');
const dhcpOptions = defineCollection<DhcpOptionsRecord>('dhcp-options', 'region');
const subnets = defineCollection<SubnetRecord>('subnets', 'region');
const securityGroups = defineCollection<SecurityGroupRecord>('security-groups', 'region');
const natGateways = defineCollection<NatGatewayRecord>('nat-gateways', 'region');
const routes = defineCollection<RouteRecord>('routes', 'region');

export const collections = [vpcs, dhcpOptions, subnets, securityGroups, natGateways, routes];

/** The networks of an account and region. */
export interface NetworkState {
  readonly vpcs: Collection<VpcRecord>;
  readonly dhcpOptions: Collection<DhcpOptionsRecord>;
  readonly subnets: Collection<SubnetRecord>;
  readonly securityGroups: Collection<SecurityGroupRecord>;
  readonly natGateways: Collection<NatGatewayRecord>;
  readonly routes: Collection<RouteRecord>;
}
export type NetworkContext = OperationContext<NetworkState>;

export const createState = (scope: StateScope): NetworkState => ({
  vpcs: scope.collection(vpcs),
  dhcpOptions: scope.collection(dhcpOptions),
  subnets: scope.collection(subnets),
  securityGroups: scope.collection(securityGroups),
  natGateways: scope.collection(natGateways),
  routes: scope.collection(routes),
});
