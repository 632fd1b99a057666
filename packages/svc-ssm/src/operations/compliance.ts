import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import { report } from '../compliance/reporting.ts';
import type { Compliance, ComplianceItemRecord } from '../compliance/store.ts';
import {
  countsOf,
  fieldFilter,
  itemFields,
  overallSeverity,
  resourceFields,
  statusOf,
} from '../compliance/summaries.ts';
import type { SsmContext } from '../context.ts';
import { invalid, ssmError } from '../errors.ts';
import { paging } from '../paging.ts';

const RESOURCE_TYPE = 'ManagedInstance';
const NODE = /^(i-(\w{8}|\w{17})|mi-\w{17})$/;
/** Maximum number of custom compliance types of an account. */
const MAX_TYPES = 10;

const execution = ({ executedAt, executionId, executionType }: Compliance) => ({
  ExecutionTime: new Date(executedAt),
  ExecutionId: executionId,
  ExecutionType: executionType,
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutComplianceItems.html */
export function PutComplianceItems(
  input: InputOf<'PutComplianceItems'>,
  ctx: SsmContext,
): OutputOf<'PutComplianceItems'> {
  const { compliance } = ctx.state;
  const { ResourceId, ResourceType, ComplianceType, ExecutionSummary, ItemContentHash } = input;
  if (ResourceType !== RESOURCE_TYPE) throw ssmError('InvalidResourceType', '');
  if (!NODE.test(ResourceId)) throw ssmError('InvalidResourceId', '');
  const custom = ComplianceType.startsWith('Custom:');
  if (!custom && ComplianceType !== 'Patch' && ComplianceType !== 'Association')
    throw invalid(`The compliance type ${ComplianceType} is not valid: it is Association, Patch or Custom:string.`);
  const types = new Set(compliance.all().map(({ complianceType }) => complianceType));
  if (
    custom &&
    !types.has(ComplianceType) &&
    [...types].filter((type) => type.startsWith('Custom:')).length >= MAX_TYPES
  )
    throw ssmError(
      'ComplianceTypeCountLimitExceededException',
      `An account can have at most ${MAX_TYPES} custom compliance types.`,
    );
  if (input.UploadType === 'PARTIAL' && ComplianceType !== 'Association')
    throw invalid('The upload type PARTIAL is valid for association compliance only.');
  const address = { resourceType: ResourceType, resourceId: ResourceId, complianceType: ComplianceType };
  const known = compliance.get(address);
  if (ItemContentHash !== undefined && known?.contentHash === ItemContentHash) return {};
  const items: ComplianceItemRecord[] = input.Items.map(({ Id, Title, Severity, Status, Details = {} }) => ({
    id: Id,
    title: Title,
    severity: Severity,
    status: Status,
    details: Details,
  }));
  const kept =
    input.UploadType === 'PARTIAL'
      ? (known?.items ?? []).filter(({ id }) => !items.some((item) => item.id === id))
      : [];
  const record = {
    ...address,
    executedAt: ExecutionSummary.ExecutionTime.getTime(),
    executionId: ExecutionSummary.ExecutionId,
    executionType: ExecutionSummary.ExecutionType,
    contentHash: ItemContentHash,
    items: [...(kept as ComplianceItemRecord[]), ...items],
  };
  report(record, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListComplianceItems.html */
export function ListComplianceItems(
  input: InputOf<'ListComplianceItems'>,
  { state }: SsmContext,
): OutputOf<'ListComplianceItems'> {
  const { ResourceIds, ResourceTypes } = input;
  if (ResourceIds && ResourceIds.length > 1) throw ssmError('InvalidResourceId', '');
  if (ResourceTypes?.some((type) => type !== RESOURCE_TYPE)) throw ssmError('InvalidResourceType', '');
  const passes = fieldFilter(input.Filters);
  const listed = state.compliance
    .all()
    .filter(({ resourceId }) => !ResourceIds || ResourceIds.includes(resourceId))
    .flatMap((compliance) => compliance.items.map((item, index) => ({ compliance, item, index })))
    .filter(({ compliance, item }) => passes(itemFields(compliance, item)));
  return paging
    .page(
      'ListComplianceItems',
      input,
      listed,
      ({ compliance, index }) =>
        `${compliance.complianceType} ${compliance.resourceId} ${String(index).padStart(6, '0')}`,
    )
    .list(({ compliance, item }) => ({
      ComplianceType: compliance.complianceType,
      ResourceType: compliance.resourceType,
      ResourceId: compliance.resourceId,
      Id: item.id,
      Title: item.title,
      Status: item.status,
      Severity: item.severity,
      ExecutionSummary: execution(compliance),
      Details: { ...item.details },
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListResourceComplianceSummaries.html */
export function ListResourceComplianceSummaries(
  input: InputOf<'ListResourceComplianceSummaries'>,
  { state }: SsmContext,
): OutputOf<'ListResourceComplianceSummaries'> {
  const passes = fieldFilter(input.Filters);
  const listed = state.compliance.all().filter((compliance) => passes(resourceFields(compliance)));
  return paging
    .page(
      'ListResourceComplianceSummaries',
      input,
      listed,
      ({ complianceType, resourceId }) => `${complianceType} ${resourceId}`,
    )
    .list((compliance) => ({
      ComplianceType: compliance.complianceType,
      ResourceType: compliance.resourceType,
      ResourceId: compliance.resourceId,
      Status: statusOf(compliance),
      OverallSeverity: overallSeverity(compliance),
      ExecutionSummary: execution(compliance),
      ...countsOf(compliance.items),
    }));
}

/**
 * Counts resources by compliance type: a resource with a non-compliant item is non-compliant.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListComplianceSummaries.html
 */
export function ListComplianceSummaries(
  input: InputOf<'ListComplianceSummaries'>,
  { state }: SsmContext,
): OutputOf<'ListComplianceSummaries'> {
  const passes = fieldFilter(input.Filters);
  const all = state.compliance.all().filter((compliance) => passes(resourceFields(compliance)));
  const types = [...new Set(all.map(({ complianceType }) => complianceType))];
  return paging
    .page('ListComplianceSummaries', input, types, (type) => type)
    .list((ComplianceType) => ({
      ComplianceType,
      ...countsOf(
        all
          .filter(({ complianceType }) => complianceType === ComplianceType)
          .map((compliance) => ({ status: statusOf(compliance), severity: overallSeverity(compliance) })),
      ),
    }));
}
