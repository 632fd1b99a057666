import { isObject } from '@emu/wire';
import { type Json, type JsonObject, objectsIn } from './content.ts';
import { invalidContent } from './errors.ts';
import { declaredParameters } from './parameters.ts';
import { referencesIn } from './references.ts';

/**
 * Actions of runbooks, each with its required inputs.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-actions.html
 */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'aws:approve': [],
  'aws:assertAwsResourceProperty': ['Service', 'Api', 'PropertySelector', 'DesiredValues'],
  'aws:branch': ['Choices'],
  'aws:changeInstanceState': ['InstanceIds', 'DesiredState'],
  'aws:copyImage': ['SourceImageId', 'SourceRegion', 'ImageName'],
  'aws:createImage': ['InstanceId', 'ImageName'],
  'aws:createStack': ['StackName'],
  'aws:createTags': ['ResourceIds', 'Tags'],
  'aws:deleteImage': ['ImageId'],
  'aws:deleteStack': ['StackName'],
  'aws:executeAutomation': ['DocumentName'],
  'aws:executeAwsApi': ['Service', 'Api'],
  'aws:executeScript': ['Runtime'],
  'aws:executeStateMachine': ['stateMachineArn'],
  'aws:invokeLambdaFunction': ['FunctionName'],
  'aws:invokeWebhook': ['IntegrationName'],
  'aws:loop': ['Steps'],
  'aws:pause': [],
  'aws:runCommand': ['DocumentName'],
  'aws:runInstances': ['ImageId'],
  'aws:sleep': [],
  'aws:updateVariable': ['Name', 'Value'],
  'aws:waitForAwsResourceProperty': ['Service', 'Api', 'PropertySelector', 'DesiredValues'],
};

const STEP_KEYS = new Set([
  'name',
  'action',
  'description',
  'inputs',
  'outputs',
  'maxAttempts',
  'timeoutSeconds',
  'onFailure',
  'onCancel',
  'isCritical',
  'isEnd',
  'nextStep',
]);
const NAME = /^[a-zA-Z0-9_]{1,128}$/;
const OPERATORS: ReadonlySet<string> = new Set(['And', 'Or', 'Not']);
const OUTPUT_TYPES = new Set(['String', 'StringList', 'Boolean', 'Integer', 'StringMap', 'MapList']);
const MAX_STEPS = 100;

/** Returns steps including those inside loops, in document order. */
export function everyStep(steps: Json | undefined): JsonObject[] {
  return objectsIn(steps).flatMap((step) => [
    step,
    ...everyStep(isObject(step.inputs) ? step.inputs.Steps : undefined),
  ]);
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/**
 * Validates the content of a runbook.
 * @throws AwsError `InvalidDocumentContent`
 */
export function checkRunbook(content: JsonObject): void {
  const steps = everyStep(content.mainSteps);
  if (steps.length > MAX_STEPS) throw invalidContent(`A runbook can have at most ${MAX_STEPS} steps.`);
  checkSteps(content.mainSteps, 'mainSteps');
  const names = new Set<string>();
  for (const { name } of steps) {
    if (names.has(text(name))) throw invalidContent(`Step name "${text(name)}" is not unique.`);
    names.add(text(name));
  }
  if (content.outputs !== undefined && !Array.isArray(content.outputs))
    throw invalidContent('The outputs of a runbook are a list.');
  checkReferences(content, names);
}

function checkSteps(steps: Json | undefined, place: string): void {
  if (!Array.isArray(steps) || steps.length === 0) throw invalidContent(`${place} needs at least one step.`);
  const names = new Set(objectsIn(steps).map(({ name }) => name));
  for (const step of steps) {
    if (!isObject(step)) throw invalidContent(`A step of ${place} is not an object.`);
    checkStep(step);
    for (const next of [step.nextStep, ...jumps(step)])
      if (next !== undefined && !names.has(next))
        throw invalidContent(`Step "${text(next)}", which step "${text(step.name)}" names, does not exist.`);
  }
}

/** Returns the possible next steps of a step besides `nextStep`. */
function jumps(step: JsonObject): Json[] {
  const explicit = [step.onFailure, step.onCancel]
    .filter((value): value is string => typeof value === 'string' && value.startsWith('step:'))
    .map((value) => value.slice('step:'.length));
  if (step.action !== 'aws:branch' || !isObject(step.inputs)) return explicit;
  const { Choices, Default } = step.inputs;
  const choices = objectsIn(Choices).map(({ NextStep }) => NextStep);
  return [...explicit, ...choices, Default].filter((next): next is Json => next !== undefined);
}

function checkStep(step: JsonObject): void {
  const { name, action, inputs = {}, onFailure, onCancel, outputs } = step;
  if (typeof name !== 'string' || !NAME.test(name)) throw invalidContent(`Step name "${text(name)}" is not valid.`);
  for (const key of Object.keys(step))
    if (!STEP_KEYS.has(key)) throw invalidContent(`Step "${name}" has an unsupported key: ${key}.`);
  const required = typeof action === 'string' && Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!required) throw invalidContent(`Step "${name}" has an unsupported action: ${text(action)}.`);
  if (!isObject(inputs)) throw invalidContent(`The inputs of step "${name}" are not an object.`);
  for (const input of required)
    if (inputs[input] === undefined) throw invalidContent(`Step "${name}" lacks the required input ${input}.`);
  if (onFailure !== undefined && !/^(Abort|Continue|step:.+)$/.test(text(onFailure)))
    throw invalidContent(`The onFailure of step "${name}" is not valid: ${text(onFailure)}.`);
  if (onCancel !== undefined && !/^(Abort|step:.+)$/.test(text(onCancel)))
    throw invalidContent(`The onCancel of step "${name}" is not valid: ${text(onCancel)}.`);
  if (outputs !== undefined) checkOutputs(outputs, name);
  if (action === 'aws:approve' && inputs.Approvers === undefined && inputs.EnhancedApprovals === undefined)
    throw invalidContent(`Step "${name}" lacks the required input Approvers.`);
  if (action === 'aws:branch') checkBranch(inputs, name);
  if (action === 'aws:sleep' && (inputs.Duration === undefined) === (inputs.Timestamp === undefined))
    throw invalidContent(`Step "${name}" needs one of the inputs Duration and Timestamp.`);
  if (action === 'aws:loop') checkLoop(inputs, name);
  if (action === 'aws:executeScript' && inputs.Script === undefined && inputs.Attachment === undefined)
    throw invalidContent(`Step "${name}" needs one of the inputs Script and Attachment.`);
}

