import type { DataSource, DataSourceFilter } from '@emu/service-types/logs';

/** Tag keys that set the data source of a group. */
const NAME = 'cw:datasource:name';
const TYPE = 'cw:datasource:type';
/** Name prefixes reserved for AWS services. */
const RESERVED = /^(?:aws|amazon)/i;

/**
 * Returns the data source in a group's tags; undefined if there is none.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/custom-data-sources.html
 */
export function dataSourceOf(tags: Readonly<Record<string, string>>): Required<DataSource> | undefined {
  const { [NAME]: name, [TYPE]: type } = tags;
  return name && type && !RESERVED.test(name) ? { name, type } : undefined;
}

/** Whether a group's data source is among the requested ones. */
export const isFrom = (
  tags: Readonly<Record<string, string>>,
  filters: readonly DataSourceFilter[] | undefined,
): boolean => {
  if (!filters?.length) return true;
  const source = dataSourceOf(tags);
  return filters.some(({ name, type }) => source?.name === name && (type === undefined || type === source.type));
};
