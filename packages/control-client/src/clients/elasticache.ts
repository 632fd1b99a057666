import type {
  ElastiCacheAcl,
  ElastiCacheCluster,
  ElastiCacheReplicationGroup,
  ElastiCacheServerlessCache,
} from '../routes/elasticache.ts';
import { AreaControl } from './area.ts';

/** Control routes of ElastiCache. */
export class ElastiCacheControl extends AreaControl {
  /** Lists cache clusters with the state of their nodes. `GET /_emulator/elasticache/clusters` */
  clusters(): Promise<{ clusters: ElastiCacheCluster[] }> {
    return this.transport.json('GET /_emulator/elasticache/clusters');
  }

  /** Lists replication groups with their primaries and replicas. `GET /_emulator/elasticache/replication-groups` */
  replicationGroups(): Promise<{ replicationGroups: ElastiCacheReplicationGroup[] }> {
    return this.transport.json('GET /_emulator/elasticache/replication-groups');
  }

  /** Lists serverless caches. `GET /_emulator/elasticache/serverless-caches` */
  serverlessCaches(): Promise<{ serverlessCaches: ElastiCacheServerlessCache[] }> {
    return this.transport.json('GET /_emulator/elasticache/serverless-caches');
  }

  /** Lists users and user groups of replication groups with user groups. `GET /_emulator/elasticache/acls` */
  acls(): Promise<{ acls: ElastiCacheAcl[] }> {
    return this.transport.json('GET /_emulator/elasticache/acls');
  }
}
