import {
  type DeclaredQuota,
  inRegion,
  type Place,
  type QuotaDirectory,
  quotaDirectory,
  USAGE,
  type UsageMetric,
} from '@emu/core';
import type { MetricInfo, ServiceQuota } from '@emu/service-types/servicequotas';
import { noSuchResource } from './errors.ts';
import { globalQuotaType, quotaType } from './resources.ts';
import { serviceName } from './service-names.ts';

/** Who can be asked for capabilities. */
interface Asker {
  capability(capability: typeof quotaDirectory): QuotaDirectory | undefined | Promise<QuotaDirectory | undefined>;
}

/** The quotas of the emulator's services, which every emulator has. */
export const directoryOf = async (asker: Asker): Promise<QuotaDirectory> => (await asker.capability(quotaDirectory))!;

/**
 * The quotas of a service.
 * @throws AwsError `NoSuchResourceException` where there is no such service
 */
export async function quotasOf(directory: QuotaDirectory, serviceCode: string): Promise<DeclaredQuota[]> {
  const quotas = (await directory.list()).filter((quota) => quota.serviceCode === serviceCode);
  if (!quotas.length) throw noSuchResource('The request failed because the specified service does not exist.');
  return quotas;
}

/**
 * The quota of a service.
 * @throws AwsError `NoSuchResourceException` where there is no such service or quota
 */
export async function quotaOf(
  directory: QuotaDirectory,
  { ServiceCode, QuotaCode }: { ServiceCode: string; QuotaCode: string },
): Promise<DeclaredQuota> {
  const quota = (await quotasOf(directory, ServiceCode)).find(({ code }) => code === QuotaCode);
  if (!quota) throw noSuchResource('The request failed because the specified quota does not exist.');
  return quota;
}

/** ARN of a quota. @param place its account is empty for the ARNs of defaults, which have none */
export function arnOf(
  { serviceCode: service, code, global }: Pick<DeclaredQuota, 'serviceCode' | 'code' | 'global'>,
  place: Place,
): string {
  return (global ? globalQuotaType : quotaType).arn({ service, code }, place);
}

/** The metric that counts calls towards a quota. */
const describeUsage = ({ service, resource }: UsageMetric): MetricInfo => ({
  MetricNamespace: USAGE,
  MetricName: 'CallCount',
  MetricDimensions: { Class: 'None', Resource: resource, Service: service, Type: 'API' },
  MetricStatisticRecommendation: 'Sum',
});

/** A quota as the API shows it, with a value. */
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

/** A quota with AWS's default. */
export const describeDefault = (quota: DeclaredQuota, { region }: Place): ServiceQuota =>
  describe(quota, inRegion(quota.defaultValue, region), { accountId: '', region });

/** A quota with the value that holds in an account and region. */
export const describeApplied = (quota: DeclaredQuota, directory: QuotaDirectory, place: Place): ServiceQuota =>
  describe(quota, directory.state(quota, place.accountId, place.region).appliedValue, place);
