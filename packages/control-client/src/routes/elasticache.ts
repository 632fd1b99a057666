import type {
  ElastiCacheAcl,
  ElastiCacheCluster,
  ElastiCacheReplicationGroup,
  ElastiCacheServerlessCache,
} from '../records/elasticache.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of ElastiCache. */
export const elasticache = {
  /** Lists cache clusters with the state of their nodes. `GET /_emulator/elasticache/clusters` */
  clusters: json<{ clusters: ElastiCacheCluster[] }>()('GET /_emulator/elasticache/clusters'),

  /** Lists replication groups with their primaries and replicas. `GET /_emulator/elasticache/replication-groups` */
  replicationGroups: json<{ replicationGroups: ElastiCacheReplicationGroup[] }>()(
    'GET /_emulator/elasticache/replication-groups',
  ),

  /** Lists serverless caches. `GET /_emulator/elasticache/serverless-caches` */
  serverlessCaches: json<{ serverlessCaches: ElastiCacheServerlessCache[] }>()(
    'GET /_emulator/elasticache/serverless-caches',
  ),

  /** Lists users and user groups of replication groups with user groups. `GET /_emulator/elasticache/acls` */
  acls: json<{ acls: ElastiCacheAcl[] }>()('GET /_emulator/elasticache/acls'),
};

/** Methods for the control routes of ElastiCache. */
export interface ElastiCacheControl extends MethodsOf<typeof elasticache> {}

/** Control routes of ElastiCache by name. */
export type ElastiCacheRoutes = RoutesOf<typeof elasticache>;
