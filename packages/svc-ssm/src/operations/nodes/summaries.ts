import type { InputOf, NodeAggregator, NodeFilter, NodeFilterKey, OutputOf } from '@emu/service-types/ssm';
import { compares } from '../../comparisons.ts';
import type { SsmContext } from '../../context.ts';
import type { Node } from '../../nodes/nodes.ts';
import { paging } from '../../paging.ts';

/** A node with its account and region. */
interface PlacedNode {
  readonly node: Node;
  readonly region: string;
}

const AGENT = 'amazon-ssm-agent';

/** Fields for filters and aggregators; organizations are unknown. */
const FIELDS: Readonly<Record<NodeFilterKey, (placed: PlacedNode, accountId: string) => string | undefined>> = {
  AgentType: () => AGENT,
  AgentVersion: ({ node }) => node.agentVersion,
  ComputerName: ({ node }) => node.computerName,
  InstanceId: ({ node }) => node.id,
  InstanceStatus: ({ node }) => statusOf(node),
  IpAddress: ({ node }) => node.ipAddress,
  ManagedStatus: () => 'Managed',
  PlatformName: ({ node }) => node.platformName,
  PlatformType: ({ node }) => node.platform,
  PlatformVersion: ({ node }) => node.platformVersion,
  ResourceType: ({ node }) => node.kind,
  OrganizationalUnitId: () => undefined,
  OrganizationalUnitPath: () => undefined,
  Region: ({ region }) => region,
  AccountId: (_placed, accountId) => accountId,
};

const statusOf = (node: Node): string => (node.online ? 'Active' : 'ConnectionLost');

/** Returns the nodes of the account, including those of the regions that a sync collects, that match filters. */
async function nodesOf(
  { SyncName, Filters = [] }: { SyncName?: string | undefined; Filters?: NodeFilter[] | undefined },
  ctx: SsmContext,
): Promise<PlacedNode[]> {
  const { state, handle, accountId } = ctx;
  const regions = SyncName === undefined ? [ctx.region] : state.syncs.sourceRegions(SyncName);
  const placed = await Promise.all(
    regions.map(async (region) => {
      const nodes = await handle.state(accountId, region).nodes.list();
      return nodes.map((node) => ({ node, region }));
    }),
  );
  return placed.flat().filter((one) =>
    Filters.every(({ Key, Values, Type = 'Equal' }) => {
      const value = FIELDS[Key](one, accountId);
      // All known nodes are managed.
      if (Key === 'ManagedStatus' && Values.includes('All')) return true;
      return value !== undefined && compares(value, Type, Values);
    }),
  );
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListNodes.html */
export async function ListNodes(input: InputOf<'ListNodes'>, ctx: SsmContext): Promise<OutputOf<'ListNodes'>> {
  const { accountId, clock } = ctx;
  const listed = await nodesOf(input, ctx);
  return paging
    .page('ListNodes', input, listed, ({ node, region }) => `${region} ${node.id}`)
    .list(({ node, region }) => ({
      CaptureTime: new Date(clock.now()),
      Id: node.id,
      Owner: { AccountId: accountId },
      Region: region,
      NodeType: {
        Instance: {
          AgentType: AGENT,
          AgentVersion: node.agentVersion,
          ComputerName: node.computerName,
          InstanceStatus: statusOf(node),
          IpAddress: node.ipAddress,
          ManagedStatus: 'Managed',
          PlatformType: node.platform,
          PlatformName: node.platformName,
          PlatformVersion: node.platformVersion,
          ResourceType: node.kind,
        },
      },
    }));
}

/** Counts nodes by value of an attribute, recursively for nested aggregators. */
function countBy(
  nodes: readonly PlacedNode[],
  aggregators: readonly NodeAggregator[],
  accountId: string,
): Record<string, string>[] {
  return aggregators.flatMap(({ AttributeName, Aggregators }) => {
    const read = (placed: PlacedNode) => FIELDS[AttributeName](placed, accountId)!;
    return [...new Set(nodes.map(read))].flatMap((value) => {
      const same = nodes.filter((placed) => read(placed) === value);
      const own = { [AttributeName]: value };
      return Aggregators
        ? countBy(same, Aggregators, accountId).map((row) => ({ ...own, ...row }))
        : [{ ...own, Count: String(same.length) }];
    });
  });
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListNodesSummary.html */
export async function ListNodesSummary(
  input: InputOf<'ListNodesSummary'>,
  ctx: SsmContext,
): Promise<OutputOf<'ListNodesSummary'>> {
  const rows = countBy(await nodesOf(input, ctx), input.Aggregators, ctx.accountId);
  return paging.page('ListNodesSummary', input, rows, (row) => JSON.stringify(row)).list((row) => row);
}
