import type { DeepReadonly } from '@emu/core/service';
import type {
  AutomationExecution,
  AutomationExecutionMetadata,
  ProgressCounters,
  StepExecution,
} from '@emu/service-types/ssm';
import { isObject, textOf } from '@emu/wire';
import { everyStep } from '../documents/automation-rules.ts';
import { type JsonObject, objectsIn } from '../documents/content.ts';
import type { AutomationRecord, StepRecord } from './records.ts';
import type { AutomationHost, Execution } from './types.ts';
import { shownOutputs } from './values.ts';

/** Returns the common time members of responses. */
const times = ({
  startedAt,
  endedAt,
}: {
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}) => ({
  ...(startedAt !== undefined && { ExecutionStartTime: new Date(startedAt) }),
  ...(endedAt !== undefined && { ExecutionEndTime: new Date(endedAt) }),
});

/** Returns the possible next steps of a step. */
function validNext(definition: JsonObject, following: string | undefined): string[] {
  const { nextStep, isEnd, onFailure, inputs, action } = definition;
  const choices = action === 'aws:branch' && isObject(inputs) && Array.isArray(inputs.Choices) ? inputs.Choices : [];
  const names = [
    ...objectsIn(choices).map(({ NextStep }) => textOf(NextStep ?? '')),
    isObject(inputs) && action === 'aws:branch' && inputs.Default !== undefined ? textOf(inputs.Default) : '',
    isEnd === true ? '' : textOf(nextStep ?? following ?? ''),
    typeof onFailure === 'string' && onFailure.startsWith('step:') ? onFailure.slice('step:'.length) : '',
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Returns the response members for a step. */
function describeStep(step: DeepReadonly<StepRecord>, steps: readonly JsonObject[]): StepExecution {
  const index = steps.findIndex(({ name }) => name === step.name);
  const definition = steps[index] ?? {};
  const { timeoutSeconds, onFailure, maxAttempts, isEnd, isCritical, nextStep } = definition;
  const following = steps[index + 1]?.name as string | undefined;
  const next = step.nextStep ?? (isEnd === true ? undefined : ((nextStep as string | undefined) ?? following));
  return {
    StepName: step.name,
    Action: step.action,
    ...(timeoutSeconds !== undefined && { TimeoutSeconds: Number(timeoutSeconds) }),
    ...(onFailure !== undefined && { OnFailure: textOf(onFailure) }),
    ...(maxAttempts !== undefined && { MaxAttempts: Number(maxAttempts) }),
    ...times(step),
    StepStatus: step.status,
    ...(step.responseCode !== undefined && { ResponseCode: step.responseCode }),
    Inputs: Object.fromEntries(Object.entries(step.inputs).map(([name, value]) => [name, JSON.stringify(value)])),
    Outputs: shownOutputs(step.outputs as JsonObject),
    ...(step.failure && {
      FailureMessage: step.failure.message,
      FailureDetails: { FailureStage: step.failure.stage, FailureType: step.failure.type, Details: {} },
    }),
    StepExecutionId: step.id,
    OverriddenParameters: {},
    ...(isEnd !== undefined && { IsEnd: isEnd === true }),
    ...(next !== undefined && next !== '' && { NextStep: next }),
    ...(isCritical !== undefined && { IsCritical: isCritical === true }),
    ValidNextSteps: validNext(definition, following),
    ...(step.parent && {
      ParentStepDetails: {
        StepExecutionId: step.parent.id,
        StepName: step.parent.name,
        Action: step.parent.action,
        Iteration: step.parent.iteration,
        ...(step.parent.iteratorValue !== undefined && { IteratorValue: step.parent.iteratorValue }),
      },
    }),
  };
}

/** Returns the descriptions of all steps of an execution. */
export function describeSteps(record: Execution): StepExecution[] {
  const content = JSON.parse(record.content) as JsonObject;
  const top = objectsIn(content.mainSteps);
  const all = everyStep(content.mainSteps);
  return record.steps.map((step) => describeStep(step, step.parent ? all : top));
}

const copy = <T>(value: DeepReadonly<T>): T => structuredClone(value) as T;

/** Returns the members common to the details and the list entry of an execution. */
function common(record: Execution) {
  const current = record.steps.findLast(({ startedAt, endedAt }) => startedAt !== undefined && endedAt === undefined);
  const { change } = record;
  return {
    AutomationExecutionId: record.id,
    DocumentName: record.documentName,
    DocumentVersion: record.documentVersion,
    ...times(record),
    AutomationExecutionStatus: record.status,
    Outputs: shownOutputs(record.outputs as JsonObject | undefined),
    ...(record.failureMessage !== undefined && { FailureMessage: record.failureMessage }),
    Mode: record.mode,
    ...(record.parent !== undefined && { ParentAutomationExecutionId: record.parent }),
    ExecutedBy: record.principal.arn,
    ...(current && { CurrentStepName: current.name, CurrentAction: current.action }),
    ...(record.targetParameterName !== undefined && { TargetParameterName: record.targetParameterName }),
    Targets: copy<NonNullable<AutomationRecord['targets']>>(record.targets ?? []),
    ...(record.targetMaps && { TargetMaps: copy<NonNullable<AutomationRecord['targetMaps']>>(record.targetMaps) }),
    ResolvedTargets: {
      ParameterValues: (record.plan?.items ?? []).flatMap(({ target }) => (target === undefined ? [] : [target])),
      Truncated: false,
    },
    ...(record.plan && { MaxConcurrency: record.plan.maxConcurrency, MaxErrors: record.plan.maxErrors }),
    ...(record.target !== undefined && { Target: record.target }),
    ...(record.alarms && { AlarmConfiguration: copy<NonNullable<AutomationRecord['alarms']>>(record.alarms) }),
    ...(record.triggeredAlarms && {
      TriggeredAlarms: copy<NonNullable<AutomationRecord['triggeredAlarms']>>(record.triggeredAlarms),
    }),
    ...(record.targetLocationsUrl !== undefined && { TargetLocationsURL: record.targetLocationsUrl }),
    ...(record.associationId !== undefined && { AssociationId: record.associationId }),
    ...(change && {
      AutomationSubtype: 'ChangeRequest' as const,
      Runbooks: copy<NonNullable<AutomationRecord['change']>>(change).runbooks,
      ...(change.name !== undefined && { ChangeRequestName: change.name }),
      ...(change.scheduledAt !== undefined && { ScheduledTime: new Date(change.scheduledAt) }),
    }),
  };
}

/** Returns the number of child executions by status. */
function progressOf(record: Execution, automations: AutomationHost): ProgressCounters {
  const statuses = record.plan!.items.map(({ accountId, region, child }) =>
    child === undefined ? undefined : automations.owner.automationsAt(accountId, region).get(child)?.status,
  );
  const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
  return {
    TotalSteps: statuses.length,
    SuccessSteps: count('Success'),
    FailedSteps: count('Failed'),
    CancelledSteps: count('Cancelled'),
    TimedOutSteps: count('TimedOut'),
  };
}

/** Returns an execution as in GetAutomationExecution. */
export function describeExecution(record: Execution, automations: AutomationHost): AutomationExecution {
  return {
    ...common(record),
    StepExecutions: describeSteps(record),
    StepExecutionsTruncated: false,
    Parameters: copy<AutomationRecord['parameters']>(record.parameters),
    Variables: shownOutputs(record.variables as JsonObject),
    ...(record.targetLocations && {
      TargetLocations: copy<NonNullable<AutomationRecord['targetLocations']>>(record.targetLocations),
    }),
    ...(record.plan && { ProgressCounters: progressOf(record, automations) }),
  };
}

/** Returns an execution as in DescribeAutomationExecutions. */
export const identifyExecution = (record: Execution): AutomationExecutionMetadata => ({
  ...common(record),
  LogFile: '',
  AutomationType: record.plan?.kind === 'locations' ? 'CrossAccount' : 'Local',
});
