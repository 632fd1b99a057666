import type { Located, Timestamp } from './common.ts';

/** Host and port of a cache. */
export interface ElastiCacheEndpoint {
  address: string;
  port: number;
}

/** A cache cluster with its nodes. */
export interface ElastiCacheCluster extends Located {
  cacheClusterId: string;
  arn: string;
  engine: string;
  engineVersion: string;
  cacheNodeType: string;
  status: string;
  replicationGroupId?: string;
  nodes: { cacheNodeId: string; status: string; endpoint?: ElastiCacheEndpoint; containerId?: string }[];
  createdAt: Timestamp;
}

/** A replication group with its node groups. */
export interface ElastiCacheReplicationGroup extends Located {
  replicationGroupId: string;
  arn: string;
  description: string;
  engine: string;
  status: string;
  clusterEnabled: boolean;
  userGroupIds: string[];
  configurationEndpoint?: ElastiCacheEndpoint;
  nodeGroups: {
    nodeGroupId: string;
    /** Hash slots, e.g. `0-8191`; absent without cluster mode. */
    slots?: string;
    primaryEndpoint?: ElastiCacheEndpoint;
    readerEndpoint?: ElastiCacheEndpoint;
    members: { cacheClusterId: string; cacheNodeId: string; role: 'primary' | 'replica' }[];
  }[];
  createdAt: Timestamp;
}

/** A serverless cache. */
export interface ElastiCacheServerlessCache extends Located {
  serverlessCacheName: string;
  arn: string;
  engine: string;
  majorEngineVersion: string;
  status: string;
  endpoint?: ElastiCacheEndpoint;
  userGroupId?: string;
  createdAt: Timestamp;
}

/** Access control of a replication group with user groups. */
export interface ElastiCacheAcl extends Located {
  replicationGroupId: string;
  userGroups: {
    userGroupId: string;
    users: {
      userId: string;
      userName: string;
      /** Access string in Redis ACL syntax. */
      accessString: string;
      status: string;
      authenticationType: string;
    }[];
  }[];
}
