import type { DashboardValidationMessage, InputOf, OutputOf } from '@emu/service-types/cloudwatch';
import type { AwsError } from '@emu/wire';
import type { CloudwatchContext } from '../context.ts';
import { validateDashboard } from '../dashboards/validate.ts';
import { cloudwatchError, invalidParameterValue } from '../errors.ts';
import { paging } from '../paging.ts';
import { dashboardType } from '../resources.ts';
import { tagging } from '../tags.ts';

const NAME = /^[A-Za-z0-9_-]{1,255}$/;
const PAGE = 1000;

const notFound = (name: string) => cloudwatchError('DashboardNotFoundError', `Dashboard ${name} does not exist`);

/**
 * Returns the error for an invalid body.
 * @param errors undefined if the body is not a JSON object
 */
function invalidBody(errors: readonly DashboardValidationMessage[] | undefined): AwsError {
  if (!errors)
    return cloudwatchError('DashboardInvalidInputError', 'The field DashboardBody must be a valid JSON object');
  const list = errors.map(({ DataPath, Message }) => ({ dataPath: DataPath, message: Message }));
  return cloudwatchError(
    'DashboardInvalidInputError',
    `The dashboard body is invalid, there are ${list.length} validation errors:\n${JSON.stringify(list, null, 2)}`,
    { members: { dashboardValidationMessages: [...errors] } },
  );
}

/**
 * Creates or replaces a dashboard. Warnings about its body are returned, errors reject it.
 * @throws AwsError `InvalidParameterValue`, `InvalidParameterInput`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutDashboard.html
 */
export function PutDashboard(input: InputOf<'PutDashboard'>, ctx: CloudwatchContext): OutputOf<'PutDashboard'> {
  const { DashboardName: name, DashboardBody: body, Tags } = input;
  if (!NAME.test(name))
    throw invalidParameterValue(
      'The value for field DashboardName contains invalid characters. It can only contain alphanumerics, dash (-) and underscore (_).\n',
    );
  const problems = validateDashboard(body);
  if (!problems || problems.errors.length) throw invalidBody(problems?.errors);
  const { dashboards } = ctx.state;
  const before = dashboards.get(name);
  const tags = before ? before.tags : Tags?.length ? tagging.merge(undefined, Tags) : undefined;
  dashboards.put(name, {
    name,
    body,
    modifiedAt: ctx.clock.now(),
    ...(tags && { tags: tags.map((tag) => ({ ...tag })) }),
  });
  return { DashboardValidationMessages: problems.warnings };
}

/**
 * Returns a dashboard as put.
 * @throws AwsError `ResourceNotFound`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetDashboard.html
 */
export function GetDashboard(
  { DashboardName: name }: InputOf<'GetDashboard'>,
  ctx: CloudwatchContext,
): OutputOf<'GetDashboard'> {
  const dashboard = ctx.state.dashboards.get(name);
  if (!dashboard) throw notFound(name);
  return { DashboardArn: dashboardType.arn({ name }, ctx), DashboardBody: dashboard.body, DashboardName: name };
}

/**
 * Lists the dashboards of the account, ordered by name.
 * @throws AwsError `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ListDashboards.html
 */
export function ListDashboards(input: InputOf<'ListDashboards'>, ctx: CloudwatchContext): OutputOf<'ListDashboards'> {
  const prefix = input.DashboardNamePrefix ?? '';
  const found = [...ctx.state.dashboards.values()].filter(({ name }) => name.startsWith(prefix));
  return paging
    .page('ListDashboards', input, found, ({ name }) => name, { defaultLimit: PAGE })
    .list(({ name, body, modifiedAt }) => ({
      DashboardName: name,
      DashboardArn: dashboardType.arn({ name }, ctx),
      LastModified: new Date(modifiedAt),
      Size: Buffer.byteLength(body),
    }));
}

/**
 * Deletes dashboards, all or none.
 * @throws AwsError `InvalidParameterValue` without a name, `ResourceNotFound`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteDashboards.html
 */
export function DeleteDashboards(
  { DashboardNames }: InputOf<'DeleteDashboards'>,
  ctx: CloudwatchContext,
): OutputOf<'DeleteDashboards'> {
  const { dashboards } = ctx.state;
  if (!DashboardNames.length) throw invalidParameterValue('The field DashboardNames must contain at least one name.');
  for (const name of DashboardNames) if (!dashboards.has(name)) throw notFound(name);
  for (const name of DashboardNames) dashboards.delete(name);
  return {};
}
