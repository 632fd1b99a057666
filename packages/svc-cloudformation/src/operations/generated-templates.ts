import { copyOf } from '@emu/core/service';
import type {
  GeneratedTemplateResourceStatus,
  InputOf,
  OutputOf,
  ResourceDefinition,
  WarningDetail,
} from '@emu/service-types/cloudformation';
import { stringify } from 'yaml';
import { askerOf, type CloudformationContext } from '../context.ts';
import { cloudformationError, invalid } from '../errors.ts';
import type { AskerRecord, GeneratedResourceRecord, GeneratedTemplateRecord } from '../iac/records.ts';
import type { GeneratedTemplate } from '../iac/templates.ts';
import { stackOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { parseTemplate } from '../templates/parse.ts';

/** Maximum number of templates of an account and region, and of resources in a template. */
const MAX_TEMPLATES = 1000;
const MAX_RESOURCES = 500;
const LISTED = 50;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function templateNamed(name: string, { state }: CloudformationContext): GeneratedTemplate {
  const template = state.generated.find(name);
  if (!template)
    throw cloudformationError('GeneratedTemplateNotFoundException', `Generated template ${name} not found`);
  return template;
}

function checkName(name: string, { state }: CloudformationContext): void {
  if (state.generated.find(name))
    throw cloudformationError('AlreadyExistsException', `Generated template [${name}] already exists`);
}

const asker = (ctx: CloudformationContext): AskerRecord => {
  const { principal, endpoint, cause } = askerOf(ctx);
  return { principal, endpoint, ...(cause !== undefined && { cause }) };
};

/** Generates a logical id from type and identifier, for a resource without one in the request. */
function logicalIdOf({ ResourceType, ResourceIdentifier }: ResourceDefinition, ctx: CloudformationContext): string {
  const type = ResourceType.split('::').slice(1).join('');
  const identifier = Object.values(ResourceIdentifier)
    .join('')
    .replace(/[^A-Za-z0-9]/g, '');
  return `${type}00${identifier}00${ctx.ids.chars(5, LETTERS)}`.slice(0, 255);
}

/**
 * Parses the resources of a request as pending.
 * @throws AwsError if they cannot be in one template
 */
async function definitionsOf(
  definitions: readonly ResourceDefinition[],
  known: readonly GeneratedResourceRecord[],
  taken: readonly string[],
  ctx: CloudformationContext,
): Promise<GeneratedResourceRecord[]> {
  const all = [...known];
  for (const definition of definitions) {
    const { ResourceType: type, ResourceIdentifier: identifier } = definition;
    const provider = await ctx.state.comparable(type);
    if (!provider) throw invalid(`Resource type ${type} is not supported`);
    const names = provider.facts.primaryIdentifier;
    if (Object.keys(identifier).length !== names.length || names.some((name) => !Object.hasOwn(identifier, name)))
      throw invalid(`ResourceIdentifier of ${type} must have the properties [${names.join(', ')}]`);
    const logicalId = definition.LogicalResourceId ?? logicalIdOf(definition, ctx);
    if (!/^[A-Za-z0-9]+$/.test(logicalId)) throw invalid(`Logical resource id ${logicalId} must be alphanumeric.`);
    if (taken.includes(logicalId) || all.some((one) => one.logicalId === logicalId))
      throw cloudformationError(
        'AlreadyExistsException',
        `Logical resource id ${logicalId} already exists in the template`,
      );
    all.push({ type, logicalId, identifier: { ...identifier }, status: 'PENDING', warnings: [] });
  }
  if (all.length > MAX_RESOURCES)
    throw cloudformationError('LimitExceededException', `A template can have ${MAX_RESOURCES} resources at most.`);
  return all;
}

/**
 * Starts generating a template from existing resources.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateGeneratedTemplate.html
 */
export async function CreateGeneratedTemplate(
  input: InputOf<'CreateGeneratedTemplate'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'CreateGeneratedTemplate'>> {
  const { state } = ctx;
  const { GeneratedTemplateName: name, StackName, Resources = [], TemplateConfiguration = {} } = input;
  checkName(name, ctx);
  if (state.generated.all().length >= MAX_TEMPLATES)
    throw cloudformationError('LimitExceededException', `Limit of ${MAX_TEMPLATES} generated templates exceeded.`);
  const stack = StackName === undefined ? undefined : stackOf(StackName, ctx);
  const base = stack && parseTemplate(state.template(stack.templateId)!.body);
  const resources = await definitionsOf(Resources, [], Object.keys((base?.Resources as object | undefined) ?? {}), ctx);
  checkName(name, ctx);
  const now = ctx.clock.now();
  const template = state.generated.begin({
    uuid: ctx.ids.uuid(),
    name,
    status: 'CREATE_PENDING',
    createdAt: now,
    updatedAt: now,
    ...(stack && { stackId: state.arn(stack), base: JSON.stringify(base) }),
    deletionPolicy: TemplateConfiguration.DeletionPolicy ?? 'RETAIN',
    updateReplacePolicy: TemplateConfiguration.UpdateReplacePolicy ?? 'RETAIN',
    resources,
    asker: asker(ctx),
  });
  return { GeneratedTemplateId: state.generated.arn(template) };
}

/**
 * Changes a generated template and starts generating it again.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_UpdateGeneratedTemplate.html
 */
export async function UpdateGeneratedTemplate(
  input: InputOf<'UpdateGeneratedTemplate'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'UpdateGeneratedTemplate'>> {
  const { generated } = ctx.state;
  const { NewGeneratedTemplateName: name, AddResources = [], RemoveResources = [], TemplateConfiguration = {} } = input;
  const template = copyOf(templateNamed(input.GeneratedTemplateName, ctx)) as GeneratedTemplateRecord;
  checkIdle(template, ctx);
  if (name !== undefined && name !== template.name) checkName(name, ctx);
  for (const id of RemoveResources)
    if (!template.resources.some(({ logicalId }) => logicalId === id))
      throw invalid(`Resource ${id} does not exist in the generated template`);
  const kept = template.resources
    .filter(({ logicalId }) => !RemoveResources.includes(logicalId))
    .map((one) => (input.RefreshAllResources ? { ...one, status: 'PENDING' as const } : one));
  const base = template.base === undefined ? {} : (JSON.parse(template.base) as { Resources?: object });
  const resources = await definitionsOf(AddResources, kept, Object.keys(base.Resources ?? {}), ctx);
  checkIdle(templateNamed(input.GeneratedTemplateName, ctx), ctx);
  const changed = generated.begin({
    ...template,
    ...(name !== undefined && { name }),
    status: 'UPDATE_PENDING',
    updatedAt: ctx.clock.now(),
    deletionPolicy: TemplateConfiguration.DeletionPolicy ?? template.deletionPolicy,
    updateReplacePolicy: TemplateConfiguration.UpdateReplacePolicy ?? template.updateReplacePolicy,
    resources,
    asker: asker(ctx),
  });
  return { GeneratedTemplateId: generated.arn(changed) };
}

/**
 * Rejects changes while a template is being generated.
 * @throws AwsError `ConcurrentResourcesLimitExceeded`
 */
function checkIdle(
  template: Pick<GeneratedTemplate, 'uuid' | 'status' | 'name'>,
  { state }: CloudformationContext,
): void {
  if (state.generated.busy(template))
    throw cloudformationError(
      'ConcurrentResourcesLimitExceededException',
      `Generated template [${template.name}] is in the status ${template.status}`,
    );
}

/**
 * Describes a generated template.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeGeneratedTemplate.html
 */
export function DescribeGeneratedTemplate(
  input: InputOf<'DescribeGeneratedTemplate'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeGeneratedTemplate'> {
  const template = templateNamed(input.GeneratedTemplateName, ctx);
  const { resources, reason, stackId } = template;
  const count = (status: GeneratedTemplateResourceStatus) => resources.filter((one) => one.status === status).length;
  return {
    GeneratedTemplateId: ctx.state.generated.arn(template),
    GeneratedTemplateName: template.name,
    Resources: resources.map(({ type, logicalId, identifier, status, reason: why, warnings }) => ({
      ResourceType: type,
      LogicalResourceId: logicalId,
      ResourceIdentifier: { ...identifier },
      ResourceStatus: status,
      ...(why !== undefined && { ResourceStatusReason: why }),
      Warnings: copyOf(warnings) as WarningDetail[],
    })),
    Status: template.status,
    ...(reason !== undefined && { StatusReason: reason }),
    CreationTime: new Date(template.createdAt),
    LastUpdatedTime: new Date(template.updatedAt),
    Progress: {
      ResourcesSucceeded: count('COMPLETE'),
      ResourcesFailed: count('FAILED'),
      ResourcesProcessing: count('IN_PROGRESS'),
      ResourcesPending: count('PENDING'),
    },
    ...(stackId !== undefined && { StackId: stackId }),
    TemplateConfiguration: {
      DeletionPolicy: template.deletionPolicy,
      UpdateReplacePolicy: template.updateReplacePolicy,
    },
    TotalWarnings: resources.reduce((sum, { warnings }) => sum + warnings.length, 0),
  };
}

/**
 * Deletes a generated template.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteGeneratedTemplate.html
 */
export function DeleteGeneratedTemplate(
  input: InputOf<'DeleteGeneratedTemplate'>,
  ctx: CloudformationContext,
): OutputOf<'DeleteGeneratedTemplate'> {
  const template = templateNamed(input.GeneratedTemplateName, ctx);
  checkIdle(template, ctx);
  ctx.state.generated.delete(template.uuid);
  return {};
}

/**
 * Returns the text of a generated template as last completed.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetGeneratedTemplate.html
 */
export function GetGeneratedTemplate(
  input: InputOf<'GetGeneratedTemplate'>,
  ctx: CloudformationContext,
): OutputOf<'GetGeneratedTemplate'> {
  const { status, body = '{}' } = templateNamed(input.GeneratedTemplateName, ctx);
  return {
    Status: status,
    TemplateBody: input.Format === 'YAML' ? stringify(JSON.parse(body)) : body,
  };
}

/**
 * Lists generated templates.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListGeneratedTemplates.html
 */
export function ListGeneratedTemplates(
  input: InputOf<'ListGeneratedTemplates'>,
  ctx: CloudformationContext,
): OutputOf<'ListGeneratedTemplates'> {
  const { generated } = ctx.state;
  return paging
    .page('ListGeneratedTemplates', input, generated.all(), ({ name }) => name, { defaultLimit: LISTED })
    .list((template) => ({
      GeneratedTemplateId: generated.arn(template),
      GeneratedTemplateName: template.name,
      Status: template.status,
      ...(template.reason !== undefined && { StatusReason: template.reason }),
      CreationTime: new Date(template.createdAt),
      LastUpdatedTime: new Date(template.updatedAt),
      NumberOfResources: template.resources.length,
    }));
}
