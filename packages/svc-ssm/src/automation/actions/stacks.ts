import { textOf } from '@emu/wire';
import { type JsonObject, objectsIn } from '../../documents/content.ts';
import { StepFailure } from '../failures.ts';
import type { StepContext } from '../types.ts';
import { compact } from '../values.ts';
import { callApi } from './api.ts';
import type { Action } from './types.ts';

/** Milliseconds between two polls of a stack. */
const POLL = 1000;

/** Returns the current description of a stack; undefined if it does not exist. */
async function stackOf(step: StepContext, StackName: string): Promise<JsonObject | undefined> {
  const { Stacks } = await callApi(step, 'cloudformation', 'DescribeStacks', { StackName });
  return objectsIn(Stacks)[0];
}

const outputsOf = ({ StackId, StackStatus, StackStatusReason }: JsonObject): JsonObject =>
  compact({ StackId, StackStatus, StackStatusReason });

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-createstack.html */
export const createStack: Action = {
  timeout: 3600,
  async run(step) {
    if (step.progress.stack === undefined) {
      const { StackId } = await callApi(step, 'cloudformation', 'CreateStack', step.inputs);
      step.save({ stack: StackId! });
    }
    for (;;) {
      const stack = await stackOf(step, textOf(step.progress.stack!));
      const status = stack && textOf(stack.StackStatus!);
      if (status === 'CREATE_COMPLETE') return { outputs: outputsOf(stack!) };
      if (status !== 'CREATE_IN_PROGRESS')
        throw new StepFailure(
          `The stack has the status ${status ?? 'DELETE_COMPLETE'}. ${textOf(stack?.StackStatusReason ?? '')}`,
          'Verification',
        );
      await step.run.until(step.run.clock.now() + POLL, step.signal);
    }
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-deletestack.html */
export const deleteStack: Action = {
  timeout: 3600,
  async run(step) {
    const { StackName = '' } = step.inputs;
    if (step.progress.stack === undefined) {
      const { StackId = StackName } = (await stackOf(step, textOf(StackName))) ?? {};
      await callApi(step, 'cloudformation', 'DeleteStack', step.inputs);
      // A deleted stack can only be described by its id.
      step.save({ stack: StackId });
    }
    for (;;) {
      const stack = await stackOf(step, textOf(step.progress.stack!));
      if (!stack || stack.StackStatus === 'DELETE_COMPLETE') return { outputs: outputsOf(stack ?? {}) };
      if (stack.StackStatus !== 'DELETE_IN_PROGRESS')
        throw new StepFailure(`The stack has the status ${textOf(stack.StackStatus!)}.`, 'Verification');
      await step.run.until(step.run.clock.now() + POLL, step.signal);
    }
  },
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/userguide/automation-action-createtag.html */
export const createTags: Action = {
  async run(step) {
    const { ResourceType = 'EC2', ResourceIds = [], Tags = [] } = step.inputs;
    const ids = Array.isArray(ResourceIds) ? ResourceIds : [ResourceIds];
    if (ResourceType === 'EC2') await callApi(step, 'ec2', 'CreateTags', { Resources: ids, Tags });
    else
      for (const ResourceId of ids) await callApi(step, 'ssm', 'AddTagsToResource', { ResourceType, ResourceId, Tags });
    return { outputs: {} };
  },
};
