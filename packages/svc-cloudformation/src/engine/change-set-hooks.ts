import type { CloudformationContext } from '../context.ts';
import { HooksFailed, invokeHooks } from '../hooks/runner.ts';
import type { DeploymentRecord } from '../stacks/records.ts';
import type { Stack } from '../stacks/registry.ts';
import type { Plan } from './plan.ts';

/** A change set before it is created. */
export interface Proposed {
  readonly stack: Stack;
  /** The stack that it updates; undefined if it creates one. */
  readonly base: Stack | undefined;
  readonly target: DeploymentRecord;
  readonly plan: Plan | undefined;
  readonly id: string;
}

const HOOKED_ACTIONS: Readonly<Record<string, string>> = {
  Add: 'CREATE',
  Modify: 'UPDATE',
  Remove: 'DELETE',
  Import: 'IMPORT',
};

/**
 * Invokes change set hooks before the response to the creating request. Functions read the templates and changes from a
 * URL.
 * @returns why the change set must not be executed
 */
export async function refusedByHooks(
  { stack, base, target, plan, id }: Proposed,
  ctx: CloudformationContext,
): Promise<string | undefined> {
  const { state } = ctx;
  const changedResources = (plan?.detailed ?? []).map(({ ResourceChange: change = {} }) => ({
    logicalResourceId: change.LogicalResourceId,
    resourceType: change.ResourceType,
    action: HOOKED_ACTIONS[change.Action ?? ''],
    ...(change.BeforeContext !== undefined && { beforeContext: change.BeforeContext }),
    ...(change.AfterContext !== undefined && { afterContext: change.AfterContext }),
  }));
  const previous = base && state.template(base.templateId)?.body;
  try {
    await invokeHooks(
      {
        accountId: ctx.accountId,
        region: ctx.region,
        clock: ctx.clock,
        ids: ctx.ids,
        service: ctx.handle,
        call: (service, operation, input, options) => ctx.call(service, operation, input, options),
        registry: state.registry,
      },
      {
        facts: {
          operation: 'CHANGE_SET',
          action: base ? 'UPDATE' : 'CREATE',
          stackName: stack.name,
          roleArn: target.roleArn,
        },
        targetName: 'CHANGE_SET',
        targetId: id,
        stackId: state.arn(stack),
        changeSetId: id,
        payload: {
          template: state.template(target.templateId)?.body,
          ...(previous !== undefined && { previousTemplate: previous }),
          changedResources,
        },
        caller: ctx.principal,
        cause: ctx.requestId,
        signal: ctx.signal,
      },
    );
    return undefined;
  } catch (error) {
    if (error instanceof HooksFailed) return error.message;
    throw error;
  }
}
