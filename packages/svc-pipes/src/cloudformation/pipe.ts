import {
  defined,
  defineProvider,
  differs,
  everyItem,
  omit,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { pipesError } from '../errors.ts';

const TYPE = 'AWS::Pipes::Pipe';
const GONE = 'NotFoundException';
/** Maximum length of a name. */
const NAME = { max: 64 };
const MEMBERS = [
  'DesiredState',
  'Enrichment',
  'EnrichmentParameters',
  'KmsKeyIdentifier',
  'LogConfiguration',
  'Name',
  'RoleArn',
  'Source',
  'SourceParameters',
  'Target',
  'TargetParameters',
] as const;
/** Values to which removed properties are reset. Parameters keep their values. */
const DEFAULTS: Properties = { Description: '', DesiredState: 'RUNNING', Enrichment: '', KmsKeyIdentifier: '' };

interface PipeProperties extends Properties {
  Name?: string;
  Tags?: Readonly<Record<string, string>>;
}

const pipeOf = (Name: string, ctx: ProviderContext) => unless(ctx.call('pipes', 'DescribePipe', { Name }), GONE);

/** Waits until a pipe has reached its desired state. @throws AwsError if it failed */
async function atRest(name: string, ctx: ProviderContext): Promise<void> {
  await ctx.until(
    async () => {
      const { CurrentState, StateReason } = (await pipeOf(name, ctx)) ?? {};
      if (CurrentState?.endsWith('_FAILED'))
        throw pipesError('NotStabilized', `Pipe ${name} is in the state ${CurrentState}: ${StateReason}`);
      return CurrentState === 'RUNNING' || CurrentState === 'STOPPED';
    },
    { interval: 20 },
  );
}

/**
 * Pipes. A change is complete when the pipe runs or has stopped as desired.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-pipes-pipe.html
 */
export const pipe: AnyResourceProvider = defineProvider<PipeProperties>({
  typeName: TYPE,
  model,
  handles: [...MEMBERS, 'Description', 'Tags'],

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name(NAME);
    const { Arn } = await run(ctx, 'pipes', 'CreatePipe', { ...properties, Name });
    ctx.created(Name);
    await atRest(Name, ctx);
    return { identifier: Name, attributes: { Arn } };
  },

  async read(Name, ctx) {
    const found = await pipeOf(Name, ctx);
    if (!found || found.CurrentState === 'DELETING') return undefined;
    const { Arn, CurrentState, StateReason, CreationTime, LastModifiedTime } = found;
    return {
      properties: defined({
        ...pick(found, MEMBERS),
        Description: found.Description || undefined,
        SourceParameters: unlessEmpty(found.SourceParameters as Properties | undefined),
        TargetParameters: unlessEmpty(found.TargetParameters as Properties | undefined),
        Tags: unlessEmpty(found.Tags as Record<string, string> | undefined),
      }),
      attributes: defined({
        Arn,
        CreationTime: CreationTime?.toISOString(),
        CurrentState,
        LastModifiedTime: LastModifiedTime?.toISOString(),
        StateReason,
      }),
    };
  },

  async update(Name, previous, desired, ctx) {
    if (differs(omit(previous, 'Tags'), omit(desired, 'Tags'))) {
      const gone = Object.keys(DEFAULTS).filter((name) => previous[name] !== undefined && desired[name] === undefined);
      await run(ctx, 'pipes', 'UpdatePipe', {
        ...pick(DEFAULTS, gone as never[]),
        ...omit(desired, 'Name', 'Source', 'Tags'),
        Name,
      });
      await atRest(Name, ctx);
    }
    const resourceArn = (await pipeOf(Name, ctx))!.Arn!;
    await changeTagsOf(resourceArn, { Tags: tagList(previous.Tags) }, { Tags: tagList(desired.Tags) }, ctx);
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('pipes', 'DeletePipe', { Name }), GONE);
    await ctx.until(async () => (await pipeOf(Name, ctx)) === undefined, { interval: 20 });
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('pipes', 'ListPipes', defined({ NextToken }));
      return [page.Pipes?.map((found) => found.Name!), page.NextToken] as const;
    }),
});
