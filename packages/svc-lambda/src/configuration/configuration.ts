import type { DeepReadonly } from '@emu/core/service';
import type { FunctionConfiguration } from '@emu/service-types/lambda';
import { runtimeVersionArn } from '../code/runtimes.ts';
import { LATEST } from '../function-name.ts';
import type { Version, VersionConfig } from '../records.ts';
import type { LambdaState } from '../state.ts';

/** Formats a time as in Lambda's texts, e.g. `2024-01-31T12:00:00.000+0000`. */
export const lambdaTime = (at: number): string => new Date(at).toISOString().replace('Z', '+0000');

/** Returns the version in the response to the request that created or updated it: AWS is still processing it. */
export function changing(kind: 'Creating' | 'Updating', state: LambdaState): Partial<FunctionConfiguration> {
  // The revision changes once the processing is done.
  const RevisionId = state.ids.uuid();
  if (kind === 'Creating')
    return {
      RevisionId,
      State: 'Pending',
      StateReason: 'The function is being created.',
      StateReasonCode: 'Creating',
      LastUpdateStatus: undefined,
    };
  return {
    RevisionId,
    LastUpdateStatus: 'InProgress',
    LastUpdateStatusReason: 'The function is being created.',
    LastUpdateStatusReasonCode: 'Creating',
  };
}

/**
 * Returns the version as in responses about a single version.
 * @param qualifier the request's qualifier
 */
export function configurationOf(state: LambdaState, version: Version, qualifier?: string): FunctionConfiguration {
  return {
    ...listed(state, version, qualifier),
    ...runtimeOf(state, version),
    ...stateOf(version),
    LastUpdateStatus: 'Successful',
  };
}

/** Returns the state of a version: with SnapStart, that of its snapshot. */
function stateOf({ snapshot }: Version): Partial<FunctionConfiguration> {
  if (snapshot?.state === 'Pending')
    return { State: 'Pending', StateReason: 'The function is being created.', StateReasonCode: 'Creating' };
  if (snapshot?.state === 'Failed')
    return { State: 'Failed', StateReason: snapshot.reason, StateReasonCode: snapshot.reasonCode };
  return { State: 'Active' };
}

/**
 * Returns the version as in lists, without its state and runtime version.
 * @param qualifier qualifier of the ARN
 */
export function listed(state: LambdaState, version: Version, qualifier?: string): FunctionConfiguration {
  const { config, code, functionName, version: number } = version;
  return {
    FunctionName: functionName,
    FunctionArn: state.functionArn(functionName, qualifier ?? (number === LATEST ? undefined : number)),
    Role: config.role,
    CodeSize: code.size,
    CodeSha256: code.sha256,
    Description: config.description,
    Timeout: config.timeout,
    MemorySize: config.memorySize,
    LastModified: lambdaTime(version.modifiedAt),
    Version: number,
    RevisionId: version.revisionId,
    TracingConfig: { Mode: config.tracingMode },
    PackageType: config.packageType,
    Architectures: [...config.architectures],
    EphemeralStorage: config.ephemeralStorage,
    SnapStart: {
      ApplyOn: config.snapStart,
      OptimizationStatus: version.snapshot ? 'On' : 'Off',
    },
    LoggingConfig: config.loggingConfig,
    ...optional(config),
  };
}

/** Returns the runtime version of a function, which lists omit. */
function runtimeOf(
  { region }: LambdaState,
  { runtimeManagement, config: { runtime, architectures } }: Version,
): Partial<FunctionConfiguration> {
  if (!runtime) return {};
  const RuntimeVersionArn =
    runtimeManagement?.runtimeVersionArn ?? runtimeVersionArn(region, runtime, architectures[0]!);
  return { RuntimeVersionConfig: { RuntimeVersionArn } };
}

/** Returns the members that only some functions have. */
function optional(config: DeepReadonly<VersionConfig>): Partial<FunctionConfiguration> {
  const { runtime, handler, environment, kmsKeyArn, vpcConfig, deadLetterTarget, fileSystems, imageConfig } = config;
  return structuredClone<Partial<FunctionConfiguration>>({
    ...(runtime && { Runtime: runtime }),
    ...(handler !== undefined && { Handler: handler }),
    ...(environment && { Environment: { Variables: { ...environment } } }),
    ...(kmsKeyArn && { KMSKeyArn: kmsKeyArn }),
    ...(vpcConfig && { VpcConfig: vpcConfig as FunctionConfiguration['VpcConfig'] }),
    ...(deadLetterTarget && { DeadLetterConfig: { TargetArn: deadLetterTarget } }),
    ...(fileSystems?.length && { FileSystemConfigs: fileSystems as FunctionConfiguration['FileSystemConfigs'] }),
    ...(imageConfig && { ImageConfigResponse: { ImageConfig: imageConfig as VersionConfig['imageConfig'] } }),
    ...(config.layers.length && { Layers: config.layers.map(({ arn, size }) => ({ Arn: arn, CodeSize: size })) }),
    ...(config.capacityProvider && { CapacityProviderConfig: config.capacityProvider }),
    ...(config.durable && { DurableConfig: config.durable }),
    ...(config.tenancy && { TenancyConfig: config.tenancy }),
  });
}
