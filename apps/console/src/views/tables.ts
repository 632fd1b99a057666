import { call, type Json, pages } from '../api.ts';
import { button, field, fill, form, h, heading, json, link, select, table } from '../dom.ts';
import { reload, type View } from '../view.ts';

/** DynamoDB tables, with their items by key or by scan. */
export const tables: View = (main, [name]) => (name === undefined ? list(main) : show(main, name));

async function list(main: HTMLElement): Promise<void> {
  const names = await pages('dynamodb', 'ListTables', {}, [
    'ExclusiveStartTableName',
    'LastEvaluatedTableName',
    'TableNames',
  ]);
  const rows = await Promise.all(
    names.slice(0, 200).map(async (name: string) => {
      const { Table } = await call('dynamodb', 'DescribeTable', { TableName: name });
      return [
        link(name, 'tables', name),
        Table.TableStatus,
        Table.ItemCount,
        Table.KeySchema.map((key: Json) => `${key.AttributeName} (${key.KeyType})`).join(', '),
      ];
    }),
  );
  fill(
    main,
    heading('DynamoDB tables', button('Refresh', reload)),
    table(['Name', 'Status', 'Items', 'Key'], rows, 'No tables yet.'),
  );
}

/** Formats an attribute value in readable form; types that JSON lacks keep DynamoDB's form. */
function plain(value: Json): string {
  const [type] = Object.keys(value);
  return type === 'S' || type === 'N' ? value[type] : JSON.stringify(type === 'BOOL' ? value.BOOL : value);
}

async function show(main: HTMLElement, name: string): Promise<void> {
  const { Table } = await call('dynamodb', 'DescribeTable', { TableName: name });
  const types = new Map<string, string>(
    Table.AttributeDefinitions.map((each: Json) => [each.AttributeName, each.AttributeType]),
  );
  const indexes: Json[] = [...(Table.GlobalSecondaryIndexes ?? []), ...(Table.LocalSecondaryIndexes ?? [])];
  const index = select(['(table)', ...indexes.map((each) => each.IndexName)]);
  const [hash, comparison, range, filter, limit] = [
    h('input', { placeholder: 'empty: scan' }),
    select(['=', '<', '<=', '>', '>=', 'begins_with']),
    h('input', { placeholder: 'any' }),
    h('input', { placeholder: 'attribute_exists(total)' }),
    h('input', { type: 'number', min: '1', max: '1000', value: '50' }),
  ];
  const results = h('div');
  const read = async (start?: Json): Promise<void> => {
    const schema: Json[] = indexes.find(({ IndexName }) => IndexName === index.value)?.KeySchema ?? Table.KeySchema;
    const nameOf = (kind: string): string | undefined => schema.find(({ KeyType }) => KeyType === kind)?.AttributeName;
    const [hashName, rangeName] = [nameOf('HASH')!, nameOf('RANGE')];
    const typed = (attribute: string, text: string) => ({ [types.get(attribute) ?? 'S']: text });
    const input: Json = { TableName: name, Limit: Number(limit.value), ExclusiveStartKey: start };
    if (index.selectedIndex > 0) input.IndexName = index.value;
    if (filter.value) input.FilterExpression = filter.value;
    if (hash.value) {
      input.ExpressionAttributeNames = { '#h': hashName };
      input.ExpressionAttributeValues = { ':h': typed(hashName, hash.value) };
      input.KeyConditionExpression = '#h = :h';
      if (range.value && rangeName) {
        input.ExpressionAttributeNames['#r'] = rangeName;
        input.ExpressionAttributeValues[':r'] = typed(rangeName, range.value);
        input.KeyConditionExpression +=
          comparison.value === 'begins_with' ? ' AND begins_with(#r, :r)' : ` AND #r ${comparison.value} :r`;
      }
    }
    const { Items = [], LastEvaluatedKey, ScannedCount } = await call('dynamodb', hash.value ? 'Query' : 'Scan', input);
    const keys = [hashName, ...(rangeName ? [rangeName] : [])];
    const columns = [...new Set<string>([...keys, ...Items.flatMap(Object.keys)])].slice(0, 12);
    const rows = Items.map((item: Json) => [
      ...columns.map((column) => (item[column] ? plain(item[column]) : '')),
      button('JSON', () => fill(detail, h('h2', {}, 'Item'), json(item)), 'link'),
    ]);
    const detail = h('div');
    const more = LastEvaluatedKey && button('Next page', () => read(LastEvaluatedKey));
    fill(
      results,
      h('p', { className: 'hint' }, `${Items.length} items of ${ScannedCount ?? 0} read`),
      table([...columns, ''], rows, 'No items match.'),
      more,
      detail,
    );
  };
  fill(
    main,
    heading(name, button('Refresh', reload)),
    h('nav', { className: 'crumbs' }, link('Tables', 'tables'), ' / ', name),
    form(
      () => read(),
      'Run',
      field('Index', index),
      field('Partition key', hash),
      field('Sort key is', comparison),
      field('Sort key', range),
      field('Filter expression', filter),
      field('Limit', limit),
    ),
    results,
  );
  await read();
}
