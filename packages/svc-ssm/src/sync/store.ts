import {
  type Collection,
  type DeepReadonly,
  defineCollection,
  type InterruptedWork,
  interruptedRecords,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import type { ResourceDataSyncS3Destination, ResourceDataSyncSource } from '@emu/service-types/ssm';
import type { AwsError } from '@emu/wire';
import type { Compliance, ComplianceStore } from '../compliance/store.ts';
import { itemFields } from '../compliance/summaries.ts';
import { errorText, ssmError } from '../errors.ts';
import type { InventoryItem, InventoryStore } from '../inventory/store.ts';
import { asSsm } from '../parameters/events.ts';

/** A resource data sync, to a bucket or from the account's other regions. */
export interface SyncRecord {
  name: string;
  destination?: ResourceDataSyncS3Destination | undefined;
  source?: ResourceDataSyncSource | undefined;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
  syncedAt?: number | undefined;
  succeededAt?: number | undefined;
  failure?: string | undefined;
  /** Whether a restart writes nothing because earlier ones failed; until the next change of data. */
  stopped?: true | undefined;
}

export type Sync = DeepReadonly<SyncRecord>;

const COMPLIANCE = 'AWS:ComplianceItem';

const syncCollection = defineCollection<SyncRecord>('resourceDataSyncs', 'region');

export const syncCollections = [syncCollection] as const;

/** An object written by a sync. */
interface SyncObject {
  readonly type: string;
  readonly instanceId: string;
  readonly rows: readonly Readonly<Record<string, string | undefined>>[];
}

/** Error for an unknown sync. */
export const syncNotFound = (SyncName: string): AwsError =>
  ssmError('ResourceDataSyncNotFoundException', `The resource data sync ${SyncName} doesn't exist.`, {
    members: { SyncName },
  });

/**
 * Resource data syncs of an account and region. Each inventory change is written to their buckets, one object per node
 * and type with one JSON line per entry.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/inventory-create-resource-data-sync.html
 */
export class SyncStore implements Worker {
  readonly syncs: Collection<SyncRecord>;
  /** Pending writes, which keep the order of changes to an object. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly scope: StateScope,
    private readonly inventory: InventoryStore,
    private readonly compliance: ComplianceStore,
  ) {
    this.syncs = scope.collection(syncCollection);
  }

  /** Rewrites everything after a restart, including interrupted writes. */
  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.syncs, {
      name: ({ name }) => `resource data sync ${name}`,
      isLeft: ({ destination, stopped }) => destination !== undefined && !stopped,
      resume: ({ name }) => {
        this.write(name, this.everything(), this.scope.ids.uuid());
        return this.writing;
      },
      fail: ({ name }, reason) =>
        void this.syncs.update(name, (draft) => {
          draft.failure = reason;
          draft.stopped = true;
        }),
    });
  }

  /**
   * Returns the source regions of a sync.
   * @throws AwsError `ResourceDataSyncNotFoundException`
   */
  sourceRegions(name: string): readonly string[] {
    const source = this.syncs.get(name)?.source;
    if (!source) throw syncNotFound(name);
    return [...new Set([...source.SourceRegions, this.scope.region])];
  }

  /**
   * Writes all inventory to a bucket.
   * @throws AwsError `ResourceDataSyncInvalidConfigurationException` if the bucket rejects it
   */
  async begin(destination: ResourceDataSyncS3Destination, cause: string): Promise<void> {
    const options = this.options(destination, cause);
    try {
      await this.scope.call('s3', 'HeadBucket', { Bucket: destination.BucketName }, options);
      for (const object of this.everything()) await this.put(destination, object, cause);
    } catch (error) {
      throw ssmError(
        'ResourceDataSyncInvalidConfigurationException',
        `S3 write failed for bucket: ${destination.BucketName}. Please use a valid bucket policy and choose a bucket that has not been deleted. ${errorText(error)}`,
      );
    }
  }

  /**
   * Writes changed inventory.
   * @param cause id of the request that changed it
   */
  inventoryChanged(items: readonly InventoryItem[], cause: string): void {
    const objects = items.filter(hasObject).map(fromInventory);
    if (objects.length) this.writeAll(objects, cause);
  }

  /** Writes changed compliance. */
  complianceChanged(compliance: Compliance, cause: string): void {
    this.writeAll([fromCompliance(this.compliance.all(), compliance.resourceId)], cause);
  }

  private everything(): SyncObject[] {
    const resources = new Set(this.compliance.all().map(({ resourceId }) => resourceId));
    return [
      ...[...this.inventory.all()].flatMap(([, types]) => [...types.values()].filter(hasObject).map(fromInventory)),
      ...[...resources].map((id) => fromCompliance(this.compliance.all(), id)),
    ];
  }

  private writeAll(objects: readonly SyncObject[], cause: string): void {
    for (const sync of this.syncs.values()) if (sync.destination) this.write(sync.name, objects, cause);
  }

  private write(name: string, objects: readonly SyncObject[], cause: string): void {
    this.writing = this.writing.then(async () => {
      const destination = this.syncs.get(name)?.destination;
      if (!destination) return;
      const failure = await this.attempt(destination as ResourceDataSyncS3Destination, objects, cause);
      if (!this.syncs.has(name)) return;
      const now = this.scope.clock.now();
      this.syncs.update(name, (draft) => {
        draft.syncedAt = now;
        draft.failure = failure;
        draft.stopped = undefined;
        if (failure === undefined) draft.succeededAt = now;
      });
    });
  }

  private async attempt(
    destination: ResourceDataSyncS3Destination,
    objects: readonly SyncObject[],
    cause: string,
  ): Promise<string | undefined> {
    try {
      for (const object of objects) await this.put(destination, object, cause);
      return undefined;
    } catch (error) {
      this.scope.log.warn(`inventory could not be written to ${destination.BucketName}`, { error });
      return errorText(error);
    }
  }

  private options({ Region }: ResourceDataSyncS3Destination, cause: string) {
    const { accountId } = this.scope;
    return { ...asSsm(accountId, Region, cause), authorize: { sourceAccount: accountId } };
  }

  private async put(destination: ResourceDataSyncS3Destination, object: SyncObject, cause: string): Promise<void> {
    const { BucketName, Prefix, AWSKMSKeyARN } = destination;
    const { accountId, region } = this.scope;
    const place = `accountid=${accountId}/region=${region}/resourcetype=ManagedInstanceInventory`;
    const input = {
      Bucket: BucketName,
      Key: `${Prefix === undefined ? '' : `${Prefix}/`}${object.type}/${place}/${object.instanceId}.json`,
      Body: Buffer.from(object.rows.map((row) => JSON.stringify(row)).join('\n')),
      ContentType: 'application/json',
      ...(AWSKMSKeyARN !== undefined && { ServerSideEncryption: 'aws:kms' as const, SSEKMSKeyId: AWSKMSKeyARN }),
    };
    await this.scope.call('s3', 'PutObject', input, this.options(destination, cause));
  }
}

/** Whether an item has an object of its own: compliance reported as inventory is written as compliance. */
const hasObject = ({ typeName }: InventoryItem): boolean => typeName !== COMPLIANCE;

const fromInventory = ({ instanceId, typeName, content, captureTime, schemaVersion }: InventoryItem): SyncObject => ({
  type: typeName,
  instanceId,
  rows: content.map((entry) => ({ ...entry, resourceId: instanceId, captureTime, schemaVersion })),
});

/** Returns the objects with all compliance of a node; each write replaces its object. */
const fromCompliance = (all: readonly Compliance[], instanceId: string): SyncObject => ({
  type: COMPLIANCE,
  instanceId,
  rows: all
    .filter(({ resourceId }) => resourceId === instanceId)
    .flatMap((compliance) =>
      compliance.items.map((item) => ({
        ...itemFields(compliance, item),
        resourceId: instanceId,
        captureTime: new Date(compliance.executedAt).toISOString(),
        schemaVersion: '1.0',
      })),
    ),
});
