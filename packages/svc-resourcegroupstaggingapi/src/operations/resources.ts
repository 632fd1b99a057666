import { type DirectoryResource, parseArn, tagList } from '@emu/core/service';
import type {
  GetResourcesInput,
  InputOf,
  OutputOf,
  ResourceTagMapping,
} from '@emu/service-types/resourcegroupstaggingapi';
import type { ResourcegroupstaggingapiContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { directoryOf } from '../lookup.ts';
import { paging, withToken } from '../paging.ts';
import { tagCondition, typeCondition } from '../selection.ts';

const MAX_RESOURCES = 100;
const DEFAULT_RESOURCES = 50;

/**
 * Lists the tagged resources of the region, ordered by ARN. Without tag policies, each one complies.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html
 */
export async function GetResources(
  input: InputOf<'GetResources'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'GetResources'>> {
  check(input);
  const after = paging.after('GetResources', input) ?? '';
  const resources = (await selected(input, ctx)).filter(({ arn }) => arn > after);
  resources.sort((a, b) => (a.arn < b.arn ? -1 : 1));
  const page = firstPage(resources, input);
  const last = page.length < resources.length ? page.at(-1)?.arn : undefined;
  return withToken({
    ...paging.next('GetResources', input, last),
    ResourceTagMappingList: page.map((resource) => describe(resource, input)),
  });
}

function check(input: GetResourcesInput): void {
  const { ResourcesPerPage, TagsPerPage, TagFilters, ResourceTypeFilters, ResourceARNList } = input;
  if (ResourcesPerPage !== undefined && (ResourcesPerPage < 1 || ResourcesPerPage > MAX_RESOURCES))
    throw invalidParameter('ResourcesPerPage must be between 1 and 100.');
  if (TagsPerPage !== undefined && (TagsPerPage < 100 || TagsPerPage > 500 || TagsPerPage % 100))
    throw invalidParameter('TagsPerPage must be between 100 and 500, in increments of 100.');
  if (ResourceARNList && (TagFilters?.length || ResourceTypeFilters?.length || ResourcesPerPage || TagsPerPage))
    throw invalidParameter(
      'ResourceARNList cannot be specified together with TagFilters, ResourceTypeFilters, ResourcesPerPage or TagsPerPage.',
    );
  if (input.ExcludeCompliantResources && !input.IncludeComplianceDetails)
    throw invalidParameter('ExcludeCompliantResources can be true only if IncludeComplianceDetails is true.');
  for (const arn of ResourceARNList ?? []) checkArn(arn);
}

/** @throws AwsError `InvalidParameterException` for an invalid ARN */
export function checkArn(arn: string): void {
  if (!parseArn(arn)) throw invalidParameter(`${arn} not a valid AmazonResourceName (ARN)`);
}

async function selected(input: GetResourcesInput, ctx: ResourcegroupstaggingapiContext): Promise<DirectoryResource[]> {
  const { accountId, region } = ctx;
  const ofType = typeCondition(input.ResourceTypeFilters);
  const withTags = tagCondition(input.TagFilters);
  const directory = await directoryOf(ctx);
  // Without tag policies all resources comply.
  if (input.ExcludeCompliantResources) return [];
  if (input.ResourceARNList) {
    const found = new Set(input.ResourceARNList).values();
    return [...found]
      .map((arn) => directory.find(arn, accountId, region))
      .filter((resource): resource is DirectoryResource => Object.keys(resource?.tags ?? {}).length > 0);
  }
  const tagged = directory.list(accountId, region, { tagged: true });
  return [...tagged].filter((resource) => ofType(resource) && withTags(resource));
}

/** Returns the resources that fit on a page. One whose tags do not fit starts the next page. */
function firstPage(resources: readonly DirectoryResource[], input: GetResourcesInput): DirectoryResource[] {
  const { TagsPerPage: most = Number.POSITIVE_INFINITY, ResourceARNList } = input;
  const limit = ResourceARNList?.length ?? input.ResourcesPerPage ?? DEFAULT_RESOURCES;
  const page: DirectoryResource[] = [];
  let tags = 0;
  for (const resource of resources.slice(0, limit)) {
    tags += Object.keys(resource.tags ?? {}).length;
    if (tags > most) break;
    page.push(resource);
  }
  return page;
}

const describe = ({ arn, tags = {} }: DirectoryResource, input: GetResourcesInput): ResourceTagMapping => ({
  ResourceARN: arn,
  Tags: tagList(tags) ?? [],
  ...(input.IncludeComplianceDetails && {
    ComplianceDetails: { ComplianceStatus: true, NoncompliantKeys: [], KeysWithNoncompliantValues: [] },
  }),
});
