import type { DeepReadonly } from '@emu/core/service';
import type {
  BufferingHints,
  CloudWatchLoggingOptions,
  ExtendedS3DestinationConfiguration,
  HttpEndpointDestinationConfiguration,
  ProcessingConfiguration,
  ProcessorParameterName,
  ProcessorType,
  S3DestinationConfiguration,
  S3DestinationDescription,
  VpcConfiguration,
} from '@emu/service-types/firehose';
import { impossible, invalidArgument } from '../errors.ts';
import { queryOf } from '../processing/processors.ts';
import type { HttpRecord, S3Record, ServiceRecord } from '../records.ts';
import { type Family, SERVICE_FAMILIES, type ServiceFamily } from './families.ts';
import { checkPrefixes } from './prefixes.ts';
import { checkTimeZone } from './timestamps.ts';
import { vpcDescription } from './vpc.ts';

const HINTS = { SizeInMBs: 5, IntervalInSeconds: 300 };
/** Minimum and default buffer size for dynamic partitioning, in mebibytes. */
const PARTITIONED = { least: 64, usual: 128 };
const RETRY = 300;

function hintsOf(given: BufferingHints | undefined, usual = HINTS): BufferingHints {
  if (given && (given.SizeInMBs === undefined) !== (given.IntervalInSeconds === undefined))
    throw invalidArgument('BufferingHints must have both SizeInMBs and IntervalInSeconds, or none of them.');
  return { ...usual, ...given };
}

function loggingOf(options: CloudWatchLoggingOptions | undefined): CloudWatchLoggingOptions {
  if (options?.Enabled && (!options.LogGroupName || !options.LogStreamName))
    throw invalidArgument('LogGroupName and LogStreamName are required when CloudWatch logging is enabled.');
  return { Enabled: false, ...options };
}

/** @throws AwsError `InvalidArgumentException` for invalid processor parameters */
function checkProcessing(processing: DeepReadonly<ProcessingConfiguration> | undefined): void {
  if (!processing?.Enabled) return;
  for (const { Type, Parameters = [] } of processing.Processors ?? []) {
    const names = Parameters.map(({ ParameterName }) => ParameterName);
    if (Type === 'Lambda' && !names.includes('LambdaArn'))
      throw invalidArgument('The Lambda processor requires the parameter LambdaArn.');
    checkOwnParameters(
      Type,
      new Map(Parameters.map(({ ParameterName: name, ParameterValue: value }) => [name, value])),
    );
    for (const { ParameterName: name, ParameterValue: value } of Parameters)
      if (/^(NumberOfRetries|Buffer)/.test(name) && !(Number(value) >= 0))
        throw invalidArgument(`The value ${value} of the processor parameter ${name} is not a number.`);
  }
}

/** @throws AwsError `InvalidArgumentException` */
function checkOwnParameters(type: ProcessorType, parameters: ReadonlyMap<ProcessorParameterName, string>): void {
  const required = (name: ProcessorParameterName, ...values: readonly string[]): void => {
    const value = parameters.get(name);
    if (value === undefined) throw invalidArgument(`The ${type} processor requires the parameter ${name}.`);
    if (values.length > 0 && !values.includes(value))
      throw invalidArgument(`The parameter ${name} of the ${type} processor must be one of ${values.join(', ')}.`);
  };
  if (type === 'Decompression') required('CompressionFormat', 'GZIP');
  if (type === 'CloudWatchLogProcessing') required('DataMessageExtraction', 'true', 'false');
  if (type === 'RecordDeAggregation') {
    required('SubRecordType', 'JSON', 'DELIMITED');
    if (parameters.get('SubRecordType') === 'DELIMITED') required('Delimiter');
  }
  if (type === 'MetadataExtraction') {
    required('MetadataExtractionQuery');
    required('JsonParsingEngine', 'JQ-1.6');
  }
}

/**
 * Returns the settings of a target bucket with AWS's defaults.
 * @throws AwsError `InvalidArgumentException`
 */
function s3Settings(
  config: S3DestinationConfiguration,
  { dynamic = false, hints = HINTS } = {},
): S3DestinationDescription {
  const { CompressionFormat = 'UNCOMPRESSED', EncryptionConfiguration = { NoEncryptionConfig: 'NoEncryption' } } =
    config;
  checkPrefixes(config.Prefix, config.ErrorOutputPrefix, dynamic);
  const { RoleARN, BucketARN, Prefix, ErrorOutputPrefix } = config;
  return {
    RoleARN,
    BucketARN,
    ...(Prefix !== undefined && { Prefix }),
    ...(ErrorOutputPrefix !== undefined && { ErrorOutputPrefix }),
    BufferingHints: hintsOf(config.BufferingHints, hints),
    CompressionFormat,
    EncryptionConfiguration,
    CloudWatchLoggingOptions: loggingOf(config.CloudWatchLoggingOptions),
  };
}

/**
 * Creates a bucket destination.
 * @throws AwsError as `s3Settings`
 */
