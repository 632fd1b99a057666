import { invalidOperation, invalidParameter } from './errors.ts';
import type { LogGroup } from './groups.ts';

/**
 * Checks that the events of a group may be read other than by Logs Insights.
 * @throws AwsError `InvalidParameterException` for a class that lacks it
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CloudWatch_Logs_Log_Classes.html
 */
export function checkReadable({ record }: LogGroup, operation: string): void {
  if (record.class !== 'STANDARD')
    throw invalidParameter(`${operation} is not supported for log groups of the ${record.class} log class.`);
}

/**
 * Checks that a group is of the class with every feature.
 * @throws AwsError `InvalidOperationException` for a class that lacks it
 */
export function checkClass({ record }: LogGroup, operation: string): void {
  if (record.class !== 'STANDARD')
    throw invalidOperation(`${operation} is not supported for log groups of the ${record.class} log class.`);
}
