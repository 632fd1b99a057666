import type {
  InputOf,
  OutputOf,
  StackSetOperationPreferences,
  StackSetOperationSummary,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { invalidOperation, noStackSetOperation } from '../errors.ts';
import { paging } from '../paging.ts';
import { beginOperation, checkCallAs, checkOperation, stackSetNamed } from '../stack-sets/requests.ts';
import type { StackSetOperation } from '../stack-sets/store.ts';
import { driftDetails } from './stack-sets.ts';

function operationNamed(
  input: { StackSetName: string; OperationId: string },
  ctx: CloudformationContext,
): StackSetOperation {
  const set = stackSetNamed(input.StackSetName, ctx);
  const operation = ctx.state.stackSets.operation(set.id, input.OperationId);
  if (!operation) throw noStackSetOperation(input.OperationId);
  return operation;
}

const summaryOf = ({
  id,
  action,
  status,
  createdAt,
  endedAt,
  reason,
  results,
  preferences,
}: StackSetOperation): StackSetOperationSummary => ({
  OperationId: id,
  Action: action,
  Status: status,
  CreationTimestamp: new Date(createdAt),
  ...(endedAt !== undefined && { EndTimestamp: new Date(endedAt) }),
  ...(reason !== undefined && { StatusReason: reason }),
  StatusDetails: { FailedStackInstancesCount: results.filter((one) => one.status === 'FAILED').length },
  OperationPreferences: structuredClone(preferences) as StackSetOperationPreferences,
});

/**
 * Starts drift detection on all instances of a stack set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackSetDrift.html
 */
export function DetectStackSetDrift(
  input: InputOf<'DetectStackSetDrift'>,
  ctx: CloudformationContext,
): OutputOf<'DetectStackSetDrift'> {
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const repeated = checkOperation(set, { action: 'DETECT_DRIFT', input }, ctx);
  if (repeated !== undefined) return { OperationId: repeated };
  const places = ctx.state.stackSets
    .instances(set.id)
    .filter(({ stackId }) => stackId !== undefined)
    .map(({ account, region }) => ({ account, region }));
  return { OperationId: beginOperation(set, { action: 'DETECT_DRIFT', input, places }, ctx) };
}

/**
 * Describes an operation on a stack set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackSetOperation.html
 */
export function DescribeStackSetOperation(
  input: InputOf<'DescribeStackSetOperation'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackSetOperation'> {
  checkCallAs(input);
  const operation = operationNamed(input, ctx);
  const { set, retain, administrationRoleArn, executionRoleName, drift, action } = operation;
  return {
    StackSetOperation: {
      ...summaryOf(operation),
      StackSetId: set,
      ...(retain !== undefined && { RetainStacks: retain }),
      AdministrationRoleARN: administrationRoleArn,
      ExecutionRoleName: executionRoleName,
      ...(action === 'DETECT_DRIFT' && {
        StackSetDriftDetectionDetails: drift ? driftDetails(drift) : inProgress(operation),
      }),
    },
  };
}

/** Returns the drift detection in progress on a stack set. */
function inProgress({ results }: StackSetOperation) {
  const of = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status)).length;
  return driftDetails({
    status: 'NOT_CHECKED',
    detection: 'IN_PROGRESS',
    total: results.length,
    drifted: 0,
    inSync: 0,
    inProgress: of('PENDING', 'RUNNING'),
    failed: of('FAILED'),
  });
}

/**
 * Lists the operations on a stack set, newest first.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackSetOperations.html
 */
export function ListStackSetOperations(
  input: InputOf<'ListStackSetOperations'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackSetOperations'> {
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const key = ({ createdAt, id }: StackSetOperation) => `${String(createdAt).padStart(15, '0')} ${id}`;
  return paging
    .page('ListStackSetOperations', input, ctx.state.stackSets.operations(set.id), key, { descending: true })
    .list(summaryOf);
}

/**
 * Lists the results of an operation on a stack set by account and region.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackSetOperationResults.html
 */
export function ListStackSetOperationResults(
  input: InputOf<'ListStackSetOperationResults'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackSetOperationResults'> {
  checkCallAs(input);
  const { results } = operationNamed(input, ctx);
  const kept = results.filter(({ status }) =>
    (input.Filters ?? []).every(({ Name, Values }) => Name !== 'OPERATION_RESULT_STATUS' || Values === status),
  );
  return paging
    .page('ListStackSetOperationResults', input, kept, ({ account, region }) => `${account}/${region}`)
    .list(({ account, region, status, reason, gate }) => ({
      Account: account,
      Region: region,
      Status: status,
      ...(reason !== undefined && { StatusReason: reason }),
      ...(gate && { AccountGateResult: { ...gate } }),
    }));
}

/**
 * Stops an operation on a stack set: instances in progress are finished, the others are cancelled.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_StopStackSetOperation.html
 */
export function StopStackSetOperation(
  input: InputOf<'StopStackSetOperation'>,
  ctx: CloudformationContext,
): OutputOf<'StopStackSetOperation'> {
  checkCallAs(input);
  const { set, id, status } = operationNamed(input, ctx);
  if (status !== 'RUNNING' && status !== 'QUEUED')
    throw invalidOperation(`Operation ${id} is in the status ${status} and cannot be stopped`);
  ctx.state.stackSetRunner.stop(set, id);
  return {};
}
