import { defined, differs, type Properties, pick } from '@emu/core/providers';

/** Settings of a function by UpdateFunctionConfiguration, with what they are where a template gives none. */
export const CONFIGURATION: Readonly<Record<string, unknown>> = {
  CapacityProviderConfig: undefined,
  DeadLetterConfig: { TargetArn: '' },
  Description: '',
  DurableConfig: undefined,
  Environment: { Variables: {} },
  EphemeralStorage: { Size: 512 },
  Handler: undefined,
  ImageConfig: {},
  KmsKeyArn: '',
  Layers: [],
  LoggingConfig: undefined,
  MemorySize: 128,
  Role: undefined,
  Runtime: undefined,
  SnapStart: { ApplyOn: 'None' },
  Timeout: 3,
  TracingConfig: { Mode: 'PassThrough' },
  VpcConfig: { SubnetIds: [], SecurityGroupIds: [] },
};

/** The function's own group of logs, as the service writes settings that are not given. */
const defaultLogging = (name: string) => ({ LogFormat: 'Text', LogGroup: `/aws/lambda/${name}` });

/** Names of members as Lambda's API writes them. */
export function toApi({ KmsKeyArn, ...settings }: Properties): Properties {
  return defined({ ...settings, KMSKeyArn: KmsKeyArn });
}

/** The settings that differ, those that are no longer given with their defaults; undefined where none does. */
export function changedConfiguration(name: string, previous: Properties, desired: Properties): Properties | undefined {
  const names = Object.keys(CONFIGURATION).filter((setting) => differs(previous, desired, setting));
  if (names.length === 0) return undefined;
  const defaults = { ...CONFIGURATION, LoggingConfig: defaultLogging(name) };
  return toApi(pick({ ...defaults, ...defined(desired) }, names));
}

/** The code of a function as CreateFunction and UpdateFunctionCode take it, without what says how it is stored. */
export const CODE_MEMBERS = ['ImageUri', 'S3Bucket', 'S3Key', 'S3ObjectVersion', 'SourceKMSKeyArn', 'ZipFile'] as const;
