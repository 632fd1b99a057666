import {
  defined,
  defineProvider,
  differs,
  everyItem,
  omit,
  type Properties,
  pick,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { cloudformationError } from '../errors.ts';
import { MODEL } from './facts.ts';

const SERVICE = 'cloudformation';
const GONE = 'StackSetNotFoundException';

interface Override {
  readonly ParameterKey: string;
  readonly ParameterValue: string;
}

interface Group {
  readonly DeploymentTargets: Properties & {
    readonly Accounts?: readonly string[];
    readonly OrganizationalUnitIds?: readonly string[];
  };
  readonly ParameterOverrides?: readonly Override[];
  readonly Regions: readonly string[];
}

interface SetProperties extends TaggedProperties {
  readonly CallAs?: 'SELF' | 'DELEGATED_ADMIN';
  readonly OperationPreferences?: Properties;
  readonly PermissionModel: string;
  readonly StackInstancesGroup?: readonly Group[];
  readonly StackSetName: string;
}

/** One stack of a stack set, with its parameter overrides. */
interface Placed {
  readonly account: string;
  readonly region: string;
  readonly overrides: readonly Override[];
}

/** Stacks keyed by account and region. */
type Places = ReadonlyMap<string, Placed>;

const SETTINGS = [
  'AdministrationRoleARN',
  'AutoDeployment',
  'Capabilities',
  'Description',
  'ExecutionRoleName',
  'ManagedExecution',
  'Parameters',
  'PermissionModel',
  'TemplateBody',
  'TemplateURL',
] as const;

/**
 * Waits for an operation on a stack set.
 * @throws AwsError if the operation does not succeed
 */
async function settled(StackSetName: string, OperationId: string | undefined, ctx: ProviderContext): Promise<void> {
  let status: string | undefined;
  await ctx.until(
    async () => {
      const found = await ctx.call(SERVICE, 'DescribeStackSetOperation', { StackSetName, OperationId: OperationId! });
      status = found.StackSetOperation!.Status;
      return !/^(QUEUED|RUNNING|STOPPING)$/.test(status!);
    },
    { interval: 20 },
  );
  if (status !== 'SUCCEEDED')
    throw cloudformationError(
      'GeneralServiceException',
      `Operation ${OperationId} of stack set ${StackSetName} is ${status}.`,
    );
}

/** Expands groups into single stack instances. */
function placesOf(groups: readonly Group[] = []): Places {
  const places = new Map<string, Placed>();
  for (const { DeploymentTargets, ParameterOverrides = [], Regions } of groups)
    for (const account of DeploymentTargets.Accounts ?? [])
      for (const region of Regions)
        places.set(`${account}|${region}`, { account, region, overrides: ParameterOverrides });
  return places;
}

/** Returns the existing stack instances. */
async function foundPlaces(StackSetName: string, ctx: ProviderContext): Promise<Places> {
  const all = await everyItem(async (NextToken) => {
    const page = await ctx.call(SERVICE, 'ListStackInstances', defined({ StackSetName, NextToken }));
    return [page.Summaries, page.NextToken] as const;
  });
  const places = new Map<string, Placed>();
  for (const { Account, Region } of all) {
    const at = { StackSetName, StackInstanceAccount: Account!, StackInstanceRegion: Region! };
    const { StackInstance } = await ctx.call(SERVICE, 'DescribeStackInstance', at);
    const overrides = (StackInstance!.ParameterOverrides ?? []) as Override[];
    places.set(`${Account}|${Region}`, { account: Account!, region: Region!, overrides });
  }
  return places;
}

/**
 * Groups existing instances: in the template's groups where these match, otherwise in one group per account and set of
 * parameters.
 */
function groupsOf(found: Places, applied: readonly Group[] | undefined): readonly Group[] {
  if (applied && sameValue(Object.fromEntries(found), Object.fromEntries(placesOf(applied)))) return applied;
  const groups = new Map<string, Group & { Regions: string[] }>();
  for (const { account, region, overrides } of found.values()) {
    const key = JSON.stringify([account, overrides]);
    const group = groups.get(key);
    if (group) group.Regions.push(region);
    else
      groups.set(key, {
        DeploymentTargets: { Accounts: [account] },
        ...(overrides.length && { ParameterOverrides: overrides }),
        Regions: [region],
      });
  }
  return [...groups.values()];
}

/** Creates, updates and deletes instances until they match the requested groups. */
async function bring(
  StackSetName: string,
  from: Places,
  groups: readonly Group[] | undefined,
  about: Pick<SetProperties, 'CallAs' | 'OperationPreferences'>,
  ctx: ProviderContext,
): Promise<void> {
  const common = { StackSetName, ...pick(about, ['CallAs', 'OperationPreferences']) };
  const to = placesOf(groups);
  const at = ({ account, region }: Placed) => ({ Accounts: [account], Regions: [region] });
  for (const [key, place] of from) {
    if (to.has(key)) continue;
    const input = { ...common, ...at(place), RetainStacks: false };
    await settled(StackSetName, (await run(ctx, SERVICE, 'DeleteStackInstances', input)).OperationId, ctx);
  }
  for (const [key, place] of to) {
    const known = from.get(key);
    if (known && sameValue(known.overrides, place.overrides)) continue;
    const input = { ...common, ...at(place), ParameterOverrides: place.overrides };
    const { OperationId } = await run(ctx, SERVICE, known ? 'UpdateStackInstances' : 'CreateStackInstances', input);
    await settled(StackSetName, OperationId, ctx);
  }
  // CloudFormation itself distinguishes organizational units from accounts.
  for (const { DeploymentTargets, ParameterOverrides, Regions } of groups ?? []) {
    if (!DeploymentTargets.OrganizationalUnitIds) continue;
    const input = defined({ ...common, DeploymentTargets, ParameterOverrides, Regions });
    await settled(StackSetName, (await run(ctx, SERVICE, 'CreateStackInstances', input)).OperationId, ctx);
  }
}

const describe = async (StackSetName: string, ctx: ProviderContext) =>
  (await unless(ctx.call(SERVICE, 'DescribeStackSet', { StackSetName }), GONE))?.StackSet;

/**
 * Stack sets with their instances.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-stackset.html
 */
export const stackSet: AnyResourceProvider = defineProvider<SetProperties>({
  typeName: 'AWS::CloudFormation::StackSet',
  model: MODEL,
  handles: [...SETTINGS, 'CallAs', 'OperationPreferences', 'StackInstancesGroup', 'StackSetName', 'Tags'],

  async create(properties, ctx) {
    const { StackInstancesGroup } = properties;
    const input = omit(properties, 'StackInstancesGroup', 'OperationPreferences');
    const { StackSetId } = await run(ctx, SERVICE, 'CreateStackSet', input);
    ctx.created(StackSetId!);
    await bring(StackSetId!, new Map(), StackInstancesGroup, properties, ctx);
    return { identifier: StackSetId! };
  },

  async read(StackSetId, ctx, applied) {
    const found = await describe(StackSetId, ctx);
    if (!found || found.Status === 'DELETED') return undefined;
    const groups = groupsOf(await foundPlaces(StackSetId, ctx), applied?.StackInstancesGroup);
    return {
      properties: defined({
        ...pick(found, [
          'AdministrationRoleARN',
          'AutoDeployment',
          'ExecutionRoleName',
          'ManagedExecution',
          'PermissionModel',
          'StackSetName',
          'TemplateBody',
        ]),
        Capabilities: unlessEmpty(found.Capabilities),
        Description: found.Description || undefined,
        Parameters: unlessEmpty(
          found.Parameters?.map(({ ParameterKey, ParameterValue }) => ({ ParameterKey, ParameterValue })),
        ),
        StackInstancesGroup: unlessEmpty(groups as Group[]),
        Tags: unlessEmpty(found.Tags),
      }) as object as SetProperties,
      attributes: { StackSetId },
    };
  },

  async update(StackSetId, previous, desired, ctx) {
    if (differs(previous, desired, ...SETTINGS, 'Tags')) {
      const { OperationId } = await run(ctx, SERVICE, 'UpdateStackSet', {
        ...omit(desired, 'StackInstancesGroup', 'StackSetName'),
        StackSetName: StackSetId,
        Tags: desired.Tags ?? [],
      });
      await settled(StackSetId, OperationId, ctx);
    }
    if (!sameValue(previous.StackInstancesGroup, desired.StackInstancesGroup))
      await bring(StackSetId, await foundPlaces(StackSetId, ctx), desired.StackInstancesGroup, desired, ctx);
  },

  async delete(StackSetId, properties, ctx) {
    const found = await describe(StackSetId, ctx);
    if (!found || found.Status === 'DELETED') return;
    await bring(StackSetId, await foundPlaces(StackSetId, ctx), [], properties, ctx);
    await unless(ctx.call(SERVICE, 'DeleteStackSet', { StackSetName: StackSetId }), GONE);
  },

  list: async (ctx) => {
    const all = await everyItem(async (NextToken) => {
      const page = await ctx.call(SERVICE, 'ListStackSets', defined({ Status: 'ACTIVE' as const, NextToken }));
      return [page.Summaries, page.NextToken] as const;
    });
    return all.map(({ StackSetId }) => StackSetId!);
  },
});
