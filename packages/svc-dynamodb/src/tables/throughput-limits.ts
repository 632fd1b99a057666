import type { DeepReadonly } from '@emu/core/service';
import type { BillingMode, OnDemandThroughput, WarmThroughput } from '@emu/service-types/dynamodb';
import { invalid } from '../errors.ts';
import type { Throughput } from '../records.ts';

const bad = (reason: string) => invalid(`One or more parameter values were invalid: ${reason}`);

/** Value that removes a limit. */
const UNBOUND = -1;

/**
 * Validates limits of on-demand throughput, of a table or the named index.
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

/** Address in AWS's message for warm throughput below that of a new on-demand table. */
const INITIAL_THROUGHPUT =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial';

/** Default warm throughput of on-demand tables in AWS. */
const ON_DEMAND_WARM = { read: 12_000, write: 4000 };

/** Returns the warm throughput of a table or index: the requested one, or the default of its billing mode. */
export function warmOf(
  { warm, throughput }: { warm?: Units | undefined; throughput: DeepReadonly<Throughput> },
  billingMode: BillingMode,
): { read: number; write: number } {
  const base = leastWarm(throughput, billingMode);
  return { read: warm?.read ?? base.read, write: warm?.write ?? base.write };
}

/** Returns the minimum warm throughput of a new table or index, the default of its billing mode. */
export const leastWarm = (
  throughput: DeepReadonly<Throughput>,
  billingMode: BillingMode,
): { read: number; write: number } => (billingMode === 'PAY_PER_REQUEST' ? ON_DEMAND_WARM : throughput);

/** Returns the requested warm throughput, with current values for missing members. */
export function warmAfter(given: WarmThroughput, current?: Units): { read?: number; write?: number } {
  const { ReadUnitsPerSecond: read = current?.read, WriteUnitsPerSecond: write = current?.write } = given;
  return { ...(read !== undefined && { read }), ...(write !== undefined && { write }) };
}

/**
 * Validates warm throughput: at least the provisioned throughput for a new table or index, and never below the current
 * value for an existing one.
 * @param least minimum values
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
          ? `${where} initial throughput for OnDemand. See: ${INITIAL_THROUGHPUT}`
          : `${where} ${unit} of ProvisionedThroughput`
        : `${where} current WarmThroughput, decreasing WarmThroughput is not supported`,
    );
  }
}
