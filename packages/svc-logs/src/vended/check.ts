import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { S3DeliveryConfiguration } from '@emu/service-types/logs';
import { invalid } from '../errors.ts';
import type { DeliveryDestinationRecord, DeliverySourceRecord } from '../records.ts';
import { variablesOf } from './object-key.ts';
import { type Carrier, DELIMITERS, FORMATS, kindOf, type VendedLogKind } from './templates.ts';

/** Settings of a delivery. */
interface Settings {
  readonly recordFields?: readonly string[] | undefined;
  readonly fieldDelimiter?: string | undefined;
  readonly s3DeliveryConfiguration?: S3DeliveryConfiguration | undefined;
}

/**
 * Validates the region of a source's resource and its log type, and the kind of resource if a service of emu produces
 * the log.
 * @param documented log types of the service; undefined if AWS's documentation does not list them
 * @throws AwsError `ValidationException`
 */
export function checkSource(
  resourceArn: string,
  logType: string,
  region: string,
  documented: readonly string[] | undefined,
): void {
  const arn = parseArn(resourceArn);
  if (arn && arn.region !== '' && arn.region !== region)
    throw invalid(`The resource ${resourceArn} is not in the region ${region}.`);
  const kind = arn && kindOf(arn.service);
  if (kind && !kind.resource.test(arn.resource))
    throw invalid(`The resource ${resourceArn} is not supported by the service ${kind.service}.`);
  const logTypes = kind?.logTypes ?? documented;
  if (logTypes && !logTypes.includes(logType))
    throw invalid(`The log type ${logType} is not supported by the resource ${resourceArn}.`);
}

/**
 * Validates the settings of a delivery against the template of its source.
 * @throws AwsError `ValidationException`
 */
export function checkDelivery(
  source: DeepReadonly<DeliverySourceRecord>,
  destination: DeepReadonly<Pick<DeliveryDestinationRecord, 'type' | 'outputFormat'>>,
  settings: Settings,
): void {
  const kind = kindOf(source.service);
  if (!kind) return;
  const { type, outputFormat } = destination;
  if (!Object.hasOwn(FORMATS, type))
    throw invalid(`The delivery destination type ${type} is not supported by the log type ${source.logType}.`);
  if (outputFormat !== undefined && !(FORMATS[type as Carrier] as readonly string[]).includes(outputFormat))
    throw invalid(`The output format ${outputFormat} is not supported by the delivery destination type ${type}.`);
  if (settings.s3DeliveryConfiguration && type !== 'S3')
    throw invalid('s3DeliveryConfiguration is supported by deliveries to Amazon S3 only.');
  checkSettings(kind, settings);
}

/** @throws AwsError `ValidationException` */
function checkSettings(kind: VendedLogKind, { recordFields, fieldDelimiter, ...rest }: Settings): void {
  for (const name of recordFields ?? [])
    if (!kind.fields.some((field) => field.name === name)) throw invalid(`The record field ${name} is not allowed.`);
  if (recordFields?.length)
    for (const { name, mandatory } of kind.fields)
      if (mandatory && !recordFields.includes(name)) throw invalid(`The record field ${name} is mandatory.`);
  if (fieldDelimiter !== undefined && !DELIMITERS.includes(fieldDelimiter))
    throw invalid(`The field delimiter ${fieldDelimiter} is not allowed.`);
  const { suffixPath = '' } = rest.s3DeliveryConfiguration ?? {};
  for (const name of variablesOf(suffixPath))
    if (!kind.suffixFields.includes(name)) throw invalid(`The suffix path field ${name} is not allowed.`);
}
