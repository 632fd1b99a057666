import type { Timestamp } from './common.ts';

/** CPU units and MiB of memory. */
export interface EcsMetadataLimits {
  CPU?: number;
  Memory?: number;
}

/** A network of a container in the task metadata. */
export interface EcsMetadataNetwork {
  NetworkMode: string;
  IPv4Addresses: string[];
  IPv6Addresses?: string[];
}

/** A network in version 4. */
export interface EcsMetadataNetworkV4 extends EcsMetadataNetwork {
  AttachmentIndex?: number;
  MACAddress?: string;
  IPv4SubnetCIDRBlock?: string;
  DomainNameServers?: string[];
  PrivateDNSName?: string;
  SubnetGatewayIpv4Address?: string;
}

/** A container in the task metadata, version 3. */
export interface EcsContainerMetadataV3 {
  DockerId: string;
  Name: string;
  DockerName: string;
  Image: string;
  ImageID: string;
  Labels: Record<string, string>;
  DesiredStatus: string;
  KnownStatus: string;
  ExitCode?: number;
  Limits: EcsMetadataLimits;
  CreatedAt?: Timestamp;
  StartedAt?: Timestamp;
  FinishedAt?: Timestamp;
  Type: string;
  Networks: EcsMetadataNetwork[];
}

/** A container in the task metadata, version 4. */
export interface EcsContainerMetadataV4 extends EcsContainerMetadataV3 {
  ContainerARN: string;
  LogDriver?: string;
  LogOptions?: Record<string, string>;
  Networks: EcsMetadataNetworkV4[];
}

/** Common members of both versions of the task metadata. */
export interface EcsTaskMetadataBase {
  /** Name or ARN. */
  Cluster: string;
  TaskARN: string;
  Family: string;
  Revision: string;
  DesiredStatus: string;
  KnownStatus: string;
  Limits?: EcsMetadataLimits;
  PullStartedAt?: Timestamp;
  PullStoppedAt?: Timestamp;
  ExecutionStoppedAt?: Timestamp;
  AvailabilityZone?: string;
}

/** Response of the task metadata endpoint, version 3, as AWS documents it. */
export interface EcsTaskMetadataV3 extends EcsTaskMetadataBase {
  Containers: EcsContainerMetadataV3[];
}

/** Response of the task metadata endpoint, version 4, as AWS documents it. */
export interface EcsTaskMetadataV4 extends EcsTaskMetadataBase {
  LaunchType: string;
  ServiceName?: string;
  VPCID?: string;
  Containers: EcsContainerMetadataV4[];
}

/** The version 4 metadata of a task and its containers in one response. */
export interface EcsAggregatedMetadata {
  task: EcsTaskMetadataV4;
  /** By container name. */
  containers: Record<string, EcsContainerMetadataV4>;
}
