import type { InputOf, OutputOf, QuotaUtilizationInfo } from '@emu/service-types/servicequotas';
import { type Utilization, utilizations } from '../automatic/utilization.ts';
import { directoryOf } from '../catalogue.ts';
import type { ServicequotasContext } from '../context.ts';
import { noSuchResource } from '../errors.ts';
import { paging } from '../paging.ts';
import { serviceName } from '../service-names.ts';

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetQuotaUtilizationReport.html */
const LIFETIME = 15 * 60 * 1000;
const ROWS_OF_PAGE = 1000;

const rowOf = ({ quota, percent, defaultValue, appliedValue }: Utilization): QuotaUtilizationInfo => ({
  QuotaCode: quota.code,
  ServiceCode: quota.serviceCode,
  QuotaName: quota.name,
  Utilization: percent,
  DefaultValue: defaultValue,
  AppliedValue: appliedValue,
  ServiceName: serviceName(quota.serviceCode),
  Adjustable: quota.adjustable,
});

/**
 * Creates a report of the quotas with counted usage. It is complete immediately, but the response is that of a started
 * report, as in AWS.
 * @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_StartQuotaUtilizationReport.html
 */
export async function StartQuotaUtilizationReport(
  _input: InputOf<'StartQuotaUtilizationReport'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'StartQuotaUtilizationReport'>> {
  const { reports } = ctx.state;
  const rows = (await utilizations(await directoryOf(ctx), ctx)).map(rowOf);
  const now = ctx.clock.now();
  for (const { id, generatedAt } of [...reports.values()]) if (generatedAt + LIFETIME <= now) reports.delete(id);
  const id = ctx.ids.uuid();
  reports.put(id, { id, generatedAt: now, rows });
  return { ReportId: id, Status: 'PENDING' };
}

/** Sorts rows by utilization, the greatest last. */
const rank = ({ Utilization: percent = 0, ServiceCode, QuotaCode }: QuotaUtilizationInfo): string =>
  `${percent.toFixed(6).padStart(24, '0')}/${ServiceCode}/${QuotaCode}`;

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetQuotaUtilizationReport.html */
export function GetQuotaUtilizationReport(
  input: InputOf<'GetQuotaUtilizationReport'>,
  ctx: ServicequotasContext,
): OutputOf<'GetQuotaUtilizationReport'> {
  const report = ctx.state.reports.get(input.ReportId);
  if (!report || report.generatedAt + LIFETIME <= ctx.clock.now())
    throw noSuchResource('The request failed because the specified quota utilization report does not exist.');
  const page = paging.page('GetQuotaUtilizationReport', input, report.rows, rank, {
    defaultLimit: ROWS_OF_PAGE,
    descending: true,
  });
  return {
    ReportId: report.id,
    Status: 'COMPLETED',
    GeneratedAt: new Date(report.generatedAt),
    TotalCount: report.rows.length,
    ...page.list((row) => row),
  };
}
