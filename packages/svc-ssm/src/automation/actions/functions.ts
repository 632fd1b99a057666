import { isObject, jsonOrText, textOf } from '@emu/wire';
import { type JsonObject, objectsIn } from '../../documents/content.ts';
import { StepFailure } from '../failures.ts';
import type { Parameters } from '../records.ts';
import { makeAutomation, mapsPlan, planOf } from '../starting.ts';
import type { StepContext } from '../types.ts';
import { compact, shownOutputs, textsOf } from '../values.ts';
import { settled } from '../waiting.ts';
import { callApi } from './api.ts';
import type { Action } from './types.ts';

/** Milliseconds between two polls of a function or execution. */
const POLL = 1000;

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-lamb.html */
export const invokeLambdaFunction: Action = {
  async run(step) {
    const { FunctionName, Qualifier, InvocationType, LogType, ClientContext, Payload, InputPayload } = step.inputs;
    const payload = Payload ?? InputPayload;
    const answer = await callApi(
      step,
      'lambda',
      'Invoke',
      compact({ FunctionName, Qualifier, InvocationType, LogType, ClientContext, Payload: payload }),
    );
    const { StatusCode = 200, FunctionError, LogResult, Payload: result = '' } = answer;
    if (FunctionError !== undefined)
      throw new StepFailure(
        `Error occurred when invoking the function ${textOf(FunctionName!)}. Function Error: ${textOf(FunctionError)}, Payload: ${textOf(result)}`,
        'Verification',
        textOf(FunctionError),
      );
    const outputs = compact({ StatusCode, LogResult, Payload: result });
    const value = jsonOrText(textOf(result));
    return { outputs, payload: { ...(isObject(value) ? value : {}), ...outputs, Payload: value } };
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-executeStateMachine.html */
export const executeStateMachine: Action = {
  async run(step) {
    const { stateMachineArn, name, input } = step.inputs;
    if (step.progress.executionArn === undefined) {
      const started = await callApi(
        step,
        'stepfunctions',
        'StartExecution',
        compact({ stateMachineArn, name, ...(input !== undefined && { input: textOf(input) }) }),
      );
      step.save({ executionArn: started.executionArn! });
    }
    for (;;) {
      const { executionArn = '' } = step.progress;
      const { status, cause, error, output, ...described } = await callApi(step, 'stepfunctions', 'DescribeExecution', {
        executionArn,
      });
      const outputs = compact({ ...described, status, output });
      if (status === 'SUCCEEDED')
        return {
          outputs,
          payload: { ...outputs, ...(output !== undefined && { output: jsonOrText(textOf(output)) }) },
        };
      if (status !== 'RUNNING')
        throw new StepFailure(
          `The execution ${textOf(executionArn)} has ended with the status ${textOf(status!)}. ${[error, cause]
            .filter((part) => part !== undefined)
            .map(textOf)
            .join(': ')}`,
          'Verification',
          textOf(status!),
        );
      await step.run.until(step.run.clock.now() + POLL, step.signal);
    }
  },
};

/** Converts the inputs of a step to runbook parameters. */
export const parametersOf = (value: JsonObject[string] | undefined): Parameters =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, textsOf(item)])) : {};

/**
 * Starts the execution for a step.
 * @returns its id
 */
function begin(step: StepContext): string {
  const { automations, record, id } = step.run;
  const {
    DocumentName,
    DocumentVersion,
    RuntimeParameters,
    TargetParameterName,
    Targets,
    TargetMaps,
    MaxConcurrency,
    MaxErrors,
  } = step.inputs;
  const Parameters = parametersOf(RuntimeParameters);
  const parameter = TargetParameterName === undefined ? undefined : textOf(TargetParameterName);
  const place = {
    accountId: automations.scope.accountId,
    region: automations.scope.region,
    maxConcurrency: MaxConcurrency === undefined ? undefined : textOf(MaxConcurrency),
    maxErrors: MaxErrors === undefined ? undefined : textOf(MaxErrors),
  };
  const targets = objectsIn(Targets);
  if (targets.some(({ Key }) => Key !== 'ParameterValues'))
    throw new StepFailure('Target key can have only following values : ParameterValues', 'InputResolution');
  const maps = (Array.isArray(TargetMaps) ? TargetMaps : []).map((map) => parametersOf(map));
  const values = targets.flatMap(({ Values = [] }) => textsOf(Values));
  const plan =
    parameter !== undefined && targets.length > 0
      ? planOf(values, parameter, Parameters, place)
      : maps.length > 0
        ? mapsPlan(maps, Parameters, place)
        : undefined;
  try {
    return automations.start(
      makeAutomation(
        automations,
        {
          DocumentName: textOf(DocumentName!),
          DocumentVersion: DocumentVersion === undefined ? undefined : textOf(DocumentVersion),
          Parameters,
          TargetParameterName: parameter,
        },
        { principal: { ...record.principal }, cause: record.cause, parent: id, role: record.role },
        plan,
      ),
    ).id;
  } catch (error) {
    throw new StepFailure((error as Error).message, 'Invocation', (error as { code?: string }).code);
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-executeAutomation.html */
export const executeAutomation: Action = {
  async run(step) {
    const { automations } = step.run;
    if (step.progress.child === undefined) step.save({ child: begin(step) });
    const child = textOf(step.progress.child!);
    try {
      await settled(automations.ended(child), step.signal);
    } catch (error) {
      if (!step.run.suspended) automations.stop(child, false);
      throw error;
    }
    const { status, outputs, failureMessage } = automations.get(child)!;
    const Output = Object.values(shownOutputs(outputs)).flat();
    if (status !== 'Success')
      throw new StepFailure(
        `Failed to run automation with executionId: ${child} ${status} : {Status=[${status}], Output=[${Output.join(', ') || (failureMessage ?? '')}], ExecutionId=[${child}]}`,
        'Verification',
        status,
        'Execution complete: verified',
      );
    const result: JsonObject = { ExecutionId: child, Output, Status: status };
    return { outputs: result, payload: { ...(outputs as JsonObject | undefined), ...result } };
  },
};
