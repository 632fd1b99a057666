import type { Place } from '@emu/core/service';
import type { S3DeliveryConfiguration } from '@emu/service-types/logs';
import type { VendedLogKind } from './templates.ts';

const VARIABLE = /\{([^{}]*)\}/g;
/** Names of time parts in Apache Hive partitions. */
const PARTITIONS: Readonly<Record<string, string>> = { yyyy: 'year', MM: 'month', dd: 'day', HH: 'hour' };
const DEFAULT_SUFFIX = '{region}/{yyyy}/{MM}/{dd}/{HH}';

/** Returns the variables of a suffix. */
export const variablesOf = (suffix: string): string[] => [...suffix.matchAll(VARIABLE)].map(([, name]) => name!);

/**
 * Returns the folder of a delivery's objects, with a trailing slash.
 * @param at epoch milliseconds
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_S3DeliveryConfiguration.html
 */
export function folderOf(
  { accountId, region }: Place,
  kind: VendedLogKind,
  { suffixPath = DEFAULT_SUFFIX, enableHiveCompatiblePath: hive = false }: S3DeliveryConfiguration,
  at: number,
): string {
  const [yyyy = '', MM = '', dd = '', HH = ''] = new Date(at).toISOString().split(/[-T:]/);
  const values: Readonly<Record<string, string>> = { 'account-id': accountId, region, yyyy, MM, dd, HH };
  const suffix = suffixPath.replace(VARIABLE, (_all, name: string) =>
    hive ? `${PARTITIONS[name] ?? name}=${values[name]}` : values[name]!,
  );
  return `AWSLogs/${accountId}/${kind.folder}/${suffix}`.replace(/\/*$/, '/');
}
