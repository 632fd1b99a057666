import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import type { Translation } from './translation.ts';
import { defined, type Resource, samTags } from './values.ts';

const TYPES: Readonly<Record<string, string>> = { String: 'S', Number: 'N', Binary: 'B' };

/**
 * Translates a table with a single-attribute key.
 * @throws SamProblem
 */
export function translateTable(id: string, resource: Resource, to: Translation): void {
  const properties = resource.Properties ?? {};
  const { PrimaryKey: key = { Name: 'id', Type: 'String' }, ProvisionedThroughput, Tags } = properties;
  if (!isObject(key)) throw resourceProblem(id, "Property 'PrimaryKey' should be a map.");
  for (const name of ['Name', 'Type'])
    if (key[name] === undefined) throw resourceProblem(id, `Property 'PrimaryKey.${name}' is required.`);
  const type = typeof key.Type === 'string' ? TYPES[key.Type] : undefined;
  if (type === undefined) throw resourceProblem(id, `Invalid 'Type' "${key.Type}".`);
  const { Type: _, Properties: __, ...attributes } = resource;
  to.add(
    id,
    'AWS::DynamoDB::Table',
    {
      AttributeDefinitions: [{ AttributeName: key.Name, AttributeType: type }],
      KeySchema: [{ AttributeName: key.Name, KeyType: 'HASH' }],
      ProvisionedThroughput,
      BillingMode: ProvisionedThroughput === undefined ? 'PAY_PER_REQUEST' : undefined,
      TableName: properties.TableName,
      SSESpecification: properties.SSESpecification,
      PointInTimeRecoverySpecification: properties.PointInTimeRecoverySpecification,
      Tags: isObject(Tags) ? samTags(Tags) : undefined,
    },
    defined(attributes),
  );
}
