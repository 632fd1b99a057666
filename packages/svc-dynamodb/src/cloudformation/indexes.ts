import { omit, type Properties, sameValue } from '@emu/core/providers';
import { awsError } from '@emu/wire';

/** A global secondary index as a template writes it. */
export interface TemplateIndex extends Properties {
  IndexName: string;
}

/** Throughput can be changed; anything else of an index makes another one. */
const CHANGEABLE = ['ProvisionedThroughput', 'OnDemandThroughput', 'WarmThroughput'];

/**
 * What UpdateTable does to the indexes of a table.
 * @throws AwsError where more than one is made or deleted, in CloudFormation's words
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
    throw awsError('InvalidRequest', 'Cannot perform more than one GSI creation or deletion in a single update');
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
