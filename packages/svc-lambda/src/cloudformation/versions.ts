import { defined, defineProvider, everyItem, type Properties, pick, run, sameValue, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { plainError } from '../errors.ts';
import { aliasType, versionType } from '../resources.ts';

const GONE = 'ResourceNotFoundException';
const NONE = 'ProvisionedConcurrencyConfigNotFoundException';

interface Concurrency {
  ProvisionedConcurrentExecutions: number;
}

interface VersionProperties {
  CodeSha256?: string;
  Description?: string;
  FunctionName: string;
  ProvisionedConcurrencyConfig?: Concurrency;
  RuntimePolicy?: { UpdateRuntimeOn: string; RuntimeVersionArn?: string };
}

interface AliasProperties {
  Description?: string;
  FunctionName: string;
  FunctionVersion: string;
  Name: string;
  ProvisionedConcurrencyConfig?: Concurrency;
  RoutingConfig?: { AdditionalVersionWeights?: readonly { FunctionVersion: string; FunctionWeight: number }[] };
}

/** Waits until a published version is active: with SnapStart, until its snapshot is taken. */
function active(FunctionName: string, Qualifier: string, ctx: ProviderContext): Promise<void> {
  return ctx.until(
    async () => {
      const { State, StateReason } = await ctx.call('lambda', 'GetFunctionConfiguration', { FunctionName, Qualifier });
      if (State === 'Failed') throw plainError('NotStabilized', StateReason ?? `Version ${Qualifier} failed`);
      return State !== 'Pending';
    },
    { interval: 20 },
  );
}

/** Sets or removes the provisioned concurrency of a version or alias, and waits until it is ready. */
async function changeConcurrency(
  FunctionName: string,
  Qualifier: string,
  previous: Concurrency | undefined,
  desired: Concurrency | undefined,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(previous, desired)) return;
  if (!desired) {
    await ctx.call('lambda', 'DeleteProvisionedConcurrencyConfig', { FunctionName, Qualifier });
    return;
  }
  await run(ctx, 'lambda', 'PutProvisionedConcurrencyConfig', { FunctionName, Qualifier, ...desired });
  await ctx.until(
    async () => {
      const { Status, StatusReason } = await ctx.call('lambda', 'GetProvisionedConcurrencyConfig', {
        FunctionName,
        Qualifier,
      });
      if (Status === 'FAILED') throw plainError('NotStabilized', StatusReason ?? 'Provisioned concurrency failed');
      return Status === 'READY';
    },
    { interval: 20 },
  );
}

async function concurrencyOf(FunctionName: string, Qualifier: string, ctx: ProviderContext) {
  const call = ctx.call('lambda', 'GetProvisionedConcurrencyConfig', { FunctionName, Qualifier });
  const count = (await unless(call, NONE))?.RequestedProvisionedConcurrentExecutions;
  return count === undefined ? undefined : { ProvisionedConcurrentExecutions: count };
}

const versionsOf = (FunctionName: string, ctx: ProviderContext) =>
  everyItem(async (Marker) => {
    const page = await ctx.call('lambda', 'ListVersionsByFunction', defined({ FunctionName, Marker }));
    return [page.Versions?.map(({ Version }) => Version!), page.NextMarker] as const;
  });

/**
 * Function versions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-version.html
 */
