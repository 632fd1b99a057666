import type { InputOf, OutputOf } from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { nowOf } from '../entities/lookup.ts';
import { iamError } from '../errors.ts';
import { credentialReport } from '../reports/credential-report.ts';
import { JOB_DURATION } from '../reports/jobs.ts';

const KEY = 'report';
/** Milliseconds for which a report is reused. */
const GOOD_FOR = 4 * 3_600_000;

/**
 * Starts a report, or returns its status; at most one is created every four hours.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GenerateCredentialReport.html
 */
export function GenerateCredentialReport(
  _input: InputOf<'GenerateCredentialReport'>,
  ctx: IamContext,
): OutputOf<'GenerateCredentialReport'> {
  const report = ctx.state.credentialReports.get(KEY);
  const now = ctx.clock.now();
  if (report && now < report.readyAt) return { State: 'INPROGRESS' };
  if (report && now < report.startedAt + GOOD_FOR) return { State: 'COMPLETE' };
  const startedAt = nowOf(ctx);
  const readyAt = startedAt + JOB_DURATION;
  ctx.state.credentialReports.put(KEY, { startedAt, readyAt, content: credentialReport(ctx) });
  return { State: 'STARTED', Description: 'No report exists. Starting a new report generation task' };
}

/**
 * Returns the report as CSV.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetCredentialReport.html
 */
export function GetCredentialReport(
  _input: InputOf<'GetCredentialReport'>,
  ctx: IamContext,
): OutputOf<'GetCredentialReport'> {
  const report = ctx.state.credentialReports.get(KEY);
  const now = ctx.clock.now();
  // AWS sends these errors without a message.
  if (!report) throw iamError('CredentialReportNotPresentException', '');
  if (now < report.readyAt) throw iamError('CredentialReportNotReadyException', '');
  if (now >= report.startedAt + GOOD_FOR) throw iamError('CredentialReportExpiredException', '');
  return { Content: Buffer.from(report.content), ReportFormat: 'text/csv', GeneratedTime: new Date(report.startedAt) };
}
