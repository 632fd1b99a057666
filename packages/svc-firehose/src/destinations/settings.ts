import type { DeepReadonly } from '@emu/core';
import type {
  BufferingHints,
  CloudWatchLoggingOptions,
  ExtendedS3DestinationConfiguration,
  HttpEndpointDestinationConfiguration,
  ProcessingConfiguration,
  S3DestinationConfiguration,
  S3DestinationDescription,
} from '@emu/service-types/firehose';
import { impossible, invalidArgument } from '../errors.ts';
import type { HttpRecord, S3Record } from '../records.ts';
import { checkPrefixes } from '../streams/prefixes.ts';
import { checkTimeZone } from '../streams/timestamps.ts';
import { canCompress } from './compression.ts';

const HINTS = { SizeInMBs: 5, IntervalInSeconds: 300 };
/** Mebibytes that buffers of dynamic partitioning have at least, and by default. */
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

/** @throws AwsError `NotImplemented` (501) for processors that emu does not have */
function checkProcessing(processing: DeepReadonly<ProcessingConfiguration> | undefined): void {
  if (!processing?.Enabled) return;
  for (const { Type, Parameters = [] } of processing.Processors ?? []) {
    if (Type !== 'Lambda' && Type !== 'AppendDelimiterToRecord') throw impossible(`process records by ${Type}`);
    const names = Parameters.map(({ ParameterName }) => ParameterName);
    if (Type === 'Lambda' && !names.includes('LambdaArn'))
      throw invalidArgument('The Lambda processor requires the parameter LambdaArn.');
    for (const { ParameterName: name, ParameterValue: value } of Parameters)
      if (/^(NumberOfRetries|Buffer)/.test(name) && !(Number(value) >= 0))
        throw invalidArgument(`The value ${value} of the processor parameter ${name} is not a number.`);
  }
}

/**
 * Where objects go, with what AWS takes where nothing is said.
 * @throws AwsError `InvalidArgumentException`; `NotImplemented` (501) for a compression that emu does not have
 */
export function s3Settings(
  config: S3DestinationConfiguration,
  { dynamic = false, hints = HINTS } = {},
): S3DestinationDescription {
  const { CompressionFormat = 'UNCOMPRESSED', EncryptionConfiguration = { NoEncryptionConfig: 'NoEncryption' } } =
    config;
  checkPrefixes(config.Prefix, config.ErrorOutputPrefix, dynamic);
  if (!canCompress(CompressionFormat)) throw impossible(`compress objects by ${CompressionFormat}`);
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
 * A destination in a bucket.
 * @throws AwsError as `s3Settings`
 */
export function s3Destination(config: ExtendedS3DestinationConfiguration): S3Record {
  const dynamic = config.DynamicPartitioningConfiguration?.Enabled === true;
  const { S3BackupConfiguration: backup, S3BackupMode = 'Disabled', ProcessingConfiguration: processing } = config;
  const { FileExtension, CustomTimeZone, DataFormatConversionConfiguration: conversion } = config;
  if (conversion && conversion.Enabled !== false) throw impossible('convert the format of records');
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
 * A destination behind a URL.
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
