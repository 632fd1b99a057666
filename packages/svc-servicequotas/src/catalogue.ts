import {
  type DeclaredQuota,
  inRegion,
  notEmulated,
  type Place,
  type QuotaDirectory,
  quotaDirectory,
  USAGE,
  type UsageMetric,
} from '@emu/core/service';
import type { MetricInfo, ServiceQuota } from '@emu/service-types/servicequotas';
import { noSuchResource } from './errors.ts';
import { globalQuotaType, quotaType } from './resources.ts';
import { isServiceCode, serviceName } from './service-names.ts';

/** Provides capabilities. */
interface Asker {
  capability(capability: typeof quotaDirectory): QuotaDirectory | undefined | Promise<QuotaDirectory | undefined>;
}

/** Returns the quotas of the emulator's services. */
export const directoryOf = async (asker: Asker): Promise<QuotaDirectory> => (await asker.capability(quotaDirectory))!;

/**
 * Returns the quotas of a service.
 * @throws AwsError `NotImplemented` for a service of AWS whose quotas emu lacks, `NoSuchResourceException` for an unknown
 * one
 */
export async function quotasOf(directory: QuotaDirectory, serviceCode: string): Promise<DeclaredQuota[]> {
  const quotas = (await directory.list()).filter((quota) => quota.serviceCode === serviceCode);
  if (quotas.length) return quotas;
  if (isServiceCode(serviceCode)) throw notEmulated(`the quotas of ${serviceName(serviceCode)}`);
  throw noSuchResource('The request failed because the specified service does not exist.');
}

/**
 * Returns a quota of a service.
 * @throws AwsError `NoSuchResourceException` for an unknown service or quota
 */
export async function quotaOf(
  directory: QuotaDirectory,
  { ServiceCode, QuotaCode }: { ServiceCode: string; QuotaCode: string },
): Promise<DeclaredQuota> {
  const quota = (await quotasOf(directory, ServiceCode)).find(({ code }) => code === QuotaCode);
  if (!quota) throw noSuchResource('The request failed because the specified quota does not exist.');
  return quota;
}

/** Returns the ARN of a quota. @param place with an empty account for ARNs of default values */
export function arnOf(
  { serviceCode: service, code, global }: Pick<DeclaredQuota, 'serviceCode' | 'code' | 'global'>,
  place: Place,
): string {
  return (global ? globalQuotaType : quotaType).arn({ service, code }, place);
}

/** Returns the metric that counts calls towards a quota. */
const describeUsage = ({ service, resource }: UsageMetric): MetricInfo => ({
  MetricNamespace: USAGE,
  MetricName: 'CallCount',
  MetricDimensions: { Class: 'None', Resource: resource, Service: service, Type: 'API' },
  MetricStatisticRecommendation: 'Sum',
});

/** Returns a quota with a value, as in the API. */
function describe(quota: DeclaredQuota, value: number, place: Place): ServiceQuota {
  const { serviceCode, code, name, unit = 'None', adjustable, global = false, period, usageMetric } = quota;
  return {
    ServiceCode: serviceCode,
    ServiceName: serviceName(serviceCode),
    QuotaArn: arnOf(quota, place),
    QuotaCode: code,
    QuotaName: name,
    Value: value,
    Unit: unit,
    Adjustable: adjustable,
    GlobalQuota: global,
    ...(period && { Period: { PeriodValue: period.value, PeriodUnit: period.unit } }),
    ...(usageMetric && { UsageMetric: describeUsage(usageMetric) }),
    QuotaAppliedAtLevel: 'ACCOUNT',
  };
}

/** Returns a quota with AWS's default value. */
export const describeDefault = (quota: DeclaredQuota, { region }: Place): ServiceQuota =>
  describe(quota, inRegion(quota.defaultValue, region), { accountId: '', region });

/** Returns a quota with the applied value of an account and region. */
export const describeApplied = (quota: DeclaredQuota, directory: QuotaDirectory, place: Place): ServiceQuota =>
  describe(quota, directory.state(quota, place.accountId, place.region).appliedValue, place);
