import type { Located, Tags, Timestamp } from './common.ts';

/** An instance in EC2 with its backend. */
export interface Ec2Instance extends Located {
  instanceId: string;
  imageId: string;
  instanceType: string;
  state: 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';
  privateIpAddress?: string;
  publicIpAddress?: string;
  vpcId?: string;
  subnetId?: string;
  securityGroupIds: string[];
  launchTime: Timestamp;
  tags: Tags;
  /** Id of its container; absent if none runs. */
  containerId?: string;
}

/** Network attachment of an instance. */
export interface Ec2InstanceNetwork extends Located {
  instanceId: string;
  /** Mechanism that isolates instances. */
  isolation: 'container-network' | 'network-policy' | 'none';
  /** Name of the container engine's network. */
  networkName?: string;
  /** Name of the orchestrator's NetworkPolicy. */
  networkPolicyName?: string;
  containerIp?: string;
  securityGroupEnforcement: 'active' | 'degraded';
  /** Reason why it is degraded. */
  degradedReason?: string;
}

/** Control routes of EC2. */
export interface Ec2Routes {
  'GET /_emulator/ec2/instances': { response: { instances: Ec2Instance[] } };
  'GET /_emulator/ec2/instance-networks': { response: { instanceNetworks: Ec2InstanceNetwork[] } };
}
