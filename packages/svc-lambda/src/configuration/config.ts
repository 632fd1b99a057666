import {
  isBlank,
  notEmulated,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  parseArn,
} from '@emu/core/service';
import type {
  CreateFunctionRequest,
  LoggingConfig,
  UpdateFunctionConfigurationRequest,
} from '@emu/service-types/lambda';
import { AwsError, constraintText } from '@emu/wire';
import { layerReferences } from '../code/layers.ts';
import { layerDifferences } from '../code/public-layers.ts';
import { checkRuntime, checkSnapStart } from '../code/runtimes.ts';
import type { LambdaContext } from '../context.ts';
import { invalidParameterValue, validationException } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { VersionConfig } from '../records.ts';
import type { LambdaState } from '../state.ts';
import { checkCapacityProvider } from './capacity.ts';
import { checkEnvironment } from './environment.ts';

type VpcConfig = NonNullable<VersionConfig['vpcConfig']>;

/**
 * Returns the configuration of a new function with Lambda's defaults.
 * @throws AwsError `InvalidParameterValueException`, `ValidationException`
 */
export async function newConfig(input: CreateFunctionRequest, ctx: LambdaContext): Promise<VersionConfig> {
  const { PackageType: packageType = 'Zip' } = input;
  if (packageType === 'Zip') {
    if (input.Code.ImageUri !== undefined)
      throw invalidParameterValue('Please do not provide ImageUri when creating a function with packageType Zip.');
    if (input.Runtime === undefined || input.Handler === undefined)
      throw invalidParameterValue(
        'Runtime and Handler are mandatory parameters for functions created with deployment packages.',
      );
  } else if (input.Code.ImageUri === undefined)
    throw invalidParameterValue('Please provide ImageUri when creating a function with packageType Image.');
  const config: VersionConfig = {
    role: input.Role,
    packageType,
    description: '',
    timeout: 3,
    memorySize: 128,
    architectures: input.Architectures ?? ['x86_64'],
    ephemeralStorage: { Size: 512 },
    tracingMode: 'PassThrough',
    layers: [],
    loggingConfig: { LogFormat: 'Text', LogGroup: `/aws/lambda/${input.FunctionName}` },
    snapStart: 'None',
    ...(input.TenancyConfig && { tenancy: input.TenancyConfig }),
  };
  return changedConfig(config, input, ctx);
}

/** Settings of both CreateFunction and UpdateFunctionConfiguration. */
export type ConfigChanges = Omit<UpdateFunctionConfigurationRequest, 'FunctionName' | 'RevisionId'>;

/**
 * Applies a request to a configuration. The caller resolves layers once the code is known.
 * @throws AwsError `InvalidParameterValueException`, `ValidationException`
 */
export async function changedConfig(
  current: VersionConfig,
  input: ConfigChanges,
  ctx: LambdaContext,
): Promise<VersionConfig> {
  checkPackageType(current, input);
  const config: VersionConfig = { ...current };
  if (input.Runtime !== undefined) {
    checkRuntime(input.Runtime);
    config.runtime = input.Runtime;
  }
  config.role = input.Role ?? current.role;
  config.handler = input.Handler ?? current.handler;
  config.description = input.Description ?? current.description;
  config.timeout = input.Timeout ?? current.timeout;
  config.memorySize = input.MemorySize ?? current.memorySize;
  config.tracingMode = input.TracingConfig?.Mode ?? current.tracingMode;
  config.ephemeralStorage = input.EphemeralStorage ?? current.ephemeralStorage;
  config.snapStart = input.SnapStart?.ApplyOn ?? current.snapStart;
  config.capacityProvider = input.CapacityProviderConfig ?? current.capacityProvider;
  config.fileSystems = input.FileSystemConfigs ?? current.fileSystems;
  if (input.DurableConfig) config.durable = { RetentionPeriodInDays: 14, ...current.durable, ...input.DurableConfig };
  if (input.KMSKeyArn !== undefined) config.kmsKeyArn = input.KMSKeyArn || undefined;
  if (input.Environment) {
    const { Variables = {} } = input.Environment;
    checkEnvironment(Variables);
    // A function is created with an empty environment, but an update to one removes it.
    config.environment = current.environment && Object.keys(Variables).length === 0 ? undefined : Variables;
  }
  if (input.ImageConfig) config.imageConfig = isBlank(input.ImageConfig) ? undefined : input.ImageConfig;
  if (input.DeadLetterConfig) config.deadLetterTarget = deadLetterTarget(input.DeadLetterConfig.TargetArn);
  if (input.LoggingConfig) config.loggingConfig = loggingConfig(current.loggingConfig, input.LoggingConfig);
  if (input.VpcConfig) config.vpcConfig = await vpcConfig(current.vpcConfig, input.VpcConfig, ctx);
  checkTogether(config, ctx.state);
  return config;
}

/** Rejects settings of the other package type. */
function checkPackageType({ packageType }: VersionConfig, input: ConfigChanges): void {
  if (packageType === 'Zip') {
    if (!isBlank(input.ImageConfig ?? {}))
      throw invalidParameterValue('ImageConfig is not supported for functions of package type Zip.');
    return;
  }
  if (input.Runtime !== undefined || input.Handler !== undefined || input.Layers?.length)
    throw invalidParameterValue(
      "Please don't provide Handler or Runtime or Layer when the intended function PackageType is IMAGE.",
    );
}

