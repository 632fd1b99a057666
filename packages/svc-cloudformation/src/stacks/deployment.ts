import { copyOf } from '@emu/core/service';
import type { CloudformationContext } from '../context.ts';
import type { DeploymentRecord, StackRecord } from './records.ts';
import type { Stack } from './registry.ts';

/** Returns the parts of a stack that an operation may revert. */
export function deploymentOf(stack: Stack): DeploymentRecord {
  const { templateId, parameters, tags, capabilities, notificationArns, rollbackConfiguration, roleArn, description } =
    stack;
  return copyOf({
    templateId,
    parameters,
    tags,
    capabilities,
    notificationArns,
    ...(rollbackConfiguration && { rollbackConfiguration }),
    ...(roleArn !== undefined && { roleArn }),
    ...(description !== undefined && { description }),
  }) as DeploymentRecord;
}

/** Returns a stack that is not created yet. */
export function newStack(name: string, deployment: DeploymentRecord, ctx: CloudformationContext): StackRecord {
  return {
    ...deployment,
    uuid: ctx.ids.uuid(),
    name,
    status: 'REVIEW_IN_PROGRESS',
    createdAt: ctx.clock.now(),
    outputs: [],
    imports: [],
    disableRollback: false,
    terminationProtection: false,
    tokens: [],
    lastOperations: [],
  };
}
