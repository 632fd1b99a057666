import { isRoleArn } from '@emu/core/service';
import type {
  MaintenanceWindowResourceType,
  MaintenanceWindowTaskInvocationParameters,
  MaintenanceWindowTaskType,
  Target,
} from '@emu/service-types/ssm';
import { invalid, ssmError } from '../errors.ts';
import type { InvocationParameters, WindowTaskRecord } from './records.ts';
import type { Window, WindowStore } from './store.ts';

const NODE = /^(i-(\w{8}|\w{17})|mi-\w{17})$/;

/** Member of the invocation parameters by task type. */
const MEMBERS: Readonly<Record<MaintenanceWindowTaskType, keyof MaintenanceWindowTaskInvocationParameters>> = {
  RUN_COMMAND: 'RunCommand',
  AUTOMATION: 'Automation',
  STEP_FUNCTIONS: 'StepFunctions',
  LAMBDA: 'Lambda',
};

/**
 * Validates targets to register with a window.
 * @throws AwsError `ValidationException`
 */
export function checkWindowTargets(targets: readonly Target[], type: MaintenanceWindowResourceType): void {
  if (!targets.length) throw invalid('At least one target is required.');
  for (const { Key = '', Values = [] } of targets) {
    const group = Key.startsWith('resource-groups:');
    const known = Key === 'InstanceIds' || Key === 'tag-key' || Key.startsWith('tag:');
    if (!group && !known) throw invalid(`The target key ${Key} is not valid.`);
    if (group !== (type === 'RESOURCE_GROUP'))
      throw invalid(`The target key ${Key} is not valid for targets of type ${type}.`);
    if (!Values.length) throw invalid(`The target key ${Key} has no values.`);
    if (Key === 'InstanceIds') checkNodes(Values);
  }
}

function checkNodes(ids: readonly string[]): void {
  const id = ids.find((one) => !NODE.test(one));
  if (id !== undefined) throw invalid(`The node ID ${id} is not valid.`);
}

/**
 * Validates a task of a window.
 * @throws AwsError `ValidationException`, `DoesNotExistException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RegisterTaskWithMaintenanceWindow.html
 */
export function checkTask(
  task: Pick<WindowTaskRecord, 'type' | 'arn' | 'targets' | 'serviceRoleArn' | 'invocation' | 'windowId'> & {
    maxConcurrency?: string | undefined;
    maxErrors?: string | undefined;
  },
  window: Window,
  store: WindowStore,
): void {
  const { type, targets, serviceRoleArn, invocation, maxConcurrency, maxErrors } = task;
  if (type === 'RUN_COMMAND' && !targets.length) throw invalid('A task of type RUN_COMMAND needs targets.');
  if (targets.length && (maxConcurrency === undefined || maxErrors === undefined))
    throw invalid('MaxConcurrency and MaxErrors are required for a task with targets.');
  if (serviceRoleArn !== undefined && !isRoleArn(serviceRoleArn))
    throw invalid(`The service role ${serviceRoleArn} is not the ARN of a role.`);
  for (const name of Object.keys(invocation))
    if (name !== MEMBERS[type]) throw invalid(`Parameters of ${name} are not valid for a task of type ${type}.`);
  if (type === 'STEP_FUNCTIONS' && !/:states:.*:stateMachine:/.test(task.arn))
    throw invalid(`The task ${task.arn} is not the ARN of a state machine.`);
  for (const { Key = '', Values = [] } of targets) checkTaskTarget(Key, Values, window, store);
}

function checkTaskTarget(key: string, values: readonly string[], window: Window, store: WindowStore): void {
  if (key === 'WindowTargetIds') {
    const unknown = values.find((id) => store.targets.get(id)?.windowId !== window.id);
    if (unknown !== undefined)
      throw ssmError(
        'DoesNotExistException',
        `Window target ${unknown} does not exist in maintenance window ${window.id}.`,
      );
    return;
  }
  if (key !== 'InstanceIds') throw invalid(`The target key ${key} is not valid for tasks.`);
  checkNodes(values);
  if (window.allowUnassociatedTargets) return;
  const registered = store.targetsOf(window.id).flatMap(({ targets }) => targets);
  const stranger = values.find((id) => !registered.some(({ Key, Values }) => Key === key && Values?.includes(id)));
  if (stranger !== undefined)
    throw invalid(`Node ${stranger} is not a registered target of maintenance window ${window.id}.`);
}

/** Converts a request's parameters to the stored form: a function's payload in base64. */
export function keepParameters(given: MaintenanceWindowTaskInvocationParameters = {}): InvocationParameters {
  const { Lambda, ...others } = given;
  const kept = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  if (!Lambda) return kept;
  const { Payload, ...more } = Lambda;
  return { ...kept, Lambda: { ...more, ...(Payload && { Payload: Buffer.from(Payload).toString('base64') }) } };
}

/** Converts stored parameters to the form of responses. */
export function showParameters(kept: InvocationParameters): MaintenanceWindowTaskInvocationParameters {
  const { Lambda, ...others } = kept;
  if (!Lambda) return others;
  const { Payload, ...more } = Lambda;
  return { ...others, Lambda: { ...more, ...(Payload !== undefined && { Payload: Buffer.from(Payload, 'base64') }) } };
}
