import type { ProviderContext, ResourceValues } from '@emu/core';
import type { Parameter, Tag } from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import type { Stack } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { textOf } from '../templates/values.ts';
import type { OwnProvider } from './own.ts';

const TYPE = 'AWS::CloudFormation::Stack';
/** What a nested stack may do is acknowledged for the stack that it is in. */
const CAPABILITIES = ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'] as const;

interface NestedProperties {
  TemplateURL: string;
  Parameters?: Record<string, unknown>;
  Tags?: Tag[];
  NotificationARNs?: string[];
  TimeoutInMinutes?: number;
}

function inputOf(properties: ResourceValues) {
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

const attributesOf = ({ outputs }: Stack): Record<string, unknown> =>
  Object.fromEntries(outputs.map(({ key, value }) => [`Outputs.${key}`, value]));

/**
 * Stacks in stacks.
 * @param ended resolves when the operation on a stack has ended
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-stack.html
 */
export function nestedStack(state: StackStore, ended: (uuid: string) => Promise<void>): OwnProvider {
  /** Waits for the operation on a stack. @throws Error where it did not end well */
  async function settled(uuid: string, verb: string, good: RegExp): Promise<Stack> {
    await ended(uuid);
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
    const started = state.find(StackName);
    if (!started || started.parentId !== ctx.stack!.id) {
      await ctx.call('cloudformation', 'CreateStack', {
        StackName,
        DisableRollback: parent.disableRollback,
        ...inputOf(properties),
      });
      state.updateStack(state.find(StackName)!.uuid, (draft) => {
        draft.parentId = ctx.stack!.id;
        draft.rootId = parent.rootId ?? ctx.stack!.id;
      });
    }
    const { uuid } = state.find(StackName)!;
    ctx.created(state.arn({ name: StackName, uuid }));
    return settled(uuid, 'created', /^CREATE_COMPLETE$/);
  }

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
      const { TimeoutInMinutes: _, ...input } = inputOf(desired);
      const { uuid } = state.find(identifier)!;
      try {
        await ctx.call('cloudformation', 'UpdateStack', { StackName: identifier, ...input });
        await settled(uuid, 'updated', /^UPDATE_COMPLETE$/);
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
      await settled(stack.uuid, 'deleted', /^DELETE_COMPLETE$/);
    },
    async list(ctx) {
      return ctx ? state.activeStacks().map((stack) => state.arn(stack)) : [];
    },
  };
}
