import type {
  DescribeReportCreationInput,
  DescribeReportCreationOutput,
  StartReportCreationInput,
  StartReportCreationOutput,
} from '@emu/service-types/resourcegroupstaggingapi';
import { checkRegion } from './compliance.ts';
import type { TaggingContext } from './context.ts';

/**
 * Begins to write the report of the tagged resources into a bucket.
 * @throws AwsError `ConcurrentModificationException`, `ConstraintViolationException`
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_StartReportCreation.html
 */
export async function StartReportCreation(
  { S3Bucket }: StartReportCreationInput,
  ctx: TaggingContext,
): Promise<StartReportCreationOutput> {
  checkRegion(ctx);
  await ctx.state.reports.start(S3Bucket);
  return {};
}

/** @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_DescribeReportCreation.html */
export function DescribeReportCreation(
  _input: DescribeReportCreationInput,
  ctx: TaggingContext,
): DescribeReportCreationOutput {
  checkRegion(ctx);
  const report = ctx.state.reports.latest();
  if (!report) return { Status: 'NO REPORT' };
  return {
    Status: report.status,
    ...(report.status === 'SUCCEEDED' && { S3Location: `s3://${report.bucket}/${report.key}` }),
    ...(report.error !== undefined && { ErrorMessage: report.error }),
  };
}
