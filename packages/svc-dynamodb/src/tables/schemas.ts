import type { DeepReadonly } from '@emu/core/service';
import type {
  AttributeDefinition,
  BillingMode,
  CreateTableInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  ProvisionedThroughput,
} from '@emu/service-types/dynamodb';
import { violationText } from '@emu/wire';
import { invalid } from '../errors.ts';
import type { GlobalIndexRecord, LocalIndexRecord, TableRecord, Throughput } from '../records.ts';
import { checkOnDemand, checkWarm, leastWarm, warmAfter } from './throughput-limits.ts';

/** Rules for the shape of tables and indexes, with DynamoDB's messages. */

const MAX_UNITS = 1_000_000_000_000;
const MAX_LOCAL_INDEXES = 5;
const MAX_NON_KEY_ATTRIBUTES = 100;
const MAX_GLOBAL_KEY_ATTRIBUTES = 4;

const bad = (message: string) => invalid(`One or more parameter values were invalid: ${message}`);

const describeSchema = (schema: readonly KeySchemaElement[]): string =>
  `[${schema.map(({ AttributeName }) => AttributeName).join(', ')}]`;

function checkKeyLength(schema: readonly KeySchemaElement[]): void {
  if (schema.length <= 2) return;
  const elements = schema.map(
    ({ AttributeName, KeyType }) => `KeySchemaElement(attributeName=${AttributeName}, keyType=${KeyType})`,
  );
  const shown = `[${elements.join(', ')}]`;
  throw invalid(violationText('keySchema', 'Member must have length less than or equal to 2', shown));
}

