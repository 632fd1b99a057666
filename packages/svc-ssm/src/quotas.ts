import {
  type AnyQuota,
  defineQuotas,
  listedQuotas,
  type NumberQuota,
  type QuotaFacts,
  type RateQuota,
  requestRate,
} from '@emu/core/service';
import type { PutParameterRequest, SsmOperations } from '@emu/service-types/ssm';
import type { AwsError } from '@emu/wire';
import { ssmError } from './errors.ts';
import { readSelection } from './parameters/names.ts';
import { currentVersion, type Parameter } from './parameters/table.ts';
import { tierOf } from './parameters/writing.ts';
import type { VersionRecord } from './records.ts';
import { defaultTier, hasHighThroughput, MAX_STANDARD } from './settings.ts';
import type { SsmState } from './state.ts';

type Quota = NumberQuota<SsmOperations, SsmState>;
type Rate = RateQuota<SsmOperations, SsmState>;

const PAGE = 'https://docs.aws.amazon.com/general/latest/gr/ssm.html';
const ssm = (code: string, name: string, defaultValue: number, adjustable: boolean): QuotaFacts => ({
  serviceCode: 'ssm',
  code,
  name,
  defaultValue,
  adjustable,
  page: PAGE,
});

interface Change {
  readonly before: VersionRecord['tier'] | undefined;
  readonly after: VersionRecord['tier'];
}

/** Returns the tier change of a request; undefined if the handler will reject it. */
function changeOf(input: PutParameterRequest, state: SsmState): Change | undefined {
  const existing: Parameter | undefined = state.parameters.get(readSelection(input.Name).key);
  if (existing && !input.Overwrite) return undefined;
  const current = existing && currentVersion(existing);
  try {
    return { before: current?.tier, after: tierOf(input, current, defaultTier(state), isFull(state)) };
  } catch {
    return undefined;
  }
}

const isFull = ({ parameters }: SsmState): boolean => parameters.standard >= MAX_STANDARD;

/** Quota on the number of parameters in a tier. */
const parameters = (facts: QuotaFacts, tier: VersionRecord['tier']): Quota => {
  const count = ({ parameters: table }: SsmState) => (tier === 'Advanced' ? table.advanced : table.standard);
  return {
    ...facts,
    usage: count,
    grows: {
      PutParameter(input, state) {
        const change = changeOf(input, state);
        return change?.after === tier && change.before !== tier ? count(state) + 1 : undefined;
      },
    },
    error: () =>
      ssmError(
        'ParameterLimitExceeded',
        'You have exceeded the number of parameters for this AWS account. Delete one or more parameters and try again.',
      ),
  };
};

const resourceLimit = (): AwsError =>
  ssmError('ResourceLimitExceededException', 'The caller has exceeded the default resource quotas.');

/** Read operations of Parameter Store that share a rate quota, unless higher throughput is enabled. */
const READS = ['GetParameter', 'GetParameters', 'GetParametersByPath'] as const;
const throttled = (): AwsError => ssmError('ThrottlingException', 'Rate exceeded', { status: 400 });

/**
 * Rate quota of a Parameter Store operation.
 * @param shared operations that share the default rate
 * @param high requests per second with higher throughput, for this operation alone
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-throughput.html
 */
function throughput(
  code: string,
  operation: (typeof READS)[number] | 'PutParameter',
  perSecond: number,
  high: number,
  shared: readonly (keyof SsmOperations)[] = [operation],
): Rate {
  const weigh = (counted: keyof SsmOperations) => (_input: unknown, state: SsmState) =>
    hasHighThroughput(state) ? (counted === operation ? perSecond / high : 0) : 1;
  return requestRate<SsmOperations, SsmState>(
    {
      ...ssm(code, `Rate of ${operation} requests`, perSecond, false),
      usageMetric: { service: 'SSM', resource: operation },
    },
    Object.fromEntries(shared.map((counted) => [counted, weigh(counted)])) as Rate['rate'],
    throttled,
  );
}

