import type {
  DescribeStackInstanceInput,
  ImportStacksToStackSetInput,
  InputOf,
  OutputOf,
  Parameter,
  StackInstanceSummary,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import type { ResourceFinding } from '../drift/detections.ts';
import { cloudformationError, invalid, noStackInstance, noStackSetOperation } from '../errors.ts';
import { paging } from '../paging.ts';
import { stackType } from '../resources.ts';
import type { StackInstanceRecord } from '../stack-sets/records.ts';
import {
  beginOperation,
  checkCallAs,
  checkOperation,
  parametersAfter,
  placesOf,
  stackSetNamed,
  wordsOf,
} from '../stack-sets/requests.ts';
import type { Place, StackInstance, StackSet } from '../stack-sets/store.ts';
import { driftedResources, existingTarget } from '../stack-sets/targets.ts';
import { parseTemplate } from '../templates/parse.ts';
import { objectAddress, readObject } from '../templates/template-url.ts';

/** Maximum number of stacks per import. */
const MAX_IMPORTS = 10;

const newInstance = (
  set: StackSet,
  place: Place,
  operation: string,
  ctx: CloudformationContext,
): StackInstanceRecord => ({
  ...place,
  set: set.id,
  stackName: `StackSet-${set.name}-${ctx.ids.uuid()}`,
  status: 'OUTDATED',
  detailed: 'PENDING',
  overrides: [],
  lastOperation: operation,
});

/**
 * Rejects unknown parameters.
 * @throws AwsError `ValidationError`
 */
function checkOverrides(set: StackSet, overrides: readonly Parameter[] = []): void {
  if (overrides.length === 0) return;
  const { Parameters = {} } = parseTemplate(set.templateBody);
  for (const { ParameterKey } of overrides)
    if (!Object.hasOwn(Parameters as object, ParameterKey ?? ''))
      throw invalid(`Parameters: [${ParameterKey}] do not exist in the template`);
}

/**
 * Creates instances of a stack set in accounts and regions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStackInstances.html
 */
export async function CreateStackInstances(
  input: InputOf<'CreateStackInstances'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'CreateStackInstances'>> {
  const { stackSets } = ctx.state;
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const repeated = checkOperation(set, { action: 'CREATE', input }, ctx);
  if (repeated !== undefined) return { OperationId: repeated };
  const places = await placesOf(input, ctx);
  checkOverrides(set, input.ParameterOverrides);
  const OperationId = beginOperation(set, { action: 'CREATE', input, places }, ctx);
  for (const place of places) {
    const existing = stackSets.instance(set.id, place);
    if (!existing) stackSets.putInstance(newInstance(set, place, OperationId, ctx));
    outdate(set, place, OperationId, input.ParameterOverrides, ctx);
  }
  return { OperationId };
}

/** Stores the parameter overrides of an instance and marks it as outdated. */
function outdate(
  set: StackSet,
  place: Place,
  operation: string,
  overrides: readonly Parameter[] | undefined,
  { state }: CloudformationContext,
): void {
  state.stackSets.updateInstance(set.id, place, (draft) => {
    if (overrides) draft.overrides = parametersAfter(overrides, draft.overrides);
    if (draft.status !== 'INOPERABLE') draft.status = 'OUTDATED';
    draft.detailed = 'PENDING';
    draft.lastOperation = operation;
  });
}

/**
 * Changes the parameter overrides of instances and updates their stacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_UpdateStackInstances.html
 */
export async function UpdateStackInstances(
  input: InputOf<'UpdateStackInstances'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'UpdateStackInstances'>> {
  const { stackSets } = ctx.state;
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const repeated = checkOperation(set, { action: 'UPDATE', input }, ctx);
  if (repeated !== undefined) return { OperationId: repeated };
  const places = await placesOf(input, ctx);
  checkOverrides(set, input.ParameterOverrides);
  for (const place of places)
    if (!stackSets.instance(set.id, place)) throw noStackInstance(set.name, place.account, place.region);
  const OperationId = beginOperation(set, { action: 'UPDATE', input, places }, ctx);
  for (const place of places) outdate(set, place, OperationId, input.ParameterOverrides, ctx);
  return { OperationId };
}

/**
 * Deletes instances of a stack set, or releases their stacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStackInstances.html
 */
export async function DeleteStackInstances(
  input: InputOf<'DeleteStackInstances'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DeleteStackInstances'>> {
  const { stackSets } = ctx.state;
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const repeated = checkOperation(set, { action: 'DELETE', input }, ctx);
  if (repeated !== undefined) return { OperationId: repeated };
  const places = (await placesOf(input, ctx)).filter((place) => stackSets.instance(set.id, place));
  const OperationId = beginOperation(set, { action: 'DELETE', input, places, retain: input.RetainStacks }, ctx);
  for (const place of places)
    stackSets.updateInstance(set.id, place, (draft) => {
      draft.detailed = 'PENDING';
      draft.lastOperation = OperationId;
    });
  return { OperationId };
}

const summaryOf = (instance: StackInstance): StackInstanceSummary => {
  const { set, account, region, stackId, status, detailed, reason, drift, lastOperation } = instance;
  return {
    StackSetId: set,
    Region: region,
    Account: account,
    ...(stackId !== undefined && { StackId: stackId }),
    Status: status,
    ...(reason !== undefined && { StatusReason: reason }),
    StackInstanceStatus: { DetailedStatus: detailed },
    DriftStatus: drift?.status ?? 'NOT_CHECKED',
    ...(drift && { LastDriftCheckTimestamp: new Date(drift.checkedAt) }),
    ...(lastOperation !== undefined && { LastOperationId: lastOperation }),
  };
};

function instanceNamed(
  { StackInstanceAccount: account, StackInstanceRegion: region }: DescribeStackInstanceInput,
  set: StackSet,
  { state }: CloudformationContext,
): StackInstance {
  const instance = state.stackSets.instance(set.id, { account, region });
  if (!instance) throw noStackInstance(set.name, account, region);
  return instance;
}

/**
 * Describes an instance of a stack set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackInstance.html
 */
export function DescribeStackInstance(
  input: InputOf<'DescribeStackInstance'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackInstance'> {
  checkCallAs(input);
  const instance = instanceNamed(input, stackSetNamed(input.StackSetName, ctx), ctx);
  const ParameterOverrides = instance.overrides.map((parameter) => ({ ...parameter }));
  return { StackInstance: { ...summaryOf(instance), ParameterOverrides } };
}

/**
 * Lists the instances of a stack set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackInstances.html
 */
export function ListStackInstances(
  input: InputOf<'ListStackInstances'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackInstances'> {
  checkCallAs(input);
  const { StackInstanceAccount, StackInstanceRegion, Filters = [] } = input;
  const set = stackSetNamed(input.StackSetName, ctx);
  const value = ({ detailed, lastOperation, drift }: StackInstance) => ({
    DETAILED_STATUS: detailed as string,
    LAST_OPERATION_ID: lastOperation,
    DRIFT_STATUS: (drift?.status ?? 'NOT_CHECKED') as string,
  });
  const instances = ctx.state.stackSets
    .instances(set.id)
    .filter(
      (instance) =>
        (StackInstanceAccount === undefined || instance.account === StackInstanceAccount) &&
        (StackInstanceRegion === undefined || instance.region === StackInstanceRegion) &&
        Filters.every(({ Name, Values }) => Name === undefined || value(instance)[Name] === Values),
    );
  return paging
    .page('ListStackInstances', input, instances, ({ account, region }) => `${account}/${region}`)
    .list(summaryOf);
}

/**
 * Lists the drift results of one instance's resources from the stack set's drift detection.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackInstanceResourceDrifts.html
 */
export function ListStackInstanceResourceDrifts(
  input: InputOf<'ListStackInstanceResourceDrifts'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackInstanceResourceDrifts'> {
  checkCallAs(input);
  const { OperationId, StackInstanceResourceDriftStatuses: wanted } = input;
  const set = stackSetNamed(input.StackSetName, ctx);
  const instance = instanceNamed(input, set, ctx);
  const operation = ctx.state.stackSets.operation(set.id, OperationId);
  if (operation?.action !== 'DETECT_DRIFT') throw noStackSetOperation(OperationId);
  const target = existingTarget(ctx.handle, instance);
  const stack = instance.stackId === undefined ? undefined : target?.find(instance.stackId);
  const found = target && stack ? driftedResources(target, stack) : [];
  const kept = found.filter(({ drift }) => !wanted?.length || wanted.includes(drift!.status));
  return paging
    .page('ListStackInstanceResourceDrifts', input, kept, ({ logicalId }) => logicalId)
    .list(({ drift }) => {
      const {
        DriftStatusReason: _reason,
        ExpectedProperties: _expected,
        ActualProperties: _actual,
        ...finding
      } = JSON.parse(drift!.detail!) as ResourceFinding;
      return { ...finding, StackId: instance.stackId!, Timestamp: new Date(drift!.checkedAt) };
    });
}

/**
 * Imports stacks into a stack set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ImportStacksToStackSet.html
 */
export async function ImportStacksToStackSet(
  input: InputOf<'ImportStacksToStackSet'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ImportStacksToStackSet'>> {
  const { stackSets } = ctx.state;
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const repeated = checkOperation(set, { action: 'CREATE', input }, ctx);
  if (repeated !== undefined) return { OperationId: repeated };
  if (input.OrganizationalUnitIds?.length)
    throw invalid('StackSets with SELF_MANAGED permission model can only have accounts as target');
  const stackIds = await stackIdsOf(input, ctx);
  const places = stackIds.map((stackId) => {
    const place = stackType.parse(stackId)?.place;
    const at = { account: place?.accountId ?? '', region: place?.region ?? '' };
    if (!existingTarget(ctx.handle, at)?.find(stackId))
      throw cloudformationError('StackNotFoundException', `Stack ${stackId} does not exist`);
    const known = stackSets.instance(set.id, at);
    if (known && known.detailed !== 'FAILED_IMPORT')
      throw invalid(`StackSet ${set.name} already has a stack instance in account ${at.account}, region ${at.region}`);
    return { ...at, stackId };
  });
  const OperationId = beginOperation(set, { action: 'CREATE', input, places, imports: true }, ctx);
  for (const { stackId, account, region } of places)
    stackSets.putInstance({ ...newInstance(set, { account, region }, OperationId, ctx), stackId });
  return { OperationId };
}

async function stackIdsOf(
  { StackIds, StackIdsUrl }: ImportStacksToStackSetInput,
  ctx: CloudformationContext,
): Promise<string[]> {
  if ((StackIds === undefined) === (StackIdsUrl === undefined))
    throw invalid('You must specify either StackIds or StackIdsUrl.');
  const text =
    StackIdsUrl && (await readObject(objectAddress(StackIdsUrl, ctx.endpoint, 'StackIdsUrl'), ctx, 'StackIdsUrl'));
  const ids = [...new Set(text ? wordsOf(text, /^arn:/, 'stack') : StackIds)];
  if (ids.length === 0) throw invalid('You must specify either StackIds or StackIdsUrl.');
  if (ids.length > MAX_IMPORTS)
    throw cloudformationError('LimitExceededException', `You can import up to ${MAX_IMPORTS} stacks at a time.`);
  return ids;
}