/**
 * Maximum MB of ephemeral storage with SnapStart. @see
 * @see https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html#snapstart-runtimes
 */
const SNAP_START_STORAGE = 512;

/** Validates a configuration as a whole. */
function checkTogether(config: VersionConfig, state: LambdaState): void {
  const { timeout, memorySize, capacityProvider, fileSystems, vpcConfig: vpc, snapStart } = config;
  if (timeout > LIMITS.timeout)
    throw validationException(
      constraintText('timeout', `Member must have value less than or equal to ${LIMITS.timeout}`, String(timeout)),
    );
  if (!capacityProvider && memorySize > LIMITS.memorySize)
    throw validationException(
      constraintText(
        'memorySize',
        `Member must have value less than or equal to ${LIMITS.memorySize}`,
        String(memorySize),
      ),
    );
  if (capacityProvider) checkCapacityProvider(capacityProvider, memorySize, state);
  if (snapStart === 'PublishedVersions') {
    if (config.packageType === 'Zip') checkSnapStart(config.runtime);
    if (config.ephemeralStorage.Size > SNAP_START_STORAGE)
      throw invalidParameterValue(
        `Ephemeral storage of more than ${SNAP_START_STORAGE} MB is not supported for SnapStart enabled functions.`,
      );
    if (fileSystems?.length)
      throw invalidParameterValue('File systems are not supported for SnapStart enabled functions.');
  }
  if (fileSystems?.some(({ Arn }) => Arn.includes(':elasticfilesystem:')) && !vpc?.SubnetIds.length)
    throw invalidParameterValue('Function must be configured to execute in a VPC to reference access point.');
  if (fileSystems?.length) throw notEmulated('FileSystemConfigs of lambda functions');
}

/** Returns the ARN of a dead-letter queue or topic; undefined without one. */
function deadLetterTarget(arn: string | undefined): string | undefined {
  if (!arn) return undefined;
  const service = parseArn(arn)?.service;
  if (service !== 'sqs' && service !== 'sns')
    throw invalidParameterValue(
      `The provided target Arn ${arn} is invalid: a dead letter target is an SQS queue or an SNS topic.`,
    );
  return arn;
}

function loggingConfig(current: LoggingConfig, input: LoggingConfig): LoggingConfig {
  const LogFormat = input.LogFormat ?? current.LogFormat;
  const LogGroup = input.LogGroup ?? current.LogGroup;
  if (LogFormat === 'JSON')
    return {
      LogFormat,
      ApplicationLogLevel: input.ApplicationLogLevel ?? current.ApplicationLogLevel ?? 'INFO',
      SystemLogLevel: input.SystemLogLevel ?? current.SystemLogLevel ?? 'INFO',
      LogGroup,
    };
  if (input.ApplicationLogLevel !== undefined || input.SystemLogLevel !== undefined)
    throw invalidParameterValue(
      'Log level is not supported when log format is set to Text. Remove log level from your request or change the log format to JSON and try again.',
    );
  return { LogFormat, LogGroup };
}

async function vpcConfig(
  current: VpcConfig | undefined,
  input: NonNullable<ConfigChanges['VpcConfig']>,
  ctx: LambdaContext,
): Promise<VpcConfig> {
  const SubnetIds = input.SubnetIds ?? current?.SubnetIds ?? [];
  const SecurityGroupIds = input.SecurityGroupIds ?? current?.SecurityGroupIds ?? [];
  const Ipv6AllowedForDualStack = input.Ipv6AllowedForDualStack ?? current?.Ipv6AllowedForDualStack ?? false;
  if (!SubnetIds.length && !SecurityGroupIds.length)
    return { SubnetIds, SecurityGroupIds, VpcId: '', Ipv6AllowedForDualStack };
  if (!SubnetIds.length || !SecurityGroupIds.length)
    throw invalidParameterValue('SubnetIds and SecurityIds must coexist or be both empty list.');
  const { Subnets = [] } = await describe('DescribeSubnets', { SubnetIds }, ctx);
  await describe('DescribeSecurityGroups', { GroupIds: SecurityGroupIds }, ctx);
  return { SubnetIds, SecurityGroupIds, VpcId: Subnets[0]?.VpcId ?? '', Ipv6AllowedForDualStack };
}

/**
 * Validates subnets and security groups with EC2.
 * @throws AwsError `InvalidParameterValueException`; `NotImplemented` if emu has no EC2 and therefore no network
 */
async function describe<Operation extends OperationName<'ec2'>>(
  operation: Operation,
  input: OperationInput<'ec2', Operation>,
  ctx: LambdaContext,
): Promise<OperationOutput<'ec2', Operation>> {
  try {
    return await ctx.call('ec2', operation, input);
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code === 'NotImplemented') throw notEmulated('VpcConfig of lambda functions');
    throw invalidParameterValue(
      `Error occurred while ${operation}. EC2 Error Code: ${error.code}. EC2 Error Message: ${error.message}`,
    );
  }
}

/**
 * Sets the layers of a request, and logs layers without effect.
 * @param codeSize size of the function's own files in bytes
 */
export function applyLayers(
  functionName: string,
  config: VersionConfig,
  arns: readonly string[] | undefined,
  codeSize: number,
  ctx: LambdaContext,
): void {
  if (!arns) return;
  config.layers = layerReferences(arns, ctx.state, ctx.principal.arn, codeSize);
  for (const line of layerDifferences(functionName, config.layers)) ctx.log.warn(line);
}
