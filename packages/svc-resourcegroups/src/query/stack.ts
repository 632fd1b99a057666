import type { DirectoryResource, ResourceDirectory } from '@emu/core/service';
import type { QueryError, ResourceIdentifier } from '@emu/service-types/resourcegroups';
import { AwsError } from '@emu/wire';
import type { Members, QueryContext } from './query-context.ts';

const INACTIVE = ['DELETE_COMPLETE', 'ROLLBACK_COMPLETE', 'CREATE_FAILED'];

const failed = (ErrorCode: NonNullable<QueryError['ErrorCode']>, Message: string): Members => ({
  resources: [],
  errors: [{ ErrorCode, Message }],
});

interface StackResource {
  readonly PhysicalResourceId?: string | undefined;
  readonly ResourceType: string;
}

/**
 * Returns the resources of a stack that have ARNs.
 * @param types CloudFormation types; undefined for all
 * @throws AwsError from CloudFormation, except for an unknown stack
 */
export async function stackMembers(
  stack: string,
  types: ReadonlySet<string> | undefined,
  directory: ResourceDirectory,
  ctx: QueryContext,
): Promise<Members> {
  const status = await statusOf(stack, ctx);
  if (status === undefined)
    return failed('CLOUDFORMATION_STACK_NOT_EXISTING', 'The specified CloudFormation stack does not exist.');
  if (INACTIVE.includes(status))
    return failed(
      'CLOUDFORMATION_STACK_INACTIVE',
      `The specified CloudFormation stack cannot have the following statuses: ${INACTIVE.join(', ')}.`,
    );
  const wanted = (await stackResources(stack, ctx)).filter(({ ResourceType }) => !types || types.has(ResourceType));
  return { resources: located(wanted, directory, ctx), errors: [] };
}

async function statusOf(StackName: string, ctx: QueryContext): Promise<string | undefined> {
  try {
    const { Stacks = [] } = await ctx.call('cloudformation', 'DescribeStacks', { StackName }, { authorize: {} });
    return Stacks[0]?.StackStatus;
  } catch (error) {
    if (error instanceof AwsError && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

async function stackResources(StackName: string, ctx: QueryContext): Promise<StackResource[]> {
  const found: StackResource[] = [];
  let NextToken: string | undefined;
  do {
    const input = { StackName, ...(NextToken !== undefined && { NextToken }) };
    const page = await ctx.call('cloudformation', 'ListStackResources', input, { authorize: {} });
    found.push(...(page.StackResourceSummaries ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return found;
}

/** Finds resources by type and physical id, which is an ARN, URL, name or another identifier. */
function located(
  wanted: readonly StackResource[],
  directory: ResourceDirectory,
  { accountId, region }: QueryContext,
): ResourceIdentifier[] {
  const cloudFormation = new Set(wanted.map(({ ResourceType }) => ResourceType));
  const known = new Map<string, string>();
  for (const resource of directory.list(accountId, region, { cloudFormation }))
    for (const id of idsOf(resource)) known.set(`${resource.cloudFormation} ${id}`, resource.arn);
  const found: ResourceIdentifier[] = [];
  for (const { ResourceType, PhysicalResourceId: id } of wanted) {
    if (id === undefined) continue;
    const arn = known.get(`${ResourceType} ${id}`) ?? known.get(`${ResourceType} ${id.slice(id.lastIndexOf('/') + 1)}`);
    if (arn !== undefined) found.push({ ResourceArn: arn, ResourceType });
  }
  return found;
}

/** Returns the possible physical ids of a resource: the ARN, parts of it, or its end. */
function* idsOf({ arn, key }: DirectoryResource): Iterable<string> {
  yield arn;
  for (const part of Object.values(key)) if (part) yield part;
}
