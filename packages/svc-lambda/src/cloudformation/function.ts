import {
  defined,
  defineProvider,
  differs,
  everyItem,
  type Properties,
  pick,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { plainError } from '../errors.ts';
import { CODE_MEMBERS, CONFIGURATION, changedConfiguration, toApi } from './function-settings.ts';
import { inlinePackage } from './inline-code.ts';

const GONE = 'ResourceNotFoundException';
const POLL = { interval: 20 };
/** Properties passed to CreateFunction unchanged, besides updatable settings. */
const CREATION = ['Architectures', 'CodeSigningConfigArn', 'PackageType', 'TenancyConfig'];

interface FunctionProperties extends TaggedProperties {
  FunctionName?: string;
  Code: Properties;
  Runtime?: string;
  ReservedConcurrentExecutions?: number;
  RecursiveLoop?: string;
  CodeSigningConfigArn?: string;
  RuntimeManagementConfig?: Properties;
}

const configurationOf = (FunctionName: string, ctx: ProviderContext) =>
  unless(ctx.call('lambda', 'GetFunctionConfiguration', { FunctionName }), GONE);

/** Waits until the function is active and its last update is done. */
function ready(name: string, ctx: ProviderContext): Promise<void> {
  return ctx.until(async () => {
    const { State, LastUpdateStatus, StateReason, LastUpdateStatusReason } = (await configurationOf(name, ctx)) ?? {};
    if (State === 'Failed' || LastUpdateStatus === 'Failed')
      throw plainError('NotStabilized', StateReason ?? LastUpdateStatusReason ?? `Function ${name} failed`);
    return State !== 'Pending' && LastUpdateStatus !== 'InProgress';
  }, POLL);
}

/** Returns the code as operation input: inline text becomes a package. */
function codeOf({ Code, Runtime }: FunctionProperties): Properties {
  const { ZipFile, ...code } = pick(Code, CODE_MEMBERS);
  return ZipFile ? { ...code, ZipFile: inlinePackage(String(ZipFile), Runtime) } : code;
}

/** Applies settings that have their own operations. */
async function changeBesides(
  FunctionName: string,
  previous: Partial<FunctionProperties>,
  desired: FunctionProperties,
  ctx: ProviderContext,
): Promise<void> {
  const { ReservedConcurrentExecutions, RecursiveLoop, RuntimeManagementConfig, CodeSigningConfigArn } = desired;
  if (previous.ReservedConcurrentExecutions !== ReservedConcurrentExecutions)
    await (ReservedConcurrentExecutions === undefined
      ? ctx.call('lambda', 'DeleteFunctionConcurrency', { FunctionName })
      : ctx.call('lambda', 'PutFunctionConcurrency', { FunctionName, ReservedConcurrentExecutions }));
  if (previous.RecursiveLoop !== RecursiveLoop)
    await run(ctx, 'lambda', 'PutFunctionRecursionConfig', {
      FunctionName,
      RecursiveLoop: RecursiveLoop ?? 'Terminate',
    });
  if (!sameValue(previous.RuntimeManagementConfig, RuntimeManagementConfig))
    await run(ctx, 'lambda', 'PutRuntimeManagementConfig', {
      FunctionName,
      ...(RuntimeManagementConfig ?? { UpdateRuntimeOn: 'Auto' }),
    });
  if (previous.Code && previous.CodeSigningConfigArn !== CodeSigningConfigArn)
    await (CodeSigningConfigArn === undefined
      ? ctx.call('lambda', 'DeleteFunctionCodeSigningConfig', { FunctionName })
      : ctx.call('lambda', 'PutFunctionCodeSigningConfig', { FunctionName, CodeSigningConfigArn }));
}

/** Returns the function settings as templates write them. */
function settingsOf(found: NonNullable<Awaited<ReturnType<typeof configurationOf>>>): Properties {
  const { SubnetIds, SecurityGroupIds, Ipv6AllowedForDualStack } = found.VpcConfig ?? {};
  return defined({
    ...pick(found, [...Object.keys(CONFIGURATION), ...CREATION] as never[]),
    Description: found.Description || undefined,
    Environment: unlessEmpty(found.Environment?.Variables) && pick(found.Environment!, ['Variables']),
    ImageConfig: unlessEmpty(found.ImageConfigResponse?.ImageConfig),
    KmsKeyArn: found.KMSKeyArn || undefined,
    Layers: unlessEmpty(found.Layers?.map(({ Arn }) => Arn!)),
    DeadLetterConfig: found.DeadLetterConfig?.TargetArn ? found.DeadLetterConfig : undefined,
    SnapStart: found.SnapStart && pick(found.SnapStart, ['ApplyOn']),
    VpcConfig: SubnetIds?.length ? defined({ SubnetIds, SecurityGroupIds, Ipv6AllowedForDualStack }) : undefined,
  });
}

/**
 * Functions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-function.html
 */
export const lambdaFunction: AnyResourceProvider = defineProvider<FunctionProperties>({
  typeName: 'AWS::Lambda::Function',
  model,
  handles: [
    ...Object.keys(CONFIGURATION),
    ...CREATION,
    'Code.ImageUri',
    'Code.S3Bucket',
    'Code.S3Key',
    'Code.S3ObjectVersion',
    'Code.SourceKMSKeyArn',
    'Code.ZipFile',
    'FunctionName',
    'RecursiveLoop',
    'ReservedConcurrentExecutions',
    'RuntimeManagementConfig',
    'Tags',
  ],

  async create(properties, ctx) {
    const FunctionName = properties.FunctionName ?? ctx.name();
    const made = await run(ctx, 'lambda', 'CreateFunction', {
      FunctionName,
      ...toApi(pick(properties, [...Object.keys(CONFIGURATION), ...CREATION])),
      Code: codeOf(properties),
      Tags: tagMap(properties.Tags),
    });
    ctx.created(FunctionName);
    await ready(FunctionName, ctx);
    await changeBesides(FunctionName, {}, properties, ctx);
    return { identifier: FunctionName, attributes: { Arn: made.FunctionArn } };
  },

  async read(FunctionName, ctx) {
    const found = await configurationOf(FunctionName, ctx);
    if (!found) return undefined;
    const Arn = found.FunctionArn!;
    const { Tags } = await ctx.call('lambda', 'ListTags', { Resource: Arn });
    const concurrency = await ctx.call('lambda', 'GetFunctionConcurrency', { FunctionName });
    const recursion = await ctx.call('lambda', 'GetFunctionRecursionConfig', { FunctionName });
    const runtime = await ctx.call('lambda', 'GetRuntimeManagementConfig', { FunctionName });
    const signing =
      found.PackageType === 'Image'
        ? undefined
        : await ctx.call('lambda', 'GetFunctionCodeSigningConfig', { FunctionName });
    return {
      properties: defined({
        FunctionName,
        ...settingsOf(found),
        CodeSigningConfigArn: signing?.CodeSigningConfigArn || undefined,
        RecursiveLoop: recursion.RecursiveLoop,
        ReservedConcurrentExecutions: concurrency.ReservedConcurrentExecutions,
        RuntimeManagementConfig: pick(runtime, ['RuntimeVersionArn', 'UpdateRuntimeOn']),
        Tags: tagList(Tags),
      }) as unknown as FunctionProperties,
      attributes: defined({
        Arn,
        SnapStartResponse: found.SnapStart,
        'SnapStartResponse.ApplyOn': found.SnapStart?.ApplyOn,
        'SnapStartResponse.OptimizationStatus': found.SnapStart?.OptimizationStatus,
      }),
    };
  },

  async update(FunctionName, previous, desired, ctx) {
    // A change of the runtime's language repackages inline code.
    if (differs(previous, desired, 'Code', 'Architectures') || !sameValue(codeOf(previous), codeOf(desired))) {
      await run(ctx, 'lambda', 'UpdateFunctionCode', {
        FunctionName,
        ...codeOf(desired),
        Architectures: desired.Architectures ?? (previous.Architectures ? ['x86_64'] : undefined),
      });
      await ready(FunctionName, ctx);
    }
    const settings = changedConfiguration(FunctionName, previous, desired);
    if (settings) {
      await run(ctx, 'lambda', 'UpdateFunctionConfiguration', { FunctionName, ...settings });
      await ready(FunctionName, ctx);
    }
    await changeBesides(FunctionName, previous, desired, ctx);
    if (differs(previous, desired, 'Tags')) {
      const Resource = (await configurationOf(FunctionName, ctx))!.FunctionArn!;
      await changeTagsOf(Resource, previous, desired, ctx);
    }
  },

  async delete(FunctionName, _properties, ctx) {
    await unless(ctx.call('lambda', 'DeleteFunction', { FunctionName }), GONE);
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('lambda', 'ListFunctions', defined({ Marker }));
      return [page.Functions?.map((found) => found.FunctionName!), page.NextMarker] as const;
    }),
});
