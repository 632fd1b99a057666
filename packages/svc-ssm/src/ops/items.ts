import type { Place } from '@emu/core/service';
import { exceedsBytes } from '@emu/core/service';
import type { OpsItemDataValue, OpsItemStatus } from '@emu/service-types/ssm';
import { type AwsError, parseJson } from '@emu/wire';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import { announceItem, type ItemAuthor } from './announcements.ts';
import type { OpsItemRecord } from './records.ts';
import { opsItemType } from './resources.ts';
import type { OpsItem } from './store.ts';

export const ISSUE = '/aws/issue';
const TYPES = [ISSUE, '/aws/insight', '/aws/changerequest'];
const CATEGORIES = ['Availability', 'Cost', 'Performance', 'Recovery', 'Security'];
const SEVERITIES = ['1', '2', '3', '4'];
const ISSUE_STATUSES: readonly OpsItemStatus[] = ['Open', 'InProgress', 'Resolved'];
/** Keys with a special meaning; no other key may start with their prefix. */
const KNOWN_KEYS = ['/aws/dedup', '/aws/resources', '/aws/automations'];
const RESERVED_KEY = /^\/?(amazon|aws|amzn|ssm)/i;
const RESERVED_SOURCE = /aws|amazon|amzn/i;
/** Maximum bytes of an operational data value. */
const MAX_VALUE = 20 * 1024;

/** Error that names members of the request. */
export const invalidOpsItem = (message: string, ...ParameterNames: string[]): AwsError =>
  ssmError('OpsItemInvalidParameterException', message, { members: { ParameterNames } });

type Checked = Partial<Pick<OpsItemRecord, 'type' | 'source' | 'category' | 'severity' | 'status' | 'operationalData'>>;

/**
 * Validates the members of an OpsItem.
 * @throws AwsError `OpsItemInvalidParameterException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateOpsItem.html
 */
export function checkOpsItem({ type, source, category, severity, status, operationalData = {} }: Checked): void {
  if (type !== undefined && !TYPES.includes(type))
    throw invalidOpsItem(`The OpsItem type ${type} is not valid. Valid types: ${TYPES.join(', ')}.`, 'OpsItemType');
  if (source !== undefined && RESERVED_SOURCE.test(source))
    throw invalidOpsItem('The source cannot contain aws, amazon or amzn.', 'Source');
  if (category !== undefined && !CATEGORIES.includes(category))
    throw invalidOpsItem(
      `The category ${category} is not valid. Valid categories: ${CATEGORIES.join(', ')}.`,
      'Category',
    );
  if (severity !== undefined && !SEVERITIES.includes(severity))
    throw invalidOpsItem(
      `The severity ${severity} is not valid. Valid severities: ${SEVERITIES.join(', ')}.`,
      'Severity',
    );
  if (status !== undefined && type === ISSUE && !ISSUE_STATUSES.includes(status))
    throw invalidOpsItem(
      `The status ${status} is not valid for an OpsItem of type ${ISSUE}. Valid statuses: ${ISSUE_STATUSES.join(', ')}.`,
      'Status',
    );
  for (const [key, { Value = '' }] of Object.entries(operationalData)) {
    if (RESERVED_KEY.test(key) && !KNOWN_KEYS.includes(key))
      throw invalidOpsItem(`Operational data keys cannot begin as ${key} does.`, 'OperationalData');
    if (exceedsBytes(Value, MAX_VALUE))
      throw invalidOpsItem(`The value of ${key} is longer than 20 KB.`, 'OperationalData');
  }
}

/** Returns the deduplication string of an OpsItem; undefined if it has none. */
export function dedupString(data: Readonly<Record<string, OpsItemDataValue>>): string | undefined {
  const text = data['/aws/dedup']?.Value;
  if (text === undefined) return undefined;
  try {
    const { dedupString } = parseJson(text) as { dedupString?: unknown };
    if (typeof dedupString === 'string') return dedupString;
  } catch {
    // The check below rejects data without the member.
  }
  throw invalidOpsItem('The value of /aws/dedup is not a JSON object with a dedupString.', 'OperationalData');
}

/**
 * Returns an OpsItem by id.
 * @throws AwsError `OpsItemNotFoundException`
 */
export function opsItemAt(id: string, ctx: SsmContext): OpsItem {
  const item = ctx.state.ops.items.get(id);
  if (!item) throw ssmError('OpsItemNotFoundException', `OpsItem ID ${id} doesn't exist.`);
  return item;
}

/** Returns the ARN of an OpsItem of the request's account and region. */
export const opsItemArn = (id: string, ctx: SsmContext): string => opsItemType.arn({ id }, ctx);

/** Returns the author of a request's changes. */
export const authorOf = (ctx: SsmContext): ItemAuthor => ({
  ...placeOf(ctx),
  state: ctx.state,
  ids: ctx.ids,
  clock: ctx.clock,
  log: ctx.log,
  by: ctx.principal.arn,
  cause: ctx.requestId,
  publish: (message) => ctx.call('sns', 'Publish', message),
});

const placeOf = ({ accountId, region }: Place): Place => ({ accountId, region });

/**
 * Stores a new OpsItem and sends its event.
 * @param at creation time in epoch milliseconds
 */
export function addOpsItem(
  item: Omit<OpsItemRecord, 'version' | 'createdAt' | 'createdBy' | 'modifiedAt' | 'modifiedBy'>,
  at: number,
  ctx: SsmContext,
): void {
  const by = ctx.principal.arn;
  const made = { ...item, version: 1, createdAt: at, createdBy: by, modifiedAt: at, modifiedBy: by };
  announceItem('OpsItem Create', ctx.state.ops.items.put(item.id, made), authorOf(ctx));
}
