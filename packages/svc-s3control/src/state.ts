import type { Collection, DeepReadonly, StateScope, Worker, WorkingState } from '@emu/core/service';
import {
  type GrantRecord,
  grantCollection,
  type InstanceRecord,
  instanceCollection,
  type LocationRecord,
  locationCollection,
} from './access-grants/records.ts';
import { type ObjectLambdaRecord, objectLambdaCollection } from './access-points/object-lambda-records.ts';
import { BatchJobs } from './jobs/runner.ts';
import { MultiRegionAccessPoints } from './multi-region/access-points.ts';
import { type OutpostsBucketRecord, outpostsCollection } from './outposts/records.ts';
import {
  type AccessPointRecord,
  accessPointCollection,
  type PublicAccessBlock,
  publicAccessBlockCollection,
} from './records.ts';
import type { S3ControlRecords } from './resources.ts';
import { StorageLensExports } from './storage-lens/exports.ts';
import {
  type StorageLensGroupRecord,
  type StorageLensRecord,
  storageLensCollection,
  storageLensGroupCollection,
} from './storage-lens/records.ts';

/** State of S3 Control for an account and region; global resources are in the partition's global region. */
export class S3ControlState implements WorkingState, S3ControlRecords {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly accessPoints: Collection<AccessPointRecord>;
  readonly objectLambdas: Collection<ObjectLambdaRecord>;
  readonly outpostsBuckets: Collection<OutpostsBucketRecord>;
  /** Used only in the global region's state. */
  readonly multiRegion: MultiRegionAccessPoints;
  readonly jobs: BatchJobs;
  readonly accessGrantsInstances: Collection<InstanceRecord>;
  readonly accessGrantsLocations: Collection<LocationRecord>;
  readonly accessGrants: Collection<GrantRecord>;
  readonly storageLens: Collection<StorageLensRecord>;
  readonly storageLensGroups: Collection<StorageLensGroupRecord>;
  readonly storageLensExports: StorageLensExports;
  private readonly aliases = new Map<string, string>();
  private readonly publicAccessBlocks: Collection<PublicAccessBlock>;

  constructor(readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.accessPoints = scope.collection(accessPointCollection);
    this.objectLambdas = scope.collection(objectLambdaCollection);
    this.outpostsBuckets = scope.collection(outpostsCollection);
    this.multiRegion = new MultiRegionAccessPoints(scope);
    this.jobs = new BatchJobs(scope);
    this.accessGrantsInstances = scope.collection(instanceCollection);
    this.accessGrantsLocations = scope.collection(locationCollection);
    this.accessGrants = scope.collection(grantCollection);
    this.storageLens = scope.collection(storageLensCollection);
    this.storageLensGroups = scope.collection(storageLensGroupCollection);
    this.storageLensExports = new StorageLensExports(scope, this.storageLens, this.storageLensGroups);
    this.workers = [this.multiRegion, this.jobs, this.storageLensExports];
    this.publicAccessBlocks = scope.collection(publicAccessBlockCollection);
    for (const { alias, name } of this.accessPoints.values()) this.aliases.set(alias, name);
    for (const { alias, name } of this.objectLambdas.values()) this.aliases.set(alias, name);
  }

  createAccessPoint(record: AccessPointRecord): void {
    this.accessPoints.put(record.name, record);
    this.aliases.set(record.alias, record.name);
  }

  deleteAccessPoint({ name, alias }: Pick<AccessPointRecord, 'name' | 'alias'>): void {
    this.accessPoints.delete(name);
    this.aliases.delete(alias);
  }

  createObjectLambda(record: ObjectLambdaRecord): void {
    this.objectLambdas.put(record.name, record);
    this.aliases.set(record.alias, record.name);
  }

  deleteObjectLambda({ name, alias }: Pick<ObjectLambdaRecord, 'name' | 'alias'>): void {
    this.objectLambdas.delete(name);
    this.aliases.delete(alias);
  }

  /** Returns the access point, plain or Object Lambda, with an alias. */
  byAlias(alias: string): DeepReadonly<AccessPointRecord> | DeepReadonly<ObjectLambdaRecord> | undefined {
    const name = this.aliases.get(alias);
    if (name === undefined) return undefined;
    return alias.endsWith('--ol-s3') ? this.objectLambdas.get(name) : this.accessPoints.get(name);
  }

  /** Public access block of the account; used only in the global region's state. */
  get publicAccessBlock(): DeepReadonly<PublicAccessBlock> | undefined {
    return this.publicAccessBlocks.get('account');
  }
  set publicAccessBlock(settings: PublicAccessBlock | undefined) {
    if (settings) this.publicAccessBlocks.put('account', settings);
    else this.publicAccessBlocks.delete('account');
  }
}

/** Creates the state of an account in a region. */
export function createState(scope: StateScope): S3ControlState {
  return new S3ControlState(scope);
}
