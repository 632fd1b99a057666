import type { DeepReadonly } from '@emu/core';
import type { BillingMode, OnDemandThroughput, WarmThroughput } from '@emu/service-types/dynamodb';
import { invalid } from '../context.ts';
import type { Throughput } from '../records.ts';

const bad = (reason: string) => invalid(`One or more parameter values were invalid: ${reason}`);

/** Says that there is no bound, where there was one. */
const UNBOUND = -1;

/**
 * Checks bounds of on-demand throughput of a table, or of the index that is named.
 * @throws AwsError `ValidationException`
 */
export function checkOnDemand(
  units: OnDemandThroughput | undefined,
  billingMode: BillingMode,
  indexName?: string,
): void {
  for (const name of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    const value = units?.[name];
    if (value === undefined) continue;
    if (billingMode === 'PROVISIONED')
      throw bad(
        `${name} for OnDemandThroughput cannot be specified ${indexName === undefined ? '' : `for index : ${indexName} `}when the table BillingMode is PROVISIONED`,
      );
    if (value < 1 && value !== UNBOUND)
      throw bad(
        `Requested ${name} for OnDemandThroughput for ${indexName === undefined ? 'table' : `index : ${indexName}`} is outside of valid range`,
      );
  }
}

type Units = DeepReadonly<{ read?: number | undefined; write?: number | undefined }>;

/** Warm throughput that AWS reports for on-demand tables that name none. */
const ON_DEMAND_WARM = { read: 12_000, write: 4000 };

/** The warm throughput of a table or an index: what it was given, else what its billing mode comes with. */
export function warmOf(
  { warm, throughput }: { warm?: Units | undefined; throughput: DeepReadonly<Throughput> },
  billingMode: BillingMode,
): { read: number; write: number } {
  const base = leastWarm(throughput, billingMode);
  return { read: warm?.read ?? base.read, write: warm?.write ?? base.write };
}

/** The least warm throughput that a new table or index can ask for: what its billing mode comes with. */
export const leastWarm = (
  throughput: DeepReadonly<Throughput>,
  billingMode: BillingMode,
): { read: number; write: number } => (billingMode === 'PAY_PER_REQUEST' ? ON_DEMAND_WARM : throughput);

/** Warm throughput as it was given, in the place of what there was. */
export function warmAfter(given: WarmThroughput, current?: Units): { read?: number; write?: number } {
  const { ReadUnitsPerSecond: read = current?.read, WriteUnitsPerSecond: write = current?.write } = given;
  return { ...(read !== undefined && { read }), ...(write !== undefined && { write }) };
}

/**
 * Checks the warm throughput of a new table or index, which is at least what is provisioned, or of one that is there,
 * which does not shrink.
 * @param least what it must not be below
 * @param subject `table`, or `index` and its name
 * @throws AwsError `ValidationException`
 */
export function checkWarm(
  given: WarmThroughput | undefined,
  least: { read: number; write: number },
  subject: string,
  isNew: boolean,
): void {
  for (const [name, unit, side] of [
    ['ReadUnitsPerSecond', 'ReadCapacityUnits', 'read'],
    ['WriteUnitsPerSecond', 'WriteCapacityUnits', 'write'],
  ] as const) {
    const value = given?.[name];
    if (value === undefined || value >= least[side]) continue;
    const where = `Requested ${name} for WarmThroughput for ${subject} is lower than`;
    throw bad(
      isNew
        ? least === ON_DEMAND_WARM
          ? `${where} the minimum of ${least[side]} for on-demand capacity mode`
          : `${where} ${unit} of ProvisionedThroughput`
        : `${where} current WarmThroughput, decreasing WarmThroughput is not supported`,
    );
  }
}
