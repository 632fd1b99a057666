import { notEmulated, type Place } from '@emu/core/service';
import type { OpsItemFilter, OpsItemFilterKey, OpsItemFilterOperator } from '@emu/service-types/ssm';
import { compares } from '../comparisons.ts';
import { invalid } from '../errors.ts';
import { ACCESS_REQUEST } from './announcements.ts';
import type { OpsItem } from './store.ts';

type Operators = readonly OpsItemFilterOperator[];

const EQUAL: Operators = ['Equal'];
const TEXT: Operators = ['Equal', 'Contains'];
const TIME: Operators = ['GreaterThan', 'LessThan'];
const iso = (time: number | undefined): string[] => (time === undefined ? [] : [new Date(time).toISOString()]);
const given = (text: string | number | undefined): string[] => (text === undefined ? [] : [String(text)]);
const dataOf = (item: OpsItem, key: string): string[] => given(item.operationalData[key]?.Value);
/** Returns the searchable data of an OpsItem. */
const searchable = ({ operationalData }: OpsItem) =>
  Object.entries(operationalData).filter(([, { Type }]) => Type === 'SearchableString');

const isAccessRequest = ({ type }: OpsItem): boolean => type === ACCESS_REQUEST;
/** Returns a member of an access request. */
function accessOf(item: OpsItem, member: string): string[] {
  const [text] = isAccessRequest(item) ? dataOf(item, ACCESS_REQUEST) : [];
  const value = text === undefined ? [] : ((JSON.parse(text) as Record<string, string | string[]>)[member] ?? []);
  return typeof value === 'string' ? [value] : value;
}

/** Filter keys, with their operators and the compared values of an OpsItem. */
const KEYS: Partial<Record<OpsItemFilterKey, readonly [Operators, (item: OpsItem) => string[]]>> = {
  Status: [EQUAL, ({ status }) => [status]],
  CreatedBy: [TEXT, ({ createdBy }) => [createdBy]],
  Source: [TEXT, ({ source }) => [source]],
  Priority: [EQUAL, ({ priority }) => given(priority)],
  Title: [TEXT, ({ title }) => [title]],
  OpsItemId: [EQUAL, ({ id }) => [id]],
  CreatedTime: [TIME, ({ createdAt }) => iso(createdAt)],
  LastModifiedTime: [TIME, ({ modifiedAt }) => iso(modifiedAt)],
  ActualStartTime: [TIME, ({ times }) => iso(times.ActualStartTime)],
  ActualEndTime: [TIME, ({ times }) => iso(times.ActualEndTime)],
  PlannedStartTime: [TIME, ({ times }) => iso(times.PlannedStartTime)],
  PlannedEndTime: [TIME, ({ times }) => iso(times.PlannedEndTime)],
  OperationalDataKey: [EQUAL, (item) => searchable(item).map(([key]) => key)],
  OperationalDataValue: [TEXT, (item) => searchable(item).flatMap(([, { Value }]) => given(Value))],
  ResourceId: [TEXT, (item) => dataOf(item, '/aws/resources')],
  AutomationId: [TEXT, (item) => dataOf(item, '/aws/automations')],
  Category: [EQUAL, ({ category }) => given(category)],
  Severity: [EQUAL, ({ severity }) => given(severity)],
  OpsItemType: [EQUAL, ({ type }) => [type]],
  AccessRequestByRequesterArn: [EQUAL, (item) => accessOf(item, 'requesterArn')],
  AccessRequestByRequesterId: [EQUAL, (item) => accessOf(item, 'requesterId')],
  AccessRequestByApproverArn: [EQUAL, (item) => accessOf(item, 'approverArns')],
  AccessRequestByApproverId: [EQUAL, (item) => accessOf(item, 'approverArns')],
  AccessRequestByTargetResourceId: [EQUAL, (item) => accessOf(item, 'targets')],
  AccessRequestBySourceOpsItemId: [EQUAL, (item) => (isAccessRequest(item) ? [item.id] : [])],
  AccessRequestByIsReplica: [EQUAL, (item) => (isAccessRequest(item) ? ['false'] : [])],
};

/** Whether an OpsItem has the data `{"key":"…","value":"…"}`. */
function hasData(item: OpsItem, text: string): boolean {
  let wanted: { key?: unknown; value?: unknown };
  try {
    wanted = JSON.parse(text) as typeof wanted;
  } catch {
    throw invalid(`The value ${text} of the filter OperationalData is not a JSON object.`);
  }
  return searchable(item).some(([key, { Value }]) => key === wanted?.key && Value === wanted.value);
}

/**
 * Returns the predicate for OpsItem filters.
 * @throws AwsError `ValidationException`; `NotImplemented` for unsupported keys
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeOpsItems.html
 */
export function opsItemFilter(
  filters: readonly OpsItemFilter[] = [],
  { accountId, region }: Place,
): (item: OpsItem) => boolean {
  const tests = filters.map(({ Key, Values, Operator }) => {
    if (Key === 'OperationalData') return (item: OpsItem) => Values.some((value) => hasData(item, value));
    if (Key === 'AccessRequestBySourceAccountId' || Key === 'AccessRequestBySourceRegion') {
      const own = Key === 'AccessRequestBySourceRegion' ? region : accountId;
      return (item: OpsItem) => isAccessRequest(item) && Values.includes(own);
    }
    if (Key === 'AccountId') return () => Values.includes(accountId);
    const known = KEYS[Key];
    if (!known) throw notEmulated(`the filter ${Key} of OpsItems of ssm`);
    const [operators, read] = known;
    if (!operators.includes(Operator))
      throw invalid(`The operator ${Operator} is not valid for the filter ${Key}. Valid: ${operators.join(', ')}.`);
    // Automations and resources are JSON lists that are searched for the id.
    const operator = Key === 'ResourceId' || Key === 'AutomationId' ? 'Contains' : Operator;
    return (item: OpsItem) => read(item).some((value) => compares(value, operator, Values));
  });
  return (item) => tests.every((test) => test(item));
}
