import { invalidOperation, invalidParameter } from '../errors.ts';
import type { LogGroup } from './groups.ts';

/**
 * Requires that a group's class permits reading events outside of Logs Insights.
 * @throws AwsError `InvalidParameterException` for other classes
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CloudWatch_Logs_Log_Classes.html
 */
export function checkReadable({ record }: LogGroup, operation: string): void {
  if (record.class !== 'STANDARD')
    throw invalidParameter(`${operation} is not supported for log groups of the ${record.class} log class.`);
}

/**
 * Requires the group class with all features.
 * @throws AwsError `InvalidOperationException` for other classes
 */
export function checkClass({ record }: LogGroup, operation: string): void {
  if (record.class !== 'STANDARD')
    throw invalidOperation(`${operation} is not supported for log groups of the ${record.class} log class.`);
}
