import type { InputOf, MapRunExecutionCounts, OutputOf } from '@emu/service-types/stepfunctions';
import type { StepfunctionsContext } from '../context.ts';
import { resourceNotFound } from '../errors.ts';
import type { Execution } from '../executions/execution.ts';
import { executionOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { MapRun } from '../runtime/map-runs.ts';
import type { StepfunctionsState } from '../state.ts';

/**
 * Returns a Map Run by ARN.
 * @throws AwsError `ResourceNotFound`
 */
function runOf(arn: string, { state }: StepfunctionsContext): MapRun {
  const run = state.executions.mapRuns.get(arn);
  if (!run) throw resourceNotFound();
  return run;
}

/**
 * Counts executions or items of a run by status.
 * @param weight of an execution
 */
function counts(
  state: StepfunctionsState,
  { arn, written }: MapRun,
  total: number,
  weight: (child: Execution) => number,
  place: 0 | 1,
): MapRunExecutionCounts {
  const of = { RUNNING: 0, SUCCEEDED: 0, FAILED: 0, TIMED_OUT: 0, ABORTED: 0, PENDING_REDRIVE: 0 };
  for (const child of state.executions.children.of(arn)) of[child.status] += weight(child);
  const begun = Object.values(of).reduce((sum, count) => sum + count, 0);
  return {
    pending: total - begun,
    running: of.RUNNING,
    succeeded: of.SUCCEEDED,
    failed: of.FAILED,
    timedOut: of.TIMED_OUT,
    aborted: of.ABORTED,
    total,
    // Without a bucket, results are in the state's output.
    resultsWritten: written[place]!,
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeMapRun.html */
export function DescribeMapRun(
  { mapRunArn }: InputOf<'DescribeMapRun'>,
  ctx: StepfunctionsContext,
): OutputOf<'DescribeMapRun'> {
  const run = runOf(mapRunArn, ctx);
  return {
    mapRunArn,
    executionArn: run.execution,
    status: run.status,
    startDate: new Date(run.startedAt),
    ...(run.stoppedAt !== undefined && { stopDate: new Date(run.stoppedAt) }),
    maxConcurrency: run.maxConcurrency,
    toleratedFailureCount: run.toleratedCount,
    toleratedFailurePercentage: run.toleratedPercentage,
    executionCounts: counts(ctx.state, run, run.executions, () => 1, 0),
    itemCounts: counts(ctx.state, run, run.items, ({ batch }) => batch?.items ?? 1, 1),
    redriveCount: run.redrives ?? 0,
    ...(run.redrivenAt !== undefined && { redriveDate: new Date(run.redrivenAt) }),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListMapRuns.html */
export function ListMapRuns(input: InputOf<'ListMapRuns'>, ctx: StepfunctionsContext): OutputOf<'ListMapRuns'> {
  const { state } = executionOf(input.executionArn, ctx);
  const runs = state.executions.mapRuns.of(input.executionArn);
  return paging
    .page('ListMapRuns', input, runs, ({ arn }) => arn, { descending: true })
    .list((run) => ({
      executionArn: run.execution,
      mapRunArn: run.arn,
      stateMachineArn: state.machineArn(`${run.machine}/${run.label}`),
      startDate: new Date(run.startedAt),
      ...(run.stoppedAt !== undefined && { stopDate: new Date(run.stoppedAt) }),
    }));
}

/**
 * Changes limits of a run, which apply to executions not yet started.
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_UpdateMapRun.html
 */
export function UpdateMapRun(input: InputOf<'UpdateMapRun'>, ctx: StepfunctionsContext): OutputOf<'UpdateMapRun'> {
  const { mapRunArn, maxConcurrency, toleratedFailureCount, toleratedFailurePercentage } = input;
  runOf(mapRunArn, ctx);
  ctx.state.executions.mapRuns.change(mapRunArn, (draft) => {
    if (maxConcurrency !== undefined) draft.maxConcurrency = maxConcurrency;
    if (toleratedFailureCount !== undefined) draft.toleratedCount = toleratedFailureCount;
    if (toleratedFailurePercentage !== undefined) draft.toleratedPercentage = toleratedFailurePercentage;
  });
  return {};
}
