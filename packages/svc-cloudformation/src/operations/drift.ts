import type { InputOf, OutputOf, StackResourceDrift } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { askerOf } from '../context.ts';
import type { ResourceFinding } from '../drift/detections.ts';
import { invalid } from '../errors.ts';
import { resourceNamed, stackOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Resource, Stack } from '../stacks/registry.ts';
import { moduleInfo } from '../transforms/modules.ts';

/** States in which drift detection is allowed. */
const COMPARABLE =
  /^(CREATE_COMPLETE|UPDATE_COMPLETE|UPDATE_ROLLBACK_COMPLETE|UPDATE_ROLLBACK_FAILED|IMPORT_COMPLETE|IMPORT_ROLLBACK_COMPLETE)$/;

function checkComparable(stack: Stack, { state }: CloudformationContext): void {
  if (!COMPARABLE.test(stack.status))
    throw invalid(`Drift detection cannot be performed on stack [${state.arn(stack)}] in the status ${stack.status}`);
}

/**
 * Starts drift detection on a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackDrift.html
 */
export function DetectStackDrift(
  input: InputOf<'DetectStackDrift'>,
  ctx: CloudformationContext,
): OutputOf<'DetectStackDrift'> {
  const { state } = ctx;
  const stack = stackOf(input.StackName, ctx);
  checkComparable(stack, ctx);
  for (const name of input.LogicalResourceIds ?? []) resourceNamed(stack, name, ctx);
  if (state.drifts.busy(stack.uuid))
    throw invalid(`Drift detection is already in progress for stack [${state.arn(stack)}]`);
  return { StackDriftDetectionId: state.drifts.begin(stack, input.LogicalResourceIds, askerOf(ctx)).id };
}

/**
 * Describes the status of a drift detection.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackDriftDetectionStatus.html
 */
export function DescribeStackDriftDetectionStatus(
  { StackDriftDetectionId }: InputOf<'DescribeStackDriftDetectionStatus'>,
  { state }: CloudformationContext,
): OutputOf<'DescribeStackDriftDetectionStatus'> {
  const detection = state.drifts.get(StackDriftDetectionId);
  const stack = detection && state.stack(detection.stack);
  if (!stack) throw invalid(`Stack drift detection with id ${StackDriftDetectionId} does not exist`);
  const { status, reason, found, drifted, startedAt } = detection;
  return {
    StackId: state.arn(stack),
    StackDriftDetectionId,
    DetectionStatus: status,
    ...(found !== undefined && { StackDriftStatus: found }),
    ...(reason !== undefined && { DetectionStatusReason: reason }),
    ...(drifted !== undefined && { DriftedStackResourceCount: drifted }),
    Timestamp: new Date(startedAt),
  };
}

function driftOf(resource: Resource, stack: Stack, { state }: CloudformationContext): StackResourceDrift {
  const { checkedAt, detail } = resource.drift!;
  const finding = JSON.parse(detail!) as ResourceFinding;
  return { StackId: state.arn(stack), ...finding, ...moduleInfo(resource.metadata), Timestamp: new Date(checkedAt) };
}

/**
 * Lists the drift results of a stack's resources.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackResourceDrifts.html
 */
export function DescribeStackResourceDrifts(
  input: InputOf<'DescribeStackResourceDrifts'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackResourceDrifts'> {
  const stack = stackOf(input.StackName, ctx);
  const wanted = input.StackResourceDriftStatusFilters;
  const checked = ctx.state
    .resourcesIn(stack.uuid)
    .filter(({ drift }) => drift?.detail !== undefined && (!wanted?.length || wanted.includes(drift.status)));
  return paging
    .page('DescribeStackResourceDrifts', input, checked, ({ logicalId }) => logicalId)
    .list((resource) => driftOf(resource, stack, ctx));
}

/**
 * Detects drift of one resource.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackResourceDrift.html
 */
export async function DetectStackResourceDrift(
  input: InputOf<'DetectStackResourceDrift'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DetectStackResourceDrift'>> {
  const stack = stackOf(input.StackName, ctx);
  const resource = resourceNamed(stack, input.LogicalResourceId, ctx);
  checkComparable(stack, ctx);
  const finding = await ctx.state.drifts.check(resource, askerOf(ctx));
  if (!finding) throw invalid(`Resource type ${resource.type} does not support drift detection`);
  return { StackResourceDrift: driftOf(ctx.state.resource(stack.uuid, resource.logicalId)!, stack, ctx) };
}
