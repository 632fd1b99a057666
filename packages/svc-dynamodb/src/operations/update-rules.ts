import type { UpdateTableInput } from '@emu/service-types/dynamodb';
import { invalid } from '../errors.ts';

const refuse = (reason: string) => invalid(`One or more parameter values were invalid: ${reason}`);

/** Members of an update that change something, in the order of AWS's message for an empty update. */
const CHANGES = [
  ['ProvisionedThroughput', 'ProvisionedThroughput'],
  ['BillingMode', 'BillingMode'],
  ['StreamSpecification', 'UpdateStreamEnabled'],
  ['GlobalSecondaryIndexUpdates', 'GlobalSecondaryIndexUpdates'],
  ['SSESpecification', 'SSESpecification'],
  ['ReplicaUpdates', 'ReplicaUpdates'],
  [undefined, 'MultiAccountReplicaReady'],
  [undefined, 'ReplicaTransitRoleArn'],
  [undefined, 'MultiRegionConsistency'],
  ['DeletionProtectionEnabled', 'DeletionProtectionEnabled'],
  ['OnDemandThroughput', 'OnDemandThroughput'],
  ['WarmThroughput', 'WarmThroughput'],
  ['TableClass', 'TableClass'],
] as const;

/** Changes that exclude others, in the order in which AWS reports them. */
const ALONE = [
  ['SSESpecification', 'Server-Side Encryption modification'],
  ['TableClass', 'TableClass modification'],
  ['DeletionProtectionEnabled', 'DeletionProtection modification'],
  ['WarmThroughput', 'WarmThroughput'],
] as const;

/**
 * Checks that an update changes something, and only one kind of exclusive change.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html
 * @throws AwsError `ValidationException`
 */
export function checkCombination(input: UpdateTableInput): void {
  const given = CHANGES.flatMap(([member]) => (member !== undefined && input[member] !== undefined ? [member] : []));
  if (!given.length && input.GlobalTableSettingsReplicationMode === undefined) {
    const names = CHANGES.map(([, name]) => name).filter(
      (name) => name !== 'MultiRegionConsistency' || input.MultiRegionConsistency === undefined,
    );
    throw invalid(`At least one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)} is required`);
  }
  if (input.GlobalSecondaryIndexUpdates?.length === 0) throw refuse('List of GlobalSecondaryIndexUpdates is empty');
  if (input.ReplicaUpdates && given.length > 1)
    throw refuse(
      input.MultiRegionConsistency === undefined
        ? 'Replica modification must be the only operation in the request'
        : 'Requests that modify replicas or witnesses must not also modify other fields',
    );
  const reshaped = (input.GlobalSecondaryIndexUpdates ?? []).some(({ Create, Delete }) => Create || Delete);
  for (const [member, name] of ALONE) {
    if (input[member] === undefined || given.length === 1) continue;
    throw refuse(
      member === 'WarmThroughput' && reshaped
        ? 'Create global secondary index cannot be specified when updating WarmThroughput'
        : `${name} must be the only operation in the request`,
    );
  }
  if (input.OnDemandThroughput && (input.StreamSpecification || input.ProvisionedThroughput))
    throw refuse('OnDemandThroughput can only be combined with BillingMode in an UpdateTable request');
  const provisions = input.ProvisionedThroughput !== undefined;
  if (input.StreamSpecification && (provisions || input.BillingMode === 'PROVISIONED'))
    throw refuse('You cannot modify stream status while updating table IOPS');
  if (reshaped && provisions) throw refuse('You cannot create or delete index while updating table IOPS');
  if (reshaped && input.StreamSpecification)
    throw refuse('You cannot create or delete index while changing stream status');
}
