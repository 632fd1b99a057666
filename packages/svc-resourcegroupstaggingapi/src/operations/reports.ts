import type { InputOf, OutputOf } from '@emu/service-types/resourcegroupstaggingapi';
import type { ResourcegroupstaggingapiContext } from '../context.ts';
import { checkRegion } from './compliance.ts';

/**
 * Starts writing a report of the tagged resources to a bucket.
 * @throws AwsError `ConcurrentModificationException`, `ConstraintViolationException`
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_StartReportCreation.html
 */
export async function StartReportCreation(
  { S3Bucket }: InputOf<'StartReportCreation'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'StartReportCreation'>> {
  checkRegion(ctx);
  await ctx.state.reports.start(S3Bucket);
  return {};
}

/** @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_DescribeReportCreation.html */
export function DescribeReportCreation(
  _input: InputOf<'DescribeReportCreation'>,
  ctx: ResourcegroupstaggingapiContext,
): OutputOf<'DescribeReportCreation'> {
  checkRegion(ctx);
  const report = ctx.state.reports.latest();
  if (!report) return { Status: 'NO REPORT' };
  return {
    Status: report.status,
    ...(report.status === 'SUCCEEDED' && { S3Location: `s3://${report.bucket}/${report.key}` }),
    ...(report.error !== undefined && { ErrorMessage: report.error }),
  };
}
