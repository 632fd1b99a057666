import type {
  ComplianceSeverity,
  ComplianceStatus,
  ComplianceStringFilter,
  SeveritySummary,
} from '@emu/service-types/ssm';
import { compares } from '../comparisons.ts';
import { ssmError } from '../errors.ts';
import { SEVERITIES } from './from-inventory.ts';
import type { Compliance, ComplianceItem } from './store.ts';

type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the filterable fields of an item. */
export const itemFields = (compliance: Compliance, item: ComplianceItem): Fields => ({
  ...item.details,
  ...resourceFields(compliance),
  Id: item.id,
  Title: item.title,
  Status: item.status,
  Severity: item.severity,
});

/** Returns the filterable fields of a resource's compliance in one type. */
export const resourceFields = (compliance: Compliance): Fields => ({
  ComplianceType: compliance.complianceType,
  ResourceType: compliance.resourceType,
  ResourceId: compliance.resourceId,
  ExecutionTime: new Date(compliance.executedAt).toISOString(),
  ExecutionId: compliance.executionId,
  ExecutionType: compliance.executionType,
  Status: statusOf(compliance),
  OverallSeverity: overallSeverity(compliance),
});

/** Filter keys valid for every compliance type. */
const KEYS = [
  ...['ComplianceType', 'ResourceType', 'ResourceId', 'ExecutionTime', 'ExecutionId', 'ExecutionType', 'Status'],
  ...['OverallSeverity', 'Severity', 'Id', 'Title', 'Classification', 'DocumentName', 'DocumentVersion'],
  ...['InstalledTime', 'PatchBaselineId', 'PatchGroup', 'PatchSeverity', 'PatchState'],
];

/**
 * Returns the predicate for filters.
 * @throws AwsError `InvalidFilter`
 */
export function fieldFilter(filters: readonly ComplianceStringFilter[] = []): (fields: Fields) => boolean {
  const tests = filters.map(({ Key = '', Values = [], Type = 'EQUAL' }) => {
    if (!KEYS.includes(Key)) throw ssmError('InvalidFilter', `The filter key ${Key} is not valid.`);
    if (!Values.length) throw ssmError('InvalidFilter', `The filter ${Key} has no values.`);
    return (fields: Fields) => fields[Key] !== undefined && compares(fields[Key], Type, Values);
  });
  return (fields) => tests.every((test) => test(fields));
}

/** Returns whether all items of a resource's type are compliant. */
export const statusOf = ({ items }: Compliance): ComplianceStatus =>
  items.some(({ status }) => status === 'NON_COMPLIANT') ? 'NON_COMPLIANT' : 'COMPLIANT';

/** Returns the highest severity of the non-compliant items. */
export const overallSeverity = ({ items }: Compliance): ComplianceSeverity =>
  SEVERITIES.find((severity) => items.some((item) => item.status === 'NON_COMPLIANT' && item.severity === severity)) ??
  'UNSPECIFIED';

/** Counts severities. */
const bySeverity = (severities: readonly ComplianceSeverity[]): SeveritySummary =>
  Object.fromEntries(
    SEVERITIES.map((severity) => [
      `${severity[0]}${severity.slice(1).toLowerCase()}Count`,
      severities.filter((one) => one === severity).length,
    ]),
  );

/** Counts by status and severity, in the shape of summaries. */
export function countsOf(counted: readonly { status: ComplianceStatus; severity: ComplianceSeverity }[]) {
  const ofStatus = (status: ComplianceStatus) =>
    counted.filter((one) => one.status === status).map(({ severity }) => severity);
  const [good, bad] = [ofStatus('COMPLIANT'), ofStatus('NON_COMPLIANT')];
  return {
    CompliantSummary: { CompliantCount: good.length, SeveritySummary: bySeverity(good) },
    NonCompliantSummary: { NonCompliantCount: bad.length, SeveritySummary: bySeverity(bad) },
  };
}
