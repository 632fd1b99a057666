import type { EventSource, ParseToOCSF } from '@emu/service-types/logs';
import { invalidParameter } from '../../errors.ts';
import type { JsonObject } from '../document.ts';
import type { Processing } from '../parsers.ts';
import { cloudTrail, eksAudit } from './audit.ts';
import type { SchemaVersion } from './event.ts';
import { resolverQuery, vpcFlow, wafRequest } from './network.ts';

const CONVERTERS: Readonly<Record<EventSource, (message: string, version: SchemaVersion) => JsonObject>> = {
  AWSWAF: wafRequest,
  CloudTrail: cloudTrail,
  EKSAudit: eksAudit,
  Route53Resolver: resolverQuery,
  VPCFlow: vpcFlow,
};
const VERSIONS = { 'V1.1': '1.1.0', 'V1.5': '1.5.0' } as const;
/** The supported mapping version. */
const MAPPING = '1.5.0';

/**
 * Converts AWS service logs to events of the Open Cybersecurity Schema Framework.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CloudWatch-Logs-Transformation-parseToOCSF.html
 */
export function parseToOCSF({ eventSource, ocsfVersion, mappingVersion }: ParseToOCSF): Processing {
  if (mappingVersion !== undefined) {
    if (ocsfVersion === 'V1.1') throw invalidParameter('mappingVersion is not supported for the OCSF version V1.1.');
    if (mappingVersion.replace(/^v/, '') !== MAPPING)
      throw invalidParameter(`The mapping version ${mappingVersion} is not supported.`);
  }
  const convert = CONVERTERS[eventSource];
  return (document) => document.merge(convert(document.message, VERSIONS[ocsfVersion]), undefined);
}