/** Quotas of Systems Manager. */
export const quotas: readonly AnyQuota[] = defineQuotas<SsmOperations, SsmState>([
  parameters(ssm('L-C3B871CB', 'Standard parameters', MAX_STANDARD, false), 'Standard'),
  parameters(ssm('L-527D1CD8', 'Advanced parameters', 100_000, false), 'Advanced'),
  throughput('L-E72257B6', 'GetParameter', 40, 10_000, READS),
  throughput('L-1F60EE8D', 'GetParameters', 40, 1000, READS),
  throughput('L-2912F481', 'GetParametersByPath', 40, 100, READS),
  throughput('L-D500163B', 'PutParameter', 3, 10),
  {
    ...ssm('L-60D2045D', 'Systems Manager SSM documents', 500, true),
    usage: ({ documents }) => documents.size,
    grows: {
      CreateDocument: ({ Name }, { documents }) => (documents.get(Name) ? undefined : documents.size + 1),
    },
    error: (limit) => ssmError('DocumentLimitExceeded', `You can have at most ${limit} active SSM documents.`),
  },
  {
    ...ssm('L-01B74EDA', 'Concurrent State Manager associations per region', 2000, true),
    usage: ({ associations }) => associations.associations.size,
    grows: {
      CreateAssociation: (_input, { associations }) => associations.associations.size + 1,
      CreateAssociationBatch: ({ Entries }, { associations }) => associations.associations.size + Entries.length,
    },
    error: (limit) => ssmError('AssociationLimitExceeded', `You can have at most ${limit} active associations.`),
  },
  {
    ...ssm('L-7727CE5B', 'Maintenance Windows', 50, true),
    usage: ({ windows }) => windows.windows.size,
    grows: { CreateMaintenanceWindow: (_input, { windows }) => windows.windows.size + 1 },
    error: resourceLimit,
  },
  {
    ...ssm('L-B1A84B8B', 'Targets per Maintenance Window', 100, true),
    grows: {
      RegisterTargetWithMaintenanceWindow: ({ WindowId }, { windows }) => windows.targetsOf(WindowId).length + 1,
    },
    error: resourceLimit,
  },
  {
    ...ssm('L-3D9CCA6E', 'Tasks per Maintenance Window', 20, true),
    grows: { RegisterTaskWithMaintenanceWindow: ({ WindowId }, { windows }) => windows.tasksOf(WindowId).length + 1 },
    error: resourceLimit,
  },
  {
    ...ssm('L-218CDBD4', 'Patch baselines', 50, true),
    usage: ({ patches }) => patches.baselines.size,
    grows: { CreatePatchBaseline: (_input, { patches }) => patches.baselines.size + 1 },
    error: resourceLimit,
  },
  {
    ...ssm('L-F4012070', 'Patch groups per patch baseline', 25, true),
    grows: {
      RegisterPatchBaselineForPatchGroup: ({ BaselineId, PatchGroup }, { patches }) => {
        const groups = patches.groupsOf(BaselineId);
        return groups.includes(PatchGroup) ? undefined : groups.length + 1;
      },
    },
    error: resourceLimit,
  },
  ...listedQuotas({ serviceCode: 'ssm', page: PAGE }, [
    ['L-0BB2D2EE', 'Parameter versions', 100],
    ['L-BCC99751', 'Standard parameter value', 4, { unit: 'Kilobytes' }],
    ['L-CECCEB04', 'Advanced parameter value', 8, { unit: 'Kilobytes' }],
    ['L-38E2D141', 'Systems Manager document size', 64, { unit: 'Kilobytes' }],
    ['L-09101E66', 'Concurrently executing Automations', 100, { adjustable: true }],
    ['L-67DAE0B3', 'Additional Automation executions that can be queued', 5000, { adjustable: true }],
    ['L-44746CFE', 'Concurrently executing rate control automation', 25, { adjustable: true }],
    ['L-CE4D78FF', 'Additional rate control automation executions that can be queued', 1000, { adjustable: true }],
    ['L-BDECE436', 'Number of levels of nested automation', 5],
    ['L-26BF3FE6', 'Maintenance Window concurrent executions', 5, { adjustable: true }],
    ['L-22ADA421', 'Single Maintenance Window concurrent executions', 1],
    ['L-038D7E0A', 'Target groups per Maintenance Window target or task', 5],
    ['L-F03CADDF', 'Instances per target', 50],
    ['L-00E10A78', 'Maintenance Window execution history retention', 30],
  ]),
]);