function checkOutputs(outputs: Json, step: string): void {
  if (!Array.isArray(outputs)) throw invalidContent(`The outputs of step "${step}" are not a list.`);
  for (const output of outputs)
    if (
      !isObject(output) ||
      typeof output.Name !== 'string' ||
      (output.Selector !== undefined && typeof output.Selector !== 'string') ||
      (output.Type !== undefined && !OUTPUT_TYPES.has(text(output.Type)))
    )
      throw invalidContent(`The outputs of step "${step}" are not valid.`);
}

function checkLoop(inputs: JsonObject, step: string): void {
  if ((inputs.Iterators === undefined) === (inputs.LoopCondition === undefined))
    throw invalidContent(`Step "${step}" needs one of the inputs Iterators and LoopCondition.`);
  if (inputs.LoopCondition !== undefined) checkCondition(inputs.LoopCondition, step);
  checkSteps(inputs.Steps, `step "${step}"`);
}

function checkBranch({ Choices }: JsonObject, step: string): void {
  if (!Array.isArray(Choices) || Choices.length === 0)
    throw invalidContent(`Step "${step}" needs at least one choice.`);
  for (const choice of Choices) {
    if (!isObject(choice) || typeof choice.NextStep !== 'string')
      throw invalidContent(`A choice of step "${step}" has no NextStep.`);
    const { NextStep: _next, ...condition } = choice;
    checkCondition(condition, step);
  }
}

/** Validates a condition of `aws:branch` or a loop. */
function checkCondition(condition: Json, step: string): void {
  if (!isObject(condition)) throw invalidContent(`A condition of step "${step}" is not an object.`);
  for (const operator of Object.keys(condition).filter((key) => OPERATORS.has(key))) {
    const parts = condition[operator]!;
    const list = Array.isArray(parts) ? parts : [parts];
    if (operator !== 'Not' && list.length < 2)
      throw invalidContent(
        `Expect at lease two expressions for operator: ${operator} in step: ${step}. Provided: ${list.length}`,
      );
    for (const part of list) checkCondition(part, step);
  }
}

/** Checks that every parameter, step and variable that a runbook refers to exists. */
function checkReferences(content: JsonObject, steps: ReadonlySet<string>): void {
  const parameters = declaredParameters(content);
  const variables = isObject(content.variables) ? content.variables : {};
  const { mainSteps, outputs, assumeRole, files } = content;
  const given = [mainSteps, outputs, assumeRole, files].filter((value): value is Json => value !== undefined);
  for (const reference of referencesIn(given)) {
    const [first = ''] = reference.split(/[.[]/);
    if (reference.includes(':')) {
      const [kind, rest = ''] = reference.split(/:(.*)/s);
      if (kind === 'variable' && !Object.hasOwn(variables, rest.split(/[.[]/)[0]!))
        throw invalidContent(`Variable "${rest}" is not declared.`);
    } else if (!steps.has(first) && !Object.hasOwn(parameters, first))
      throw invalidContent(`Parameter "${first}" is not declared.`);
  }
}
