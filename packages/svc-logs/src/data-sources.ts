import type { DataSource, DataSourceFilter } from '@emu/service-types/logs';

/** Keys of the tags by which a group says where its logs come from. */
const NAME = 'cw:datasource:name';
const TYPE = 'cw:datasource:type';
/** What names begin with that AWS has for its own services. */
const RESERVED = /^(?:aws|amazon)/i;

/**
 * The data source that the tags of a group name; undefined where they name none.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/custom-data-sources.html
 */
export function dataSourceOf(tags: Readonly<Record<string, string>>): Required<DataSource> | undefined {
  const { [NAME]: name, [TYPE]: type } = tags;
  return name && type && !RESERVED.test(name) ? { name, type } : undefined;
}

/** Whether a group's data source is one of those that are asked for. */
export const isFrom = (
  tags: Readonly<Record<string, string>>,
  filters: readonly DataSourceFilter[] | undefined,
): boolean => {
  if (!filters?.length) return true;
  const source = dataSourceOf(tags);
  return filters.some(({ name, type }) => source?.name === name && (type === undefined || type === source.type));
};
