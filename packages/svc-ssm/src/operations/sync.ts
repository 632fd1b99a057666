import { notEmulated } from '@emu/core/service';
import type { InputOf, OutputOf, ResourceDataSyncS3Destination, ResourceDataSyncSource } from '@emu/service-types/ssm';
import type { AwsError } from '@emu/wire';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import { paging } from '../paging.ts';
import { type Sync, syncNotFound } from '../sync/store.ts';

const TO_BUCKET = 'SyncToDestination';
const FROM_REGIONS = 'SyncFromSource';
const OWN_REGIONS = 'SingleAccountMultiRegions';
/** Maximum number of syncs of an account in a region. */
const MAX_SYNCS = 5;

const invalid = (message: string): AwsError => ssmError('ResourceDataSyncInvalidConfigurationException', message);
const notThere = (what: string): AwsError => notEmulated(`resource data syncs ${what} of ssm`);

const typeOf = ({ destination }: Sync): string => (destination ? TO_BUCKET : FROM_REGIONS);

/**
 * Returns the sync type of a request.
 * @throws AwsError `ResourceDataSyncInvalidConfigurationException`
 */
function checkType(type: string | undefined): string {
  if (type !== undefined && type !== TO_BUCKET && type !== FROM_REGIONS)
    throw invalid(`The sync type ${type} is not valid: it is ${TO_BUCKET} or ${FROM_REGIONS}.`);
  return type ?? TO_BUCKET;
}

function checkSource({ SourceType, AwsOrganizationsSource }: ResourceDataSyncSource): void {
  if (SourceType === 'AwsOrganizations') throw notThere('from an organization');
  if (SourceType !== OWN_REGIONS) throw invalid(`The source type ${SourceType} is not valid.`);
  if (AwsOrganizationsSource) throw invalid(`A source of type ${OWN_REGIONS} cannot have an organization.`);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateResourceDataSync.html */
export async function CreateResourceDataSync(
  input: InputOf<'CreateResourceDataSync'>,
  ctx: SsmContext,
): Promise<OutputOf<'CreateResourceDataSync'>> {
  const { syncs } = ctx.state;
  const { SyncName, S3Destination, SyncSource } = input;
  const type = checkType(input.SyncType);
  if (type === TO_BUCKET ? !S3Destination || SyncSource : !SyncSource || S3Destination)
    throw invalid(
      `A sync of type ${type} has ${type === TO_BUCKET ? 'an S3Destination' : 'a SyncSource'} and no other.`,
    );
  if (S3Destination?.DestinationDataSharing) throw notThere('that share their data');
  if (SyncSource) checkSource(SyncSource);
  const check = () => {
    if (syncs.syncs.has(SyncName))
      throw ssmError('ResourceDataSyncAlreadyExistsException', '', { members: { SyncName } });
    if (syncs.syncs.size >= MAX_SYNCS)
      throw ssmError(
        'ResourceDataSyncCountExceededException',
        `A region can have at most ${MAX_SYNCS} resource data syncs.`,
      );
  };
  check();
  if (S3Destination) {
    await syncs.begin(S3Destination, ctx.requestId);
    // Another request may have created it in the meantime.
    check();
  }
  const now = ctx.clock.now();
  syncs.syncs.put(SyncName, {
    name: SyncName,
    destination: S3Destination,
    source: SyncSource,
    createdAt: now,
    modifiedAt: now,
    ...(S3Destination && { syncedAt: now, succeededAt: now }),
  });
  return {};
}

/**
 * Returns a sync by name and type.
 * @throws AwsError `ResourceDataSyncNotFoundException`
 */
function syncAt(name: string, type: string, { state }: SsmContext): Sync {
  const sync = state.syncs.syncs.get(name);
  if (!sync || typeOf(sync) !== type) throw syncNotFound(name);
  return sync;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateResourceDataSync.html */
export function UpdateResourceDataSync(
  input: InputOf<'UpdateResourceDataSync'>,
  ctx: SsmContext,
): OutputOf<'UpdateResourceDataSync'> {
  const type = checkType(input.SyncType);
  if (type !== FROM_REGIONS) throw invalid(`Only syncs of type ${FROM_REGIONS} can be updated.`);
  const { name } = syncAt(input.SyncName, type, ctx);
  checkSource(input.SyncSource);
  ctx.state.syncs.syncs.update(name, (draft) => {
    draft.source = input.SyncSource;
    draft.modifiedAt = ctx.clock.now();
  });
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteResourceDataSync.html */
export function DeleteResourceDataSync(
  input: InputOf<'DeleteResourceDataSync'>,
  ctx: SsmContext,
): OutputOf<'DeleteResourceDataSync'> {
  const { name } = syncAt(input.SyncName, checkType(input.SyncType), ctx);
  ctx.state.syncs.syncs.delete(name);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListResourceDataSync.html */
export function ListResourceDataSync(
  input: InputOf<'ListResourceDataSync'>,
  { state }: SsmContext,
): OutputOf<'ListResourceDataSync'> {
  const type = input.SyncType === undefined ? undefined : checkType(input.SyncType);
  const listed = [...state.syncs.syncs.values()].filter((sync) => type === undefined || typeOf(sync) === type);
  return paging
    .page('ListResourceDataSync', input, listed, ({ name }) => name)
    .list((sync) => ({
      SyncName: sync.name,
      SyncType: typeOf(sync),
      // A copy is not needed: parts of a record are immutable.
      SyncSource: sync.source && { ...(sync.source as ResourceDataSyncSource), State: 'Enabled' },
      S3Destination: sync.destination as ResourceDataSyncS3Destination | undefined,
      LastSyncTime: sync.syncedAt === undefined ? undefined : new Date(sync.syncedAt),
      LastSuccessfulSyncTime: sync.succeededAt === undefined ? undefined : new Date(sync.succeededAt),
      SyncLastModifiedTime: new Date(sync.modifiedAt),
      LastStatus: sync.syncedAt === undefined ? undefined : sync.failure === undefined ? 'Successful' : 'Failed',
      SyncCreatedTime: new Date(sync.createdAt),
      LastSyncStatusMessage: sync.failure,
    }));
}
