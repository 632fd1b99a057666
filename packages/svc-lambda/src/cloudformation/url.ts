import {
  defined,
  defineProvider,
  identifierOf,
  identifierParts,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { functionType, versionType } from '../resources.ts';

const GONE = 'ResourceNotFoundException';
const UNQUALIFIED = '$LATEST';

interface UrlProperties {
  AuthType: string;
  Cors?: Properties;
  InvokeMode?: string;
  Qualifier?: string;
  TargetFunctionArn: string;
}

interface EventInvokeProperties extends Properties {
  FunctionName: string;
  Qualifier: string;
}

/** Returns the function and alias of an ARN. */
function target(arn: string): { FunctionName: string; Qualifier?: string } {
  const qualified = versionType.parse(arn)?.key;
  if (qualified) return { FunctionName: qualified.name, Qualifier: qualified.version };
  return { FunctionName: functionType.parse(arn)?.key.name ?? arn };
}

const urlOf = (arn: string, ctx: ProviderContext) =>
  unless(ctx.call('lambda', 'GetFunctionUrlConfig', target(arn)), GONE);

/**
 * Function URLs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-url.html
 */
export const url: AnyResourceProvider = defineProvider<UrlProperties>({
  typeName: 'AWS::Lambda::Url',
  model,
  handles: ['AuthType', 'Cors', 'InvokeMode', 'Qualifier', 'TargetFunctionArn'],

  async create({ TargetFunctionArn, ...properties }, ctx) {
    const made = await run(ctx, 'lambda', 'CreateFunctionUrlConfig', {
      FunctionName: TargetFunctionArn,
      ...properties,
    });
    return { identifier: made.FunctionArn, attributes: pick(made, ['FunctionArn', 'FunctionUrl']) };
  },

  async read(arn, ctx) {
    const found = await urlOf(arn, ctx);
    if (!found) return undefined;
    const { FunctionName, Qualifier } = target(arn);
    return {
      properties: defined({
        ...pick(found, ['AuthType', 'InvokeMode']),
        Cors: unlessEmpty(found.Cors),
        Qualifier,
        TargetFunctionArn: functionType.arn({ name: FunctionName }, ctx),
      }) as UrlProperties,
      attributes: pick(found, ['FunctionArn', 'FunctionUrl']),
    };
  },

  async update(arn, _previous, { AuthType, Cors = {}, InvokeMode = 'BUFFERED' }, ctx) {
    await run(ctx, 'lambda', 'UpdateFunctionUrlConfig', { ...target(arn), AuthType, Cors, InvokeMode });
  },

  async delete(arn, _properties, ctx) {
    await unless(ctx.call('lambda', 'DeleteFunctionUrlConfig', target(arn)), GONE);
  },
});

/**
 * Asynchronous invocation settings.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventinvokeconfig.html
 */
export const eventInvokeConfig: AnyResourceProvider = defineProvider<EventInvokeProperties>({
  typeName: 'AWS::Lambda::EventInvokeConfig',
  model,
  handles: ['DestinationConfig', 'FunctionName', 'MaximumEventAgeInSeconds', 'MaximumRetryAttempts', 'Qualifier'],

  async create(properties, ctx) {
    await run(ctx, 'lambda', 'PutFunctionEventInvokeConfig', properties);
    return { identifier: identifierOf(properties.FunctionName, properties.Qualifier) };
  },

  async read(identifier, ctx) {
    const [FunctionName, Qualifier = UNQUALIFIED] = identifierParts(identifier, 2) as [string, string?];
    const call = ctx.call('lambda', 'GetFunctionEventInvokeConfig', { FunctionName, Qualifier });
    const found = await unless(call, GONE);
    if (!found) return undefined;
    const { DestinationConfig, MaximumEventAgeInSeconds, MaximumRetryAttempts } = found;
    const destinations = DestinationConfig?.OnFailure || DestinationConfig?.OnSuccess ? DestinationConfig : undefined;
    return {
      properties: defined({
        FunctionName,
        Qualifier,
        DestinationConfig: destinations,
        MaximumEventAgeInSeconds,
        MaximumRetryAttempts,
      }),
      attributes: {},
    };
  },

  async update(_identifier, _previous, desired, ctx) {
    // Put replaces all settings; removed ones return to their defaults.
    await run(ctx, 'lambda', 'PutFunctionEventInvokeConfig', desired);
  },

  async delete(identifier, _properties, ctx) {
    const [FunctionName, Qualifier] = identifierParts(identifier, 2) as [string, string];
    await unless(ctx.call('lambda', 'DeleteFunctionEventInvokeConfig', { FunctionName, Qualifier }), GONE);
  },
});
