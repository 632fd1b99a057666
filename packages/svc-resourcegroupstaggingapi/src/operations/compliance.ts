import { type DirectoryResource, parseArn } from '@emu/core/service';
import type {
  GetComplianceSummaryInput,
  InputOf,
  OutputOf,
  RequiredTag,
  Summary,
} from '@emu/service-types/resourcegroupstaggingapi';
import type { ResourcegroupstaggingapiContext } from '../context.ts';
import { constraintViolation, invalidParameter } from '../errors.ts';
import { directoryOf } from '../lookup.ts';
import { paging, withToken } from '../paging.ts';
import { typeCondition } from '../selection.ts';

/** Region of an organization's operations. */
const HOME_REGION = 'us-east-1';
const MAX_SUMMARIES = 100;

/** @throws AwsError `ConstraintViolationException` outside of the region for operations of organizations */
export function checkRegion({ region, operation }: ResourcegroupstaggingapiContext): void {
  if (region !== HOME_REGION)
    throw constraintViolation(`${operation} can be called from the ${HOME_REGION} Region only.`);
}

/**
 * Counts noncompliant resources of the account, always zero without tag policies: one row for each group of its tagged
 * resources.
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetComplianceSummary.html
 */
export async function GetComplianceSummary(
  input: InputOf<'GetComplianceSummary'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'GetComplianceSummary'>> {
  checkRegion(ctx);
  if ((input.MaxResults ?? 1) > MAX_SUMMARIES) throw invalidParameter('MaxResults must be between 1 and 100.');
  const rows = new Map<string, Summary>();
  for (const [region, resource] of await counted(input, ctx)) {
    const row = rowOf(input, ctx, region, resource);
    rows.set(idOf(row), row);
  }
  const page = paging.page('GetComplianceSummary', input, rows.values(), idOf);
  return withToken(page.list((row) => row));
}

const idOf = ({ TargetId = '', Region = '', ResourceType = '' }: Summary): string =>
  `${TargetId} ${Region} ${ResourceType}`;

async function counted(
  input: GetComplianceSummaryInput,
  ctx: ResourcegroupstaggingapiContext,
): Promise<[string, DirectoryResource][]> {
  const { TargetIdFilters: targets, RegionFilters: regions, TagKeyFilters: keys } = input;
  const ofType = typeCondition(input.ResourceTypeFilters);
  if (targets && !targets.includes(ctx.accountId)) return [];
  const directory = await directoryOf(ctx);
  const found: [string, DirectoryResource][] = [];
  for (const region of directory.regions(ctx.accountId)) {
    if (regions && !regions.includes(region)) continue;
    for (const resource of directory.list(ctx.accountId, region, { tagged: true })) {
      const hasKey = !keys || keys.some((key) => Object.hasOwn(resource.tags ?? {}, key));
      if (hasKey && ofType(resource)) found.push([region, resource]);
    }
  }
  return found;
}

function rowOf(
  { GroupBy: by = [] }: GetComplianceSummaryInput,
  { accountId, clock }: ResourcegroupstaggingapiContext,
  region: string,
  { arn, type }: DirectoryResource,
): Summary {
  return {
    LastUpdated: new Date(clock.now()).toISOString(),
    ...(by.includes('TARGET_ID') && { TargetId: accountId, TargetIdType: 'ACCOUNT' as const }),
    ...(by.includes('REGION') && { Region: region }),
    ...(by.includes('RESOURCE_TYPE') && { ResourceType: `${parseArn(arn)!.service}:${type}` }),
    NonCompliantResources: 0,
  };
}

/**
 * Returns the tags required by tag policies: none, because emu has no tag policies.
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_ListRequiredTags.html
 */
export function ListRequiredTags(input: InputOf<'ListRequiredTags'>): OutputOf<'ListRequiredTags'> {
  const required: RequiredTag[] = [];
  return paging.page('ListRequiredTags', input, required, ({ ResourceType = '' }) => ResourceType).list((tag) => tag);
}
