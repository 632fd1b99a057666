import { omit, type Properties, sameValue } from '@emu/core/providers';
import { dynamodbError } from '../errors.ts';

/** A global secondary index in template form. */
export interface TemplateIndex extends Properties {
  IndexName: string;
}

/** Mutable index properties; a change of any other property replaces the index. */
const CHANGEABLE = ['ProvisionedThroughput', 'OnDemandThroughput', 'WarmThroughput'];

/**
 * Returns the index updates of an UpdateTable request.
 * @throws AwsError if more than one index would be created or deleted, with CloudFormation's message
 */
export function indexUpdate(
  previous: readonly TemplateIndex[] = [],
  desired: readonly TemplateIndex[] = [],
): Properties[] {
  const before = new Map(previous.map((index) => [index.IndexName, index]));
  const after = new Map(desired.map((index) => [index.IndexName, index]));
  const another = (one: TemplateIndex, other: TemplateIndex) =>
    !sameValue(omit(one, ...CHANGEABLE), omit(other, ...CHANGEABLE));
  const deleted = previous.filter((index) => {
    const next = after.get(index.IndexName);
    return !next || another(index, next);
  });
  const made = desired.filter((index) => {
    const last = before.get(index.IndexName);
    return !last || another(last, index);
  });
  if (deleted.length + made.length > 1)
    throw dynamodbError('InvalidRequest', 'Cannot perform more than one GSI creation or deletion in a single update');
  const changed = desired.filter((index) => {
    const last = before.get(index.IndexName);
    return last && !made.includes(index) && !sameValue(last, index);
  });
  return [
    ...deleted.map(({ IndexName }) => ({ Delete: { IndexName } })),
    ...changed.map((index) => ({ Update: omit(index, 'KeySchema', 'Projection') })),
    ...made.map((index) => ({ Create: index })),
  ];
}

/**
 * Whether a change edits the definition of an attribute, which replaces the table: DynamoDB cannot change the type of a
 * key.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-table.html
 */
export function redefinesAttributes(previous: Properties, desired: Properties): boolean {
  const typesOf = ({ AttributeDefinitions = [] }: { AttributeDefinitions?: readonly Properties[] }) =>
    new Map(AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
  const before = typesOf(previous);
  return [...typesOf(desired)].some(([name, type]) => before.has(name) && before.get(name) !== type);
}
