import { formatArn } from '@emu/core/service';
import type {
  Capability,
  InputOf,
  OutputOf,
  Parameter,
  StackSetAutoDeploymentTargetSummary,
  StackSet as StackSetDescription,
  StackSetDriftDetectionDetails,
  UpdateStackSetInput,
} from '@emu/service-types/cloudformation';
import { violationText } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { checkTags, previousAndNew, templateText } from '../engine/request.ts';
import { cloudformationError, invalid, noStackInstance, noStackSet } from '../errors.ts';
import { capabilitiesOf, stackNamed, tagsOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { SetDriftRecord } from '../stack-sets/records.ts';
import {
  beginOperation,
  checkCallAs,
  checkOperation,
  parametersAfter,
  placesOf,
  stackSetNamed,
} from '../stack-sets/requests.ts';
import type { Place, StackSet } from '../stack-sets/store.ts';
import { checkCapabilities } from '../templates/capabilities.ts';
import { parseTemplate } from '../templates/parse.ts';
import type { Template } from '../templates/template.ts';
import { serviceManaged } from './organizations.ts';
import { looked } from './templates.ts';

const DEFAULT_EXECUTION_ROLE = 'AWSCloudFormationStackSetExecutionRole';
const DEFAULT_ADMINISTRATION_ROLE = 'AWSCloudFormationStackSetAdministrationRole';

/** Returns the drift of a stack set as in responses. */
export const driftDetails = (drift: SetDriftRecord | StackSet['drift']): StackSetDriftDetectionDetails => ({
  DriftStatus: drift?.status ?? 'NOT_CHECKED',
  ...(drift && {
    DriftDetectionStatus: drift.detection,
    ...(drift.checkedAt !== undefined && { LastDriftCheckTimestamp: new Date(drift.checkedAt) }),
  }),
  TotalStackInstancesCount: drift?.total ?? 0,
  DriftedStackInstancesCount: drift?.drifted ?? 0,
  InSyncStackInstancesCount: drift?.inSync ?? 0,
  InProgressStackInstancesCount: drift?.inProgress ?? 0,
  FailedStackInstancesCount: drift?.failed ?? 0,
});

/**
 * Validates a template and its parameters as far as AWS does before a deployment.
 * @throws AwsError
 */
async function checkedTemplate(
  body: string,
  capabilities: readonly Capability[],
  parameters: readonly Parameter[],
  ctx: CloudformationContext,
): Promise<Template> {
  const { template, transforms } = await looked(parseTemplate(body), ctx);
  checkCapabilities(template, capabilities);
  if (transforms.length && !capabilities.includes('CAPABILITY_AUTO_EXPAND'))
    throw cloudformationError('InsufficientCapabilitiesException', 'Requires capabilities : [CAPABILITY_AUTO_EXPAND]');
  const given = new Set(parameters.map(({ ParameterKey }) => ParameterKey));
  const unknown = [...given].filter((key) => !Object.hasOwn(template.Parameters, key ?? ''));
  if (unknown.length) throw invalid(`Parameters: [${unknown.join(', ')}] do not exist in the template`);
  const missing = Object.entries(template.Parameters)
    .filter(([key, { Default }]) => Default === undefined && !given.has(key))
    .map(([key]) => key);
  if (missing.length) throw invalid(`Parameters: [${missing.join(', ')}] must have values`);
  return template;
}

/**
 * Creates a stack set from a template or from the template of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStackSet.html
 */
export async function CreateStackSet(
  input: InputOf<'CreateStackSet'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'CreateStackSet'>> {
  const { state } = ctx;
  const { StackSetName: name, StackId, Description, ClientRequestToken: token, Capabilities = [], Tags = [] } = input;
  checkCallAs(input);
  if (!/^[A-Za-z][-A-Za-z0-9]{0,127}$/.test(name))
    throw invalid(
      violationText('stackSetName', 'Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*', name),
    );
  if (input.PermissionModel === 'SERVICE_MANAGED') throw await serviceManaged(ctx);
  if (input.AutoDeployment)
    throw invalid('AutoDeployment is only valid for StackSets with the SERVICE_MANAGED permission model');
  const existing = state.stackSets.find(name);
  if (existing?.status === 'ACTIVE') {
    if (token !== undefined && existing.token === token) return { StackSetId: existing.id };
    throw cloudformationError('NameAlreadyExistsException', `StackSet with name ${name} already exists`);
  }
  if (StackId !== undefined && (input.TemplateBody !== undefined || input.TemplateURL !== undefined))
    throw invalid('You can specify either a template or StackId, but not both.');
  const source = StackId === undefined ? undefined : stackNamed(StackId, ctx);
  const templateBody = source ? state.template(source.templateId)!.body : await templateText(input, undefined, ctx);
  const given = source && !input.Parameters ? parametersFrom(source.parameters) : (input.Parameters ?? []);
  const parameters = parametersAfter(given, []);
  await checkedTemplate(templateBody, Capabilities, parameters, ctx);
  checkTags(Tags);
  const uuid = ctx.ids.uuid();
  const { accountId, region } = ctx;
  const resource = `role/${DEFAULT_ADMINISTRATION_ROLE}`;
  const role = formatArn({ service: 'iam', region: '', accountId, resource }, region);
  const set = state.stackSets.put({
    id: `${name}:${uuid}`,
    name,
    uuid,
    status: 'ACTIVE',
    ...(Description !== undefined && { description: Description }),
    templateBody,
    parameters,
    capabilities: [...Capabilities],
    tags: Tags.map((tag) => ({ ...tag })),
    administrationRoleArn: input.AdministrationRoleARN ?? role,
    executionRoleName: input.ExecutionRoleName ?? DEFAULT_EXECUTION_ROLE,
    managed: input.ManagedExecution?.Active ?? false,
    createdAt: ctx.clock.now(),
    ...(token !== undefined && { token }),
  });
  return { StackSetId: set.id };
}

const parametersFrom = (parameters: readonly { readonly key: string; readonly value: string }[]): Parameter[] =>
  parameters.map(({ key, value }) => ({ ParameterKey: key, ParameterValue: value }));

/**
 * Updates a stack set and its instances, all or those that the request names.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_UpdateStackSet.html
 */
export async function UpdateStackSet(
  input: InputOf<'UpdateStackSet'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'UpdateStackSet'>> {
  const { state } = ctx;
  checkCallAs(input);
  const set = stackSetNamed(input.StackSetName, ctx);
  const repeated = checkOperation(set, { action: 'UPDATE', input }, ctx);
  if (repeated !== undefined) return { OperationId: repeated };
  if (input.PermissionModel === 'SERVICE_MANAGED') throw await serviceManaged(ctx);
  if (input.AutoDeployment)
    throw invalid('AutoDeployment is only valid for StackSets with the SERVICE_MANAGED permission model');
  const { Capabilities = [], Description, Tags } = input;
  const templateBody = input.UsePreviousTemplate
    ? previousTemplate(set, input)
    : await templateText(input, undefined, ctx);
  const parameters = parametersAfter(input.Parameters ?? [], set.parameters as Parameter[]);
  const { Parameters: declared } = await checkedTemplate(templateBody, Capabilities, parameters, ctx);
  if (Tags) checkTags(Tags);
  const all = state.stackSets.instances(set.id);
  const some = input.Accounts || input.DeploymentTargets || input.Regions;
  const places: Place[] = some ? await placesOf(input, ctx) : all.map(({ account, region }) => ({ account, region }));
  for (const { account, region } of places)
    if (!state.stackSets.instance(set.id, { account, region })) throw noStackInstance(set.name, account, region);
  const changed = state.stackSets.update(set.id, (draft) => {
    draft.templateBody = templateBody;
    draft.parameters = parameters;
    draft.capabilities = [...Capabilities];
    if (Description !== undefined) draft.description = Description;
    if (Tags) draft.tags = Tags.map((tag) => ({ ...tag }));
    if (input.AdministrationRoleARN !== undefined) draft.administrationRoleArn = input.AdministrationRoleARN;
    if (input.ExecutionRoleName !== undefined) draft.executionRoleName = input.ExecutionRoleName;
    if (input.ManagedExecution) draft.managed = input.ManagedExecution.Active ?? false;
  });
  const kept = places.filter((place) => state.stackSets.instance(set.id, place)?.status !== 'INOPERABLE');
  const id = beginOperation(changed, { action: 'UPDATE', input, places: kept }, ctx);
  for (const instance of all)
    state.stackSets.updateInstance(set.id, instance, (draft) => {
      // An override of a parameter that the new template does not declare is removed.
      draft.overrides = draft.overrides.filter(({ ParameterKey }) => Object.hasOwn(declared, ParameterKey ?? ''));
      if (draft.status === 'INOPERABLE') return;
      draft.status = 'OUTDATED';
      if (!kept.some(({ account, region }) => account === draft.account && region === draft.region)) return;
      draft.detailed = 'PENDING';
      draft.lastOperation = id;
    });
  return { OperationId: id };
}

function previousTemplate({ templateBody }: StackSet, { TemplateBody, TemplateURL }: UpdateStackSetInput): string {
  if (TemplateBody !== undefined || TemplateURL !== undefined) throw previousAndNew();
  return templateBody;
}

/**
 * Deletes a stack set without instances; has no effect if it is missing.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStackSet.html
 */
export function DeleteStackSet(
  input: InputOf<'DeleteStackSet'>,
  ctx: CloudformationContext,
): OutputOf<'DeleteStackSet'> {
  const { stackSets } = ctx.state;
  checkCallAs(input);
  const set = stackSets.find(input.StackSetName);
  if (set?.status !== 'ACTIVE') return {};
  checkOperation({ ...set, managed: false }, { action: 'DELETE', input: {} }, ctx);
  if (stackSets.instances(set.id).length)
    throw cloudformationError('StackSetNotEmptyException', 'StackSet is not empty');
  stackSets.update(set.id, (draft) => {
    draft.status = 'DELETED';
  });
  return {};
}

/**
 * Describes a stack set.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackSet.html
 */
export function DescribeStackSet(
  input: InputOf<'DescribeStackSet'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackSet'> {
  const { stackSets } = ctx.state;
  checkCallAs(input);
  const set = stackSets.find(input.StackSetName);
  if (!set) throw noStackSet(input.StackSetName);
  const StackSet: StackSetDescription = {
    StackSetName: set.name,
    StackSetId: set.id,
    ...(set.description !== undefined && { Description: set.description }),
    Status: set.status,
    TemplateBody: set.templateBody,
    Parameters: set.parameters.map((parameter) => ({ ...parameter })),
    Capabilities: capabilitiesOf(set),
    Tags: tagsOf(set),
    StackSetARN: stackSets.arn(set),
    AdministrationRoleARN: set.administrationRoleArn,
    ExecutionRoleName: set.executionRoleName,
    StackSetDriftDetectionDetails: driftDetails(set.drift),
    PermissionModel: 'SELF_MANAGED',
    OrganizationalUnitIds: [],
    ManagedExecution: { Active: set.managed },
    Regions: [...new Set(stackSets.instances(set.id).map(({ region }) => region))],
  };
  return { StackSet };
}

/**
 * Lists stack sets, including deleted ones.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackSets.html
 */
export function ListStackSets(input: InputOf<'ListStackSets'>, ctx: CloudformationContext): OutputOf<'ListStackSets'> {
  checkCallAs(input);
  const sets = ctx.state.stackSets.all().filter(({ status }) => input.Status === undefined || status === input.Status);
  return paging
    .page('ListStackSets', input, sets, ({ id }) => id)
    .list(({ id, name, description, status, managed, drift }) => ({
      StackSetName: name,
      StackSetId: id,
      ...(description !== undefined && { Description: description }),
      Status: status,
      PermissionModel: 'SELF_MANAGED',
      DriftStatus: drift?.status ?? 'NOT_CHECKED',
      ...(drift?.checkedAt !== undefined && { LastDriftCheckTimestamp: new Date(drift.checkedAt) }),
      ManagedExecution: { Active: managed },
    }));
}

/**
 * Lists the organizational units with automatic deployment; self-managed stack sets have none.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackSetAutoDeploymentTargets.html
 */
export function ListStackSetAutoDeploymentTargets(
  input: InputOf<'ListStackSetAutoDeploymentTargets'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackSetAutoDeploymentTargets'> {
  checkCallAs(input);
  stackSetNamed(input.StackSetName, ctx);
  const targets: StackSetAutoDeploymentTargetSummary[] = [];
  return paging
    .page('ListStackSetAutoDeploymentTargets', input, targets, ({ OrganizationalUnitId }) => OrganizationalUnitId ?? '')
    .list((target) => target);
}
