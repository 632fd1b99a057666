import { defined, defineProvider, pick, type TaggedProperties, unless, unlessEmpty } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import { cloudformationError } from '../errors.ts';
import { FACTS, MODEL } from './facts.ts';

const SERVICE = 'cloudformation';
const TYPE = 'AWS::CloudFormation::ChangeSet';
const GONE = 'ChangeSetNotFoundException';

interface ChangeSetProperties extends TaggedProperties {
  readonly ChangeSetName: string;
  readonly StackName: string;
}

/**
 * Change sets for other stacks; the stack only creates them. A change set without changes fails, and the resource fails
 * with it. Each property change replaces the change set.
 */
export const changeSet: AnyResourceProvider = defineProvider<ChangeSetProperties>({
  typeName: TYPE,
  model: MODEL,
  handles: Object.keys(FACTS[TYPE]!.properties),

  async create(properties, ctx) {
    const { Id } = await ctx.call(SERVICE, 'CreateChangeSet', properties as never);
    ctx.created(Id!);
    let reason: string | undefined;
    await ctx.until(
      async () => {
        const { Status, StatusReason } = await ctx.call(SERVICE, 'DescribeChangeSet', { ChangeSetName: Id! });
        if (Status === 'FAILED') reason = StatusReason ?? 'FAILED';
        return Status === 'CREATE_COMPLETE' || Status === 'FAILED';
      },
      { interval: 20 },
    );
    if (reason !== undefined)
      throw cloudformationError('GeneralServiceException', `The change set was not created: ${reason}`);
    return { identifier: Id! };
  },

  async read(ChangeSetName, ctx) {
    const found = await unless(ctx.call(SERVICE, 'DescribeChangeSet', { ChangeSetName }), GONE);
    if (!found) return undefined;
    return {
      properties: defined({
        ...pick(found, [
          'ChangeSetName',
          'StackName',
          'Description',
          'IncludeNestedStacks',
          'OnStackFailure',
          'ImportExistingResources',
          'DeploymentMode',
        ]),
        Capabilities: unlessEmpty(found.Capabilities),
        NotificationARNs: unlessEmpty(found.NotificationARNs),
        Tags: unlessEmpty(found.Tags),
      }) as object as ChangeSetProperties,
      attributes: {
        ChangeSetId: ChangeSetName,
        StackId: found.StackId!,
        CreationTime: new Date(found.CreationTime as unknown as number | string).toISOString(),
      },
    };
  },

  async delete(ChangeSetName, _properties, ctx) {
    await unless(ctx.call(SERVICE, 'DeleteChangeSet', { ChangeSetName }), GONE);
  },
});