export const version: AnyResourceProvider = defineProvider<VersionProperties>({
  typeName: 'AWS::Lambda::Version',
  model,
  handles: ['CodeSha256', 'Description', 'FunctionName', 'ProvisionedConcurrencyConfig', 'RuntimePolicy'],

  async create(properties, ctx) {
    const { FunctionName, ProvisionedConcurrencyConfig, RuntimePolicy } = properties;
    const before = await versionsOf(FunctionName, ctx);
    const made = await run(
      ctx,
      'lambda',
      'PublishVersion',
      pick(properties, ['CodeSha256', 'Description', 'FunctionName']),
    );
    const Version = made.Version!;
    // Lambda returns the latest version if nothing has changed since.
    if (before.includes(Version))
      throw plainError(
        'AlreadyExists',
        `A version for this Lambda function exists ( ${Version} ). Modify the function to create a new version.`,
      );
    const identifier = made.FunctionArn!;
    ctx.created(identifier);
    await active(FunctionName, Version, ctx);
    if (RuntimePolicy)
      await run(ctx, 'lambda', 'PutRuntimeManagementConfig', { FunctionName, Qualifier: Version, ...RuntimePolicy });
    await changeConcurrency(FunctionName, Version, undefined, ProvisionedConcurrencyConfig, ctx);
    return { identifier, attributes: { FunctionArn: identifier, Version } };
  },

  async read(arn, ctx) {
    const { name, version: Qualifier } = versionType.parse(arn)!.key;
    const call = ctx.call('lambda', 'GetFunctionConfiguration', { FunctionName: name, Qualifier });
    const found = await unless(call, GONE);
    if (!found) return undefined;
    const runtime = await ctx.call('lambda', 'GetRuntimeManagementConfig', { FunctionName: name, Qualifier });
    return {
      properties: defined({
        FunctionName: name,
        CodeSha256: found.CodeSha256,
        Description: found.Description || undefined,
        ProvisionedConcurrencyConfig: await concurrencyOf(name, Qualifier, ctx),
        RuntimePolicy: pick(runtime, ['RuntimeVersionArn', 'UpdateRuntimeOn']),
      }) as VersionProperties,
      attributes: { FunctionArn: arn, Version: Qualifier },
    };
  },

  async delete(arn, _properties, ctx) {
    const { name, version: Qualifier } = versionType.parse(arn)!.key;
    await unless(ctx.call('lambda', 'DeleteFunction', { FunctionName: name, Qualifier }), GONE);
  },
});

/** Returns the input of CreateAlias and UpdateAlias besides the names. */
function aliasInput({ Description = '', FunctionVersion, RoutingConfig }: AliasProperties): Properties {
  const weights = RoutingConfig?.AdditionalVersionWeights ?? [];
  return {
    Description,
    FunctionVersion,
    RoutingConfig: {
      AdditionalVersionWeights: Object.fromEntries(
        weights.map((weight) => [weight.FunctionVersion, weight.FunctionWeight]),
      ),
    },
  };
}

/**
 * Aliases.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-alias.html
 */
export const alias: AnyResourceProvider = defineProvider<AliasProperties>({
  typeName: 'AWS::Lambda::Alias',
  model,
  handles: ['Description', 'FunctionName', 'FunctionVersion', 'Name', 'ProvisionedConcurrencyConfig', 'RoutingConfig'],

  async create(properties, ctx) {
    const { FunctionName, Name, ProvisionedConcurrencyConfig } = properties;
    const made = await run(ctx, 'lambda', 'CreateAlias', { FunctionName, Name, ...aliasInput(properties) });
    const identifier = made.AliasArn!;
    ctx.created(identifier);
    await changeConcurrency(FunctionName, Name, undefined, ProvisionedConcurrencyConfig, ctx);
    return { identifier, attributes: { AliasArn: identifier } };
  },

  async read(arn, ctx) {
    const { name: FunctionName, alias: Name } = aliasType.parse(arn)!.key;
    const found = await unless(ctx.call('lambda', 'GetAlias', { FunctionName, Name }), GONE);
    if (!found) return undefined;
    const weights = Object.entries(found.RoutingConfig?.AdditionalVersionWeights ?? {});
    return {
      properties: defined({
        FunctionName,
        Name,
        FunctionVersion: found.FunctionVersion!,
        Description: found.Description || undefined,
        ProvisionedConcurrencyConfig: await concurrencyOf(FunctionName, Name, ctx),
        RoutingConfig: weights.length
          ? {
              AdditionalVersionWeights: weights.map(([FunctionVersion, FunctionWeight]) => ({
                FunctionVersion,
                FunctionWeight: FunctionWeight!,
              })),
            }
          : undefined,
      }) as AliasProperties,
      attributes: { AliasArn: arn },
    };
  },

  async update(arn, previous, desired, ctx) {
    const { name: FunctionName, alias: Name } = aliasType.parse(arn)!.key;
    const before = aliasInput(previous);
    const after = aliasInput(desired);
    if (!sameValue(before, after)) await run(ctx, 'lambda', 'UpdateAlias', { FunctionName, Name, ...after });
    const { ProvisionedConcurrencyConfig } = desired;
    await changeConcurrency(
      FunctionName,
      Name,
      previous.ProvisionedConcurrencyConfig,
      ProvisionedConcurrencyConfig,
      ctx,
    );
  },

  async delete(arn, _properties, ctx) {
    const { name: FunctionName, alias: Name } = aliasType.parse(arn)!.key;
    await unless(ctx.call('lambda', 'DeleteAlias', { FunctionName, Name }), GONE);
  },
});