export function s3Destination(config: ExtendedS3DestinationConfiguration): S3Record {
  const dynamic = config.DynamicPartitioningConfiguration?.Enabled === true;
  const { S3BackupConfiguration: backup, S3BackupMode = 'Disabled', ProcessingConfiguration: processing } = config;
  const { FileExtension, CustomTimeZone, DataFormatConversionConfiguration: conversion } = config;
  if (conversion && conversion.Enabled !== false) throw impossible('convert the format of records');
  if (!dynamic && queryOf(processing) !== undefined)
    throw invalidArgument('MetadataExtraction processor is only supported when Dynamic Partitioning is enabled.');
  checkProcessing(processing);
  if (CustomTimeZone !== undefined) checkTimeZone(CustomTimeZone);
  const usual = dynamic ? { ...HINTS, SizeInMBs: PARTITIONED.usual } : HINTS;
  const basic = s3Settings(config, { dynamic, hints: usual });
  if (dynamic && basic.BufferingHints.SizeInMBs! < PARTITIONED.least)
    throw invalidArgument(
      `BufferingHints.SizeInMBs must be at least ${PARTITIONED.least} when Dynamic Partitioning is enabled.`,
    );
  if (S3BackupMode === 'Enabled' && !backup)
    throw invalidArgument('S3BackupConfiguration is required when S3BackupMode is Enabled.');
  return {
    kind: 's3',
    settings: {
      ...basic,
      ...(processing && { ProcessingConfiguration: processing }),
      S3BackupMode,
      ...(backup && { S3BackupDescription: s3Settings(backup) }),
      ...(conversion && { DataFormatConversionConfiguration: conversion }),
      ...(config.DynamicPartitioningConfiguration && {
        DynamicPartitioningConfiguration: {
          RetryOptions: { DurationInSeconds: RETRY },
          ...config.DynamicPartitioningConfiguration,
        },
      }),
      ...(FileExtension !== undefined && { FileExtension }),
      ...(CustomTimeZone !== undefined && { CustomTimeZone }),
    },
  };
}

/**
 * Creates an HTTP endpoint destination.
 * @throws AwsError as `s3Settings`
 */
export function httpDestination(config: HttpEndpointDestinationConfiguration): HttpRecord {
  const { EndpointConfiguration: endpoint, RequestConfiguration: request, RoleARN } = config;
  const { ProcessingConfiguration: processing, SecretsManagerConfiguration: secret } = config;
  const { Url, Name, AccessKey } = endpoint;
  checkProcessing(processing);
  if (!URL.canParse(Url)) throw invalidArgument(`The URL ${Url} of the endpoint is not valid.`);
  if (secret?.Enabled && secret.SecretARN === undefined)
    throw invalidArgument('SecretARN is required when SecretsManagerConfiguration is enabled.');
  const attributes = request?.CommonAttributes ?? [];
  return {
    kind: 'http',
    url: Url,
    ...(AccessKey !== undefined && { accessKey: AccessKey }),
    attributes,
    settings: {
      EndpointConfiguration: { Url, ...(Name !== undefined && { Name }) },
      BufferingHints: hintsOf(config.BufferingHints),
      CloudWatchLoggingOptions: loggingOf(config.CloudWatchLoggingOptions),
      RequestConfiguration: { ContentEncoding: request?.ContentEncoding ?? 'NONE', CommonAttributes: attributes },
      ...(processing && { ProcessingConfiguration: processing }),
      ...(RoleARN !== undefined && { RoleARN }),
      RetryOptions: { DurationInSeconds: config.RetryOptions?.DurationInSeconds ?? RETRY },
      S3BackupMode: config.S3BackupMode ?? 'FailedDataOnly',
      S3DestinationDescription: s3Settings(config.S3Configuration),
      ...(secret && { SecretsManagerConfiguration: secret }),
    },
  };
}

/** Members of all service configurations. */
export interface ServiceConfiguration {
  readonly RoleARN?: string | undefined;
  readonly BufferingHints?: BufferingHints | undefined;
  readonly RetryOptions?: { readonly DurationInSeconds?: number | undefined } | undefined;
  readonly S3BackupMode?: string | undefined;
  readonly S3Configuration: S3DestinationConfiguration;
  readonly S3BackupConfiguration?: S3DestinationConfiguration | undefined;
  readonly ProcessingConfiguration?: ProcessingConfiguration | undefined;
  readonly CloudWatchLoggingOptions?: CloudWatchLoggingOptions | undefined;
  readonly VpcConfiguration?: VpcConfiguration | undefined;
  readonly [member: string]: unknown;
}

/**
 * Creates a destination of a service other than S3.
 * @throws AwsError `InvalidArgumentException`
 */
export function serviceDestination(name: ServiceFamily, config: ServiceConfiguration): ServiceRecord {
  const family: Family = SERVICE_FAMILIES[name];
  const { RoleARN, BufferingHints, RetryOptions, S3BackupMode, S3Configuration, S3BackupConfiguration, ...rest } =
    config;
  const { ProcessingConfiguration: processing, CloudWatchLoggingOptions, VpcConfiguration: vpc, ...members } = rest;
  checkProcessing(processing);
  family.check(members);
  if (S3BackupMode === 'Enabled' && !S3BackupConfiguration)
    throw invalidArgument('S3BackupConfiguration is required when S3BackupMode is Enabled.');
  const place = vpc && { VpcConfigurationDescription: vpcDescription(vpc) };
  const entries = Object.entries({ ...family.defaults, ...definedOf(members), ...place });
  const isSecret = ([member]: [string, unknown]): boolean => family.secrets.includes(member);
  return {
    kind: 'service',
    family: name,
    own: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secrets: Object.fromEntries(entries.filter(isSecret)),
    settings: {
      ...(RoleARN !== undefined && { RoleARN }),
      ...(family.hints && { BufferingHints: hintsOf(BufferingHints, family.hints) }),
      RetryOptions: { DurationInSeconds: RetryOptions?.DurationInSeconds ?? family.retry },
      S3BackupMode: S3BackupMode ?? family.backupMode,
      S3DestinationDescription: s3Settings(S3Configuration),
      ...(S3BackupConfiguration && { S3BackupDescription: s3Settings(S3BackupConfiguration) }),
      ...(processing && { ProcessingConfiguration: processing }),
      CloudWatchLoggingOptions: loggingOf(CloudWatchLoggingOptions),
    },
  };
}

const definedOf = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
