import { defined, differs, type Properties, pick } from '@emu/core/providers';

/** Function settings of UpdateFunctionConfiguration with their defaults. */
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

/** Returns the default log group of the function, as the service fills in omitted settings. */
const defaultLogging = (name: string) => ({ LogFormat: 'Text', LogGroup: `/aws/lambda/${name}` });

/** Returns the member names of Lambda's API. */
export function toApi({ KmsKeyArn, ...settings }: Properties): Properties {
  return defined({ ...settings, KMSKeyArn: KmsKeyArn });
}

/** Returns the changed settings, with defaults for removed ones; undefined without changes. */
export function changedConfiguration(name: string, previous: Properties, desired: Properties): Properties | undefined {
  const names = Object.keys(CONFIGURATION).filter((setting) => differs(previous, desired, setting));
  if (names.length === 0) return undefined;
  const defaults = { ...CONFIGURATION, LoggingConfig: defaultLogging(name) };
  return toApi(pick({ ...defaults, ...defined(desired) }, names));
}

/** Code as input of CreateFunction and UpdateFunctionCode, without storage details. */
export const CODE_MEMBERS = ['ImageUri', 'S3Bucket', 'S3Key', 'S3ObjectVersion', 'SourceKMSKeyArn', 'ZipFile'] as const;
