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