function checkKeySchema(schema: readonly KeySchemaElement[], most: number): void {
  const [first, ...rest] = schema;
  if (rest[0]?.AttributeName === first?.AttributeName && rest.length)
    throw invalid('Both the Hash Key and the Range Key element in the KeySchema have the same name');
  if (first?.KeyType !== 'HASH') throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  if (most === 1) {
    checkKeyLength(schema);
    if (rest[0] && rest[0].KeyType !== 'RANGE')
      throw invalid('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
    return;
  }
  const names = schema.map(({ AttributeName }) => AttributeName);
  if (new Set(names).size !== names.length)
    throw invalid('The KeySchema contains multiple key attributes with the same name');
  const ranges = schema.findIndex(({ KeyType }) => KeyType === 'RANGE');
  if (ranges >= 0 && schema.slice(ranges).some(({ KeyType }) => KeyType === 'HASH'))
    throw bad('All HASH key attributes must precede RANGE key attributes in the KeySchema');
  for (const kind of ['HASH', 'RANGE'])
    if (schema.filter(({ KeyType }) => KeyType === kind).length > most)
      throw bad(`The KeySchema exceeds the maximum allowed number of ${kind} key attributes`);
}

function checkDefined(schema: readonly KeySchemaElement[], definitions: readonly AttributeDefinition[]): void {
  const names = definitions.map(({ AttributeName }) => AttributeName);
  if (schema.some(({ AttributeName }) => !names.includes(AttributeName)))
    throw bad(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: ${describeSchema(schema)}, AttributeDefinitions: [${names.join(', ')}]`,
    );
}

function checkAllUsed(
  schemas: readonly (readonly KeySchemaElement[])[],
  definitions: readonly AttributeDefinition[],
): void {
  const names = definitions.map(({ AttributeName }) => AttributeName);
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) throw bad(`Duplicate AttributeName in AttributeDefinitions: ${duplicate}`);
  const used = new Set(schemas.flatMap((schema) => schema.map(({ AttributeName }) => AttributeName)));
  if (names.some((name) => !used.has(name)))
    throw bad(
      `Some AttributeDefinitions are not used. AttributeDefinitions: [${names.join(', ')}], keys used: [${[...used].join(', ')}]`,
    );
}

function checkProjection(projection: Projection | undefined): void {
  if (!projection?.ProjectionType) throw bad('Unknown ProjectionType: null');
  const { ProjectionType: type, NonKeyAttributes: attributes } = projection;
  if (type !== 'INCLUDE' && attributes) throw bad(`ProjectionType is ${type}, but NonKeyAttributes is specified`);
  if (type === 'INCLUDE' && !attributes) throw bad('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
  const duplicate = attributes?.find((name, at) => attributes.indexOf(name) !== at);
  if (duplicate !== undefined) throw bad(`Duplicate element in NonKeyAttributes: ${duplicate}`);
}

/**
 * Returns the throughput for a billing mode.
 * @throws AwsError for units with on-demand billing, or missing units with provisioned billing
 */
export function throughputOf(
  given: ProvisionedThroughput | undefined,
  billingMode: BillingMode,
  indexName?: string,
): Throughput {
  const where = indexName === undefined ? '' : ` for index: ${indexName}`;
  if (billingMode === 'PAY_PER_REQUEST') {
    if (given)
      throw bad(
        indexName === undefined
          ? 'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST'
          : `ProvisionedThroughput should not be specified${where} when BillingMode is PAY_PER_REQUEST`,
      );
    return { read: 0, write: 0, decreasesToday: 0 };
  }
  if (!given)
    throw bad(
      indexName === undefined
        ? 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED'
        : `ProvisionedThroughput must be specified for index: ${indexName}`,
    );
  for (const name of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const)
    if (given[name] > MAX_UNITS) throw invalid(`Given value ${given[name]} for ${name} is out of bounds`);
  return { read: given.ReadCapacityUnits, write: given.WriteCapacityUnits, decreasesToday: 0 };
}

/** Returns the record of a local index. */
export function localIndexOf(index: LocalSecondaryIndex): LocalIndexRecord {
  return { name: index.IndexName, keySchema: index.KeySchema, projection: index.Projection };
}

/** Returns the record of a global index. */
export function globalIndexOf(index: GlobalSecondaryIndex, billingMode: BillingMode): GlobalIndexRecord {
  const throughput = throughputOf(index.ProvisionedThroughput, billingMode, index.IndexName);
  checkOnDemand(index.OnDemandThroughput, billingMode, index.IndexName);
  checkWarm(index.WarmThroughput, leastWarm(throughput, billingMode), `index ${index.IndexName}`, true);
  return {
    name: index.IndexName,
    keySchema: index.KeySchema,
    projection: index.Projection,
    throughput,
    ...(index.OnDemandThroughput && { onDemand: unitsOf(index.OnDemandThroughput) }),
    ...(index.WarmThroughput && { warm: warmAfter(index.WarmThroughput) }),
  };
}

/** Returns the maximum on-demand throughput. */
export function unitsOf(units: {
  MaxReadRequestUnits?: number | undefined;
  MaxWriteRequestUnits?: number | undefined;
}): { read?: number; write?: number } {
  return {
    ...(units.MaxReadRequestUnits !== undefined && { read: units.MaxReadRequestUnits }),
    ...(units.MaxWriteRequestUnits !== undefined && { write: units.MaxWriteRequestUnits }),
  };
}

/**
 * Validates keys, definitions and indexes of a new table.
 * @throws AwsError `ValidationException`
 */
export function checkTableShape(input: CreateTableInput): void {
  const keySchema = input.KeySchema ?? [];
  const locals = input.LocalSecondaryIndexes ?? [];
  const globals = input.GlobalSecondaryIndexes ?? [];
  const definitions = input.AttributeDefinitions ?? [];
  checkKeyLength(keySchema);
  if (keySchema.length > definitions.length)
    throw invalid('Invalid KeySchema: Some index key attribute have no definition');
  checkDefined(keySchema, definitions);
  checkKeySchema(keySchema, 1);
  if (!input.LocalSecondaryIndexes && !input.GlobalSecondaryIndexes && keySchema.length !== definitions.length)
    throw bad(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  if (input.LocalSecondaryIndexes) checkLocalIndexes(keySchema, locals, definitions);
  if (input.GlobalSecondaryIndexes) checkGlobalIndexes(globals, definitions);
  checkAllUsed([keySchema, ...[...locals, ...globals].map(({ KeySchema }) => KeySchema)], definitions);
  const names = [...locals, ...globals].map(({ IndexName }) => IndexName);
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) throw bad(`Duplicate index name: ${duplicate}`);
  const projected = [...locals, ...globals].reduce(
    (sum, index) => sum + (index.Projection.NonKeyAttributes?.length ?? 0),
    0,
  );
  if (projected > MAX_NON_KEY_ATTRIBUTES)
    throw bad('NonKeyAttributes in one or more indexes exceeds the per-table limit of 100');
}

function checkLocalIndexes(
  keySchema: readonly KeySchemaElement[],
  indexes: readonly LocalSecondaryIndex[],
  definitions: readonly AttributeDefinition[],
): void {
  if (!indexes.length) throw bad('List of LocalSecondaryIndexes is empty');
  if (keySchema.length < 2)
    throw bad('Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex');
  for (const index of indexes) {
    checkDefined(index.KeySchema, definitions);
    checkKeySchema(index.KeySchema, 1);
    if (index.KeySchema.length < 2)
      throw bad(`Index KeySchema does not have a range key for index: ${index.IndexName}`);
    if (index.KeySchema[0]!.AttributeName !== keySchema[0]!.AttributeName)
      throw bad(
        `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${index.IndexName}. index hash key: ${index.KeySchema[0]!.AttributeName}, table hash key: ${keySchema[0]!.AttributeName}`,
      );
    checkProjection(index.Projection);
  }
  if (indexes.length > MAX_LOCAL_INDEXES) throw bad('Number of LocalSecondaryIndexes exceeds per-table limit of 5');
}

function checkGlobalIndexes(
  indexes: readonly GlobalSecondaryIndex[],
  definitions: readonly AttributeDefinition[],
): void {
  if (!indexes.length) throw bad('List of GlobalSecondaryIndexes is empty');
  for (const index of indexes) {
    checkDefined(index.KeySchema, definitions);
    checkKeySchema(index.KeySchema, MAX_GLOBAL_KEY_ATTRIBUTES);
    checkProjection(index.Projection);
  }
}

type KeySchemas = DeepReadonly<
  Pick<TableRecord, 'attributeDefinitions' | 'keySchema' | 'localIndexes' | 'globalIndexes'>
>;

/**
 * Checks that the key attributes of a new index have their existing types.
 * @throws AwsError `ValidationException`
 */
export function checkNotRedefined(
  schema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
  table: KeySchemas,
): void {
  const typeIn = (all: DeepReadonly<AttributeDefinition[]>, name: string) =>
    all.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
  const shown = (elements: DeepReadonly<KeySchemaElement[]>, all: DeepReadonly<AttributeDefinition[]>): string =>
    `Schema:[${elements.map(({ AttributeName: name, KeyType }) => `SchemaElement: key{${name}:${typeIn(all, name)}:${KeyType}}`).join(', ')}]`;
  for (const existing of [table, ...table.localIndexes, ...table.globalIndexes])
    for (const { AttributeName: name } of existing.keySchema)
      if (
        schema.some(({ AttributeName }) => AttributeName === name) &&
        typeIn(definitions, name) !== typeIn(table.attributeDefinitions, name)
      )
        throw bad(
          `Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: ${shown(existing.keySchema, table.attributeDefinitions)} New schema: ${shown(schema, definitions)}`,
        );
}

/**
 * Validates an index added to a table.
 * @throws AwsError `ValidationException`
 */
export function checkNewGlobalIndex(index: GlobalSecondaryIndex, definitions: readonly AttributeDefinition[]): void {
  checkDefined(index.KeySchema, definitions);
  checkKeySchema(index.KeySchema, MAX_GLOBAL_KEY_ATTRIBUTES);
  checkProjection(index.Projection);
}
