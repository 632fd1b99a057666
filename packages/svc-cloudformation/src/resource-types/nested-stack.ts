import type { ProviderContext, ResourceValues } from '@emu/core/service';
import type { Parameter, Tag } from '@emu/service-types/cloudformation';
import { AwsError, textOf } from '@emu/wire';
import { invalid, isNoChangesReason } from '../errors.ts';
import type { ChangeSet, Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import type { OwnProvider } from './own.ts';

const TYPE = 'AWS::CloudFormation::Stack';
/** Capabilities of a nested stack, which are acknowledged through its parent. */
const CAPABILITIES = ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'] as const;

/** Maximum levels of nested stacks. */
const MAX_LEVELS = 20;
/** Maximum number of nested stacks below one root. */
const MAX_NESTED = 500;

/**
 * Returns why a stack can have no further nested stack; undefined if it can. A template can contain itself, and AWS
 * limits only the number of all stacks, which is not enforced by default.
 */
export function nestingProblem(state: StackStore, parent: Stack): string | undefined {
  let levels = 1;
  for (let outer = parent; outer.parentId !== undefined; levels++) {
    const next = state.find(outer.parentId);
    if (!next) break;
    outer = next;
  }
  if (levels > MAX_LEVELS) return `Stacks may be nested ${MAX_LEVELS} levels deep`;
  const root = parent.rootId ?? state.arn(parent);
  const count = state.activeStacks().filter(({ rootId }) => rootId === root).length;
  return count < MAX_NESTED ? undefined : `A root stack may have ${MAX_NESTED} nested stacks`;
}

interface NestedProperties {
  TemplateURL: string;
  Parameters?: Record<string, unknown>;
  Tags?: Tag[];
  NotificationARNs?: string[];
  TimeoutInMinutes?: number;
}

/** Converts the properties to input of stack operations. */
export function nestedInput(properties: ResourceValues) {
  const {
    TemplateURL,
    Parameters = {},
    Tags = [],
    NotificationARNs,
    TimeoutInMinutes,
  } = properties as unknown as NestedProperties;
  const parameters = Object.entries(Parameters).map(
    ([ParameterKey, value]): Parameter => ({
      ParameterKey,
      ParameterValue: Array.isArray(value) ? value.map(textOf).join(',') : textOf(value),
    }),
  );
  return {
    TemplateURL,
    Parameters: parameters,
    Tags,
    Capabilities: [...CAPABILITIES],
    ...(NotificationARNs && { NotificationARNs }),
    ...(TimeoutInMinutes !== undefined && { TimeoutInMinutes }),
  };
}

const omitTimeout = ({ TimeoutInMinutes: _, ...input }: ReturnType<typeof nestedInput>) => input;

/** Dependencies of nested stacks. */
export interface NestedStores {
  readonly stacks: StackStore;
  /** Resolves when the operation on a stack has ended. */
  settled(uuid: string): Promise<void>;
  /** Cancels the creation or update of a stack. */
  stop(uuid: string): void;
}

const attributesOf = ({ outputs }: Stack): Record<string, unknown> =>
  Object.fromEntries(outputs.map(({ key, value }) => [`Outputs.${key}`, value]));

/**
 * Nested stacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-stack.html
 */
export function nestedStack({ stacks: state, settled: ended, stop }: NestedStores): OwnProvider {
  /**
   * Waits for the operation on a stack, and cancels it when the resource is cancelled.
   * @throws Error if it failed; the signal's reason
   */
  async function settled(uuid: string, verb: string, good: RegExp, signal: AbortSignal): Promise<Stack> {
    const cancel = (): void => stop(uuid);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    await ended(uuid).finally(() => signal.removeEventListener('abort', cancel));
    signal.throwIfAborted();
    const stack = state.stack(uuid)!;
    if (!good.test(stack.status))
      throw new Error(`Embedded stack ${state.arn(stack)} was not successfully ${verb}: ${failureOf(stack)}`);
    return stack;
  }

  function failureOf(stack: Stack): string {
    const failed = state
      .events(stack.uuid)
      .find(
        ({ event }) => event.type === TYPE && event.physicalId === state.arn(stack) && event.reason?.includes('failed'),
      );
    return failed?.event.reason ?? stack.reason ?? stack.status;
  }

  async function create(properties: ResourceValues, ctx: ProviderContext): Promise<Stack> {
    const StackName = ctx.name({ max: 128 });
    const parent = state.find(ctx.stack!.id)!;
    const reviewed = state.reviewedIn(ctx.stack!.id, ctx.stack!.logicalId);
    const known = announced(reviewed);
    if (reviewed && known)
      return execute({ ...reviewed, disableRollback: parent.disableRollback }, known, properties, ctx);
    const started = state.find(StackName);
    if (!started || started.parentId !== ctx.stack!.id) {
      const problem = nestingProblem(state, parent);
      if (problem !== undefined) throw invalid(problem);
      await ctx.call('cloudformation', 'CreateStack', {
        StackName,
        DisableRollback: parent.disableRollback,
        ...nestedInput(properties),
      });
      state.updateStack(state.find(StackName)!.uuid, (draft) => {
        draft.parentId = ctx.stack!.id;
        draft.rootId = parent.rootId ?? ctx.stack!.id;
      });
    }
    const { uuid } = state.find(StackName)!;
    ctx.created(state.arn({ name: StackName, uuid }));
    return settled(uuid, 'created', /^CREATE_COMPLETE$/, ctx.signal);
  }

  /**
   * Creates or updates a stack as announced by the parent's change set, with the values that are known now.
   * @param known its own change set
   */
  async function execute(
    { uuid, name: StackName, disableRollback }: Stack,
    known: ChangeSet,
    properties: ResourceValues,
    ctx: ProviderContext,
  ): Promise<Stack> {
    const { name: ChangeSetName, type: ChangeSetType, deploymentMode } = known;
    state.deleteChangeSet(known.uuid);
    const input = omitTimeout(nestedInput(properties));
    const about = { StackName, ChangeSetName };
    await ctx.call('cloudformation', 'CreateChangeSet', {
      ...about,
      ChangeSetType,
      IncludeNestedStacks: true,
      ...(deploymentMode !== undefined && { DeploymentMode: deploymentMode }),
      ...input,
    });
    const { ExecutionStatus, StatusReason } = await ctx.call('cloudformation', 'DescribeChangeSet', about);
    ctx.created(state.arn({ name: StackName, uuid }));
    if (ExecutionStatus !== 'AVAILABLE') {
      if (isNoChangesReason(StatusReason)) return state.stack(uuid)!;
      throw new Error(StatusReason);
    }
    await ctx.call('cloudformation', 'ExecuteChangeSet', { ...about, DisableRollback: disableRollback });
    return ChangeSetType === 'CREATE'
      ? settled(uuid, 'created', /^CREATE_COMPLETE$/, ctx.signal)
      : settled(uuid, 'updated', /^UPDATE_COMPLETE$/, ctx.signal);
  }

  /** Returns the nested change set created for a change set of the parent. */
  const announced = (stack: Stack | undefined): ChangeSet | undefined =>
    stack && state.changeSetsIn(stack.uuid).find(({ parent, execution }) => parent && execution === 'AVAILABLE');

  return {
    typeName: TYPE,
    facts: {
      primaryIdentifier: ['StackId'],
      attributes: {},
      tags: { property: 'Tags', form: 'list' },
      name: { property: 'StackName', max: 128 },
      properties: {
        TemplateURL: { type: 'string', required: true },
        Parameters: { type: { map: { union: ['string', { list: 'string' }] } } },
        Tags: { type: { list: 'tag' } },
        NotificationARNs: { type: { list: 'string' } },
        TimeoutInMinutes: { type: 'integer' },
      },
    },
    handles: ['TemplateURL', 'Parameters', 'Tags', 'NotificationARNs', 'TimeoutInMinutes'],
    async create(properties, ctx) {
      const stack = await create(properties, ctx);
      return { identifier: state.arn(stack), attributes: attributesOf(stack) };
    },
    async read(identifier) {
      const stack = state.find(identifier);
      return stack && stack.status !== 'DELETE_COMPLETE'
        ? { properties: {}, attributes: attributesOf(stack) }
        : undefined;
    },
    update: async () => undefined,
    async exchange(identifier, _previous, desired, ctx) {
      const input = omitTimeout(nestedInput(desired));
      const stack = state.find(identifier)!;
      const { uuid } = stack;
      const known = announced(stack);
      if (known) return { identifier, attributes: attributesOf(await execute(stack, known, desired, ctx)) };
      try {
        await ctx.call('cloudformation', 'UpdateStack', { StackName: identifier, ...input });
        await settled(uuid, 'updated', /^UPDATE_COMPLETE$/, ctx.signal);
      } catch (error) {
        if (!(error instanceof AwsError) || error.message !== 'No updates are to be performed.') throw error;
      }
      return { identifier, attributes: attributesOf(state.stack(uuid)!) };
    },
    async delete(identifier, _properties, ctx) {
      const stack = state.find(identifier);
      if (!stack || stack.status === 'DELETE_COMPLETE') return;
      await ended(stack.uuid);
      await ctx.call('cloudformation', 'DeleteStack', { StackName: identifier });
      await settled(stack.uuid, 'deleted', /^DELETE_COMPLETE$/, ctx.signal);
    },
    async list(ctx) {
      return ctx ? state.activeStacks().map((stack) => state.arn(stack)) : [];
    },
  };
}
