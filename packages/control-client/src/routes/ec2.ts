import type { Located, Tags, Timestamp } from './common.ts';

/** An instance as EC2 shows it and as it runs. */
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
  /** Id of the container behind it; absent where nothing runs. */
  containerId?: string;
}

/** How an instance is attached to the network. */
export interface Ec2InstanceNetwork extends Located {
  instanceId: string;
  /** What keeps instances apart. */
  isolation: 'container-network' | 'network-policy' | 'none';
  /** Name of the container engine's network. */
  networkName?: string;
  /** Name of the orchestrator's NetworkPolicy. */
  networkPolicyName?: string;
  containerIp?: string;
  securityGroupEnforcement: 'active' | 'degraded';
  /** Why it is degraded. */
  degradedReason?: string;
}

/** Control routes of EC2. */
export interface Ec2Routes {
  'GET /_emulator/ec2/instances': { response: { instances: Ec2Instance[] } };
  'GET /_emulator/ec2/instance-networks': { response: { instanceNetworks: Ec2InstanceNetwork[] } };
}
