import { keyInPlace } from '@emu/core/service';
import type {
  InputOf,
  OutputOf,
  ScannedResource as ScannedResourceDescription,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { askerOf } from '../context.ts';
import { cloudformationError, invalid } from '../errors.ts';
import { matches, type ResourceScan, type ScannedResource } from '../iac/scans.ts';
import { paging } from '../paging.ts';
import { resourceScanType } from '../resources.ts';
import { sameJson } from '../templates/values.ts';

const LISTED = 10;

const arnOf = ({ uuid }: Pick<ResourceScan, 'uuid'>, ctx: CloudformationContext): string =>
  resourceScanType.arn({ uuid }, ctx);

function scanNamed(arn: string, ctx: CloudformationContext): ResourceScan {
  const uuid = keyInPlace(resourceScanType, arn, ctx)?.uuid;
  const scan = uuid === undefined ? undefined : ctx.state.scans.get(uuid);
  if (!scan) throw cloudformationError('ResourceScanNotFoundException', `Resource scan ${arn} does not exist`);
  return scan;
}

/**
 * Returns the scan whose resources a request reads.
 * @throws AwsError if it is in progress or its resources have expired
 */
function endedScan(arn: string, ctx: CloudformationContext): ResourceScan {
  const scan = scanNamed(arn, ctx);
  if (scan.status === 'IN_PROGRESS')
    throw cloudformationError('ResourceScanInProgressException', `Resource scan ${arn} is in progress`);
  if (scan.status !== 'COMPLETE') throw invalid(`Resource scan ${arn} is in the status ${scan.status}`);
  return scan;
}

/**
 * Starts a scan of the account's resources in the region.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StartResourceScan.html
 */
export async function StartResourceScan(
  input: InputOf<'StartResourceScan'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'StartResourceScan'>> {
  const scan = await ctx.state.scans.tokens.once('StartResourceScan', input, () => start(input, ctx));
  return { ResourceScanId: arnOf(scan, ctx) };
}

async function start(
  { ClientRequestToken: token, ScanFilters }: InputOf<'StartResourceScan'>,
  ctx: CloudformationContext,
): Promise<ResourceScan> {
  const { scans } = ctx.state;
  const filter = ScanFilters?.flatMap(({ Types = [] }) => Types);
  const names = await ctx.state.resourceTypes();
  for (const pattern of filter ?? [])
    if (!names.some((name) => matches(pattern, name))) throw invalid(`Resource type ${pattern} is not supported`);
  if (scans.busy)
    throw cloudformationError('ResourceScanInProgressException', 'A resource scan is currently in progress.');
  return scans.begin(filter?.length ? filter : undefined, token, askerOf(ctx));
}

const summaryOf = (scan: ResourceScan, ctx: CloudformationContext) => ({
  ResourceScanId: arnOf(scan, ctx),
  Status: scan.status,
  ...(scan.reason !== undefined && { StatusReason: scan.reason }),
  StartTime: new Date(scan.startedAt),
  ...(scan.endedAt !== undefined && { EndTime: new Date(scan.endedAt) }),
  PercentageCompleted: scan.percentage,
});

/**
 * Describes a scan.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeResourceScan.html
 */
export function DescribeResourceScan(
  input: InputOf<'DescribeResourceScan'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeResourceScan'> {
  const scan = scanNamed(input.ResourceScanId, ctx);
  const { status, types, scanned, read, filter } = scan;
  return {
    ...summaryOf(scan, ctx),
    ...(status === 'COMPLETE' && { ResourceTypes: [...types] }),
    ...(status !== 'IN_PROGRESS' && { ResourcesScanned: scanned, ResourcesRead: read }),
    ...(filter && { ScanFilters: [{ Types: [...filter] }] }),
  };
}

/**
 * Lists scans, newest first.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListResourceScans.html
 */
export function ListResourceScans(
  input: InputOf<'ListResourceScans'>,
  ctx: CloudformationContext,
): OutputOf<'ListResourceScans'> {
  const typeOf = ({ filter }: ResourceScan) => (filter ? ('PARTIAL' as const) : ('FULL' as const));
  const wanted = input.ScanTypeFilter ?? 'FULL';
  const scans = ctx.state.scans.all().filter((scan) => typeOf(scan) === wanted);
  const key = ({ startedAt, uuid }: ResourceScan) => `${String(startedAt).padStart(15, '0')} ${uuid}`;
  return paging
    .page('ListResourceScans', input, scans, key, { descending: true, defaultLimit: LISTED })
    .list((scan) => ({ ...summaryOf(scan, ctx), ScanType: typeOf(scan) }));
}

const described =
  (managed: (resource: ScannedResource) => boolean) =>
  (resource: ScannedResource): ScannedResourceDescription => ({
    ResourceType: resource.type,
    ResourceIdentifier: { ...resource.identifier },
    ManagedByStack: managed(resource),
  });

/** Returns the identifiers of resources that belong to stacks. */
function managedBy({ state }: CloudformationContext): (resource: ScannedResource) => boolean {
  const known = new Set<string>();
  for (const { uuid } of state.activeStacks())
    for (const { current } of state.resourcesIn(uuid)) if (current) known.add(`${current.type} ${current.identifier}`);
  return ({ type, identifier }) => known.has(`${type} ${Object.values(identifier).join('|')}`);
}

const keyOf = ({ number }: ScannedResource): string => String(number).padStart(7, '0');

/**
 * Lists the resources of a scan.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListResourceScanResources.html
 */
export function ListResourceScanResources(
  input: InputOf<'ListResourceScanResources'>,
  ctx: CloudformationContext,
): OutputOf<'ListResourceScanResources'> {
  const { ResourceIdentifier, ResourceTypePrefix, TagKey, TagValue } = input;
  const resources = ctx.state.scans
    .resources(endedScan(input.ResourceScanId, ctx))
    .filter(
      ({ type, identifier, tags }) =>
        (ResourceIdentifier === undefined || Object.values(identifier).includes(ResourceIdentifier)) &&
        (ResourceTypePrefix === undefined || type.startsWith(ResourceTypePrefix)) &&
        (TagKey === undefined || Object.hasOwn(tags, TagKey)) &&
        (TagValue === undefined ||
          (TagKey === undefined ? Object.values(tags).includes(TagValue) : tags[TagKey] === TagValue)),
    );
  return paging.page('ListResourceScanResources', input, resources, keyOf).list(described(managedBy(ctx)));
}

/**
 * Lists resources of a scan that are related to given ones, in either direction.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListResourceScanRelatedResources.html
 */
export function ListResourceScanRelatedResources(
  input: InputOf<'ListResourceScanRelatedResources'>,
  ctx: CloudformationContext,
): OutputOf<'ListResourceScanRelatedResources'> {
  const all = ctx.state.scans.resources(endedScan(input.ResourceScanId, ctx));
  const given = input.Resources.map(({ ResourceType, ResourceIdentifier }) => {
    const found = all.find(({ type, identifier }) => type === ResourceType && sameJson(identifier, ResourceIdentifier));
    if (!found)
      throw invalid(
        `Resource of type '${ResourceType}' with identifier '${JSON.stringify(ResourceIdentifier)}' is not part of the resource scan.`,
      );
    return found;
  });
  const own = new Set(given.map(({ number }) => number));
  const numbers = new Set(given.flatMap(({ related }) => related).filter((number) => !own.has(number)));
  const related = [...numbers].sort((a, b) => a - b).map((number) => all[number]!);
  return paging.page('ListResourceScanRelatedResources', input, related, keyOf).list(described(managedBy(ctx)));
}
