import type { DeclaredQuota } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/servicequotas';
import { describeApplied, describeDefault, directoryOf, quotaOf, quotasOf } from '../catalogue.ts';
import type { ServicequotasContext } from '../context.ts';
import { noSuchResource } from '../errors.ts';
import { paging } from '../paging.ts';
import { serviceName } from '../service-names.ts';

const codeOf = ({ code }: DeclaredQuota): string => code;

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListServices.html */
export async function ListServices(
  input: InputOf<'ListServices'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListServices'>> {
  const quotas = await (await directoryOf(ctx)).list();
  const codes = new Set(quotas.map(({ serviceCode }) => serviceCode));
  return paging
    .page('ListServices', input, codes, (code) => code)
    .list((code) => ({ ServiceCode: code, ServiceName: serviceName(code) }));
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListAWSDefaultServiceQuotas.html */
export async function ListAWSDefaultServiceQuotas(
  input: InputOf<'ListAWSDefaultServiceQuotas'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListAWSDefaultServiceQuotas'>> {
  const quotas = await quotasOf(await directoryOf(ctx), input.ServiceCode);
  return paging.page('ListAWSDefaultServiceQuotas', input, quotas, codeOf).list((quota) => describeDefault(quota, ctx));
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetAWSDefaultServiceQuota.html */
export async function GetAWSDefaultServiceQuota(
  input: InputOf<'GetAWSDefaultServiceQuota'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'GetAWSDefaultServiceQuota'>> {
  return { Quota: describeDefault(await quotaOf(await directoryOf(ctx), input), ctx) };
}

/**
 * Lists the quotas of a service with their applied values. No quota of emu's services applies to single resources.
 * @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListServiceQuotas.html
 */
export async function ListServiceQuotas(
  input: InputOf<'ListServiceQuotas'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListServiceQuotas'>> {
  const { ServiceCode, QuotaCode, QuotaAppliedAtLevel } = input;
  const directory = await directoryOf(ctx);
  const quotas =
    QuotaCode === undefined
      ? await quotasOf(directory, ServiceCode)
      : [await quotaOf(directory, { ServiceCode, QuotaCode })];
  const atLevel = QuotaAppliedAtLevel === 'RESOURCE' ? [] : quotas;
  return paging
    .page('ListServiceQuotas', input, atLevel, codeOf)
    .list((quota) => describeApplied(quota, directory, ctx));
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetServiceQuota.html */
export async function GetServiceQuota(
  input: InputOf<'GetServiceQuota'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'GetServiceQuota'>> {
  const directory = await directoryOf(ctx);
  const quota = await quotaOf(directory, input);
  checkContext(input.ContextId);
  return { Quota: describeApplied(quota, directory, ctx) };
}

/** @throws AwsError `NoSuchResourceException`, because no quota of emu's services applies to single resources */
export function checkContext(contextId: string | undefined): void {
  if (contextId !== undefined)
    throw noSuchResource('The request failed because applied value for the specified context Id do not exist.');
}
