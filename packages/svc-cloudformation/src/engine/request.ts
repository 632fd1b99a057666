import { exceedsBytes, isRoleArn, ServiceRole } from '@emu/core/service';
import type { Capability, Parameter, RollbackConfiguration, Tag } from '@emu/service-types/cloudformation';
import { AwsError, isObject, violationText } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { badTemplate, deferredError, invalid, isDeferred } from '../errors.ts';
import { OUTPUTS } from '../quotas.ts';
import type { DeploymentRecord, TemplateRecord } from '../stacks/records.ts';
import type { Stack } from '../stacks/registry.ts';
import { checkCapabilities } from '../templates/capabilities.ts';
import { Evaluator, KNOWN_AFTER_APPLY } from '../templates/evaluate.ts';
import { type ParameterRecord, parameterValue, resolveParameters } from '../templates/parameters.ts';
import { parseTemplate, refuseNulls } from '../templates/parse.ts';
import { checkReferences } from '../templates/references.ts';
import { checkRecognized } from '../templates/resource-types.ts';
import { checkRules } from '../templates/rules.ts';
import { checkTemplate, type Template, type TemplateParameter, tooMany } from '../templates/template.ts';
import { objectAddress, readObject } from '../templates/template-url.ts';
import type { JsonObject } from '../templates/values.ts';
import { expandTransforms } from '../transforms/index.ts';
import { expandModules, hasModules } from '../transforms/modules.ts';
import { currentValues, evaluatorFor } from './evaluation.ts';

const MAX_BODY = 51_200;
const MAX_TAGS = 50;

/** Members that deployment requests have in common. */
export interface DeploymentRequest {
  StackName: string;
  TemplateBody?: string | undefined;
  TemplateURL?: string | undefined;
  UsePreviousTemplate?: boolean | undefined;
  Parameters?: Parameter[] | undefined;
  Capabilities?: Capability[] | undefined;
  ResourceTypes?: string[] | undefined;
  RoleARN?: string | undefined;
  RollbackConfiguration?: RollbackConfiguration | undefined;
  NotificationARNs?: string[] | undefined;
  Tags?: Tag[] | undefined;
}

/** A requested deployment with its template, not yet stored. */
export interface Requested {
  readonly deployment: Omit<DeploymentRecord, 'templateId'>;
  readonly text: TemplateRecord;
  readonly template: Template;
}

/** Creates the error for a request of both the previous and a new template. */
export const previousAndNew = (): AwsError =>
  invalid('You cannot specify both usePreviousTemplate and Template Body/Template URL');

/**
 * Returns the template text of a request.
 * @throws AwsError `ValidationError`
 */
export async function templateText(
  {
    TemplateBody,
    TemplateURL,
    UsePreviousTemplate,
  }: Pick<DeploymentRequest, 'TemplateBody' | 'TemplateURL' | 'UsePreviousTemplate'>,
  stack: Stack | undefined,
  ctx: CloudformationContext,
): Promise<string> {
  if (UsePreviousTemplate && (TemplateBody !== undefined || TemplateURL !== undefined)) throw previousAndNew();
  if (TemplateBody !== undefined && TemplateURL !== undefined)
    throw invalid('You cannot specify both Template URL and Template Body.');
  if (UsePreviousTemplate && stack) return ctx.state.template(stack.templateId)!.body;
  if (TemplateURL !== undefined) return readObject(objectAddress(TemplateURL, ctx.endpoint), ctx);
  if (TemplateBody === undefined) throw invalid('Either Template URL or Template Body must be specified.');
  if (exceedsBytes(TemplateBody, MAX_BODY))
    throw invalid(
      violationText('templateBody', `Member must have length less than or equal to ${MAX_BODY}`, TemplateBody),
    );
  return TemplateBody;
}

/**
 * Reads and validates a deployment request, as far as AWS does before the operation starts.
 * @param stack the stack to update
 * @param acknowledged capabilities that count as acknowledged besides those of the request
 * @throws AwsError with CloudFormation's message
 */
export async function readRequest(
  input: DeploymentRequest,
  stack: Stack | undefined,
  ctx: CloudformationContext,
  acknowledged: readonly Capability[] = [],
): Promise<Requested> {
  const body = await templateText(input, stack, ctx);
  const raw = parseTemplate(body);
  const capabilities = input.Capabilities ?? [];
  const previous = (stack?.parameters ?? []) as ParameterRecord[];
  const declared = isObject(raw.Parameters) ? (raw.Parameters as unknown as Record<string, TemplateParameter>) : {};
  const expanded = await expandTransforms(raw, [...capabilities, ...acknowledged], {
    accountId: ctx.accountId,
    region: ctx.region,
    endpoint: ctx.endpoint,
    stackName: input.StackName,
    parameters: valuesForMacros(declared, input.Parameters ?? [], previous),
    uuid: () => ctx.ids.uuid(),
    macro: (name) => ctx.state.macro(name),
    call: (service, operation, given, options) => ctx.call(service, operation, given, { authorize: {}, ...options }),
  });
  const { processed, template } = await afterTransforms(expanded !== undefined, async () => {
    refuseNulls(expanded ?? raw);
    const made = withModules(input, expanded ?? raw, stack, ctx.state) ?? expanded;
    const checked = checkTemplate(made ?? raw);
    await checkRecognized(checked, (type) => ctx.state.recognizes(type));
    checkOutputs(checked, ctx);
    checkReferences(checked);
    return { processed: made, template: checked };
  });
  checkCapabilities(template, capabilities);
  checkAllowedTypes(template, input.ResourceTypes);
  const parameters = await resolveParameters(template, input.Parameters ?? [], previous, {
    call: (service, operation, given, options) => ctx.call(service, operation, given, { authorize: {}, ...options }),
  });
  await checkRole(input.RoleARN, ctx);
  checkTriggers(input.RollbackConfiguration);
  const Tags = input.Tags ?? ((stack?.tags ?? []) as Tag[]);
  checkTags(Tags);
  const roleArn = input.RoleARN ?? stack?.roleArn;
  const rollbackConfiguration =
    input.RollbackConfiguration ?? (stack?.rollbackConfiguration as RollbackConfiguration | undefined);
  const deployment: Omit<DeploymentRecord, 'templateId'> = {
    parameters,
    tags: Tags.map(({ Key, Value }) => ({ Key, Value })),
    capabilities: [...capabilities],
    notificationArns: [...(input.NotificationARNs ?? stack?.notificationArns ?? [])],
    ...(rollbackConfiguration && { rollbackConfiguration }),
    ...(roleArn !== undefined && { roleArn }),
    ...(template.Description !== undefined && { description: template.Description }),
  };
  checkConditions(template, deployment, input.StackName, ctx);
  return { deployment, template, text: { body, ...(processed && { processed: JSON.stringify(processed) }) } };
}

/**
 * Reads a deployment request; returns a failure instead if AWS reports the problem only after the operation has
 * started.
 */
export async function readOrFailure(
  input: DeploymentRequest,
  stack: Stack | undefined,
  ctx: CloudformationContext,
  acknowledged: readonly Capability[] = [],
): Promise<{ requested?: Requested; failure?: string }> {
  try {
    return { requested: await readRequest(input, stack, ctx, acknowledged) };
  } catch (error) {
    if (!isDeferred(error)) throw error;
    return { failure: error.message };
  }
}

/**
 * Runs checks of a template's form. Problems in the result of transforms are found after the request is accepted.
 * @throws AwsError `ValidationError`
 * @see https://github.com/aws/aws-sam-cli/issues/2788
 */
async function afterTransforms<T>(transformed: boolean, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!transformed || !(error instanceof AwsError) || error.code !== 'ValidationError') throw error;
    throw deferredError(error.message);
  }
}

/**
 * Expands the modules of a template; undefined if it has none. With the previous template, the modules stay as they
 * were.
 */
function withModules(
  { UsePreviousTemplate }: DeploymentRequest,
  template: JsonObject,
  stack: Stack | undefined,
  state: CloudformationContext['state'],
): JsonObject | undefined {
  if (!hasModules(template)) return undefined;
  const previous = UsePreviousTemplate && stack ? state.template(stack.templateId)?.processed : undefined;
  if (previous !== undefined) return JSON.parse(previous) as JsonObject;
  return expandModules(template, (name) => {
    const fragment = state.moduleFragment(name);
    return fragment === undefined ? undefined : (JSON.parse(fragment) as JsonObject);
  });
}

/** Rejects more outputs than the quota allows, if quotas are enforced. */
function checkOutputs({ Outputs }: Template, { handle, accountId, region }: CloudformationContext): void {
  const count = Object.keys(Outputs).length;
  const most = handle.quotaLimit(OUTPUTS, accountId, region);
  if (count > most) throw tooMany('outputs', count, most);
}

/** Rejects conditions, mappings and rules that cannot be evaluated before resources exist. */
function checkConditions(
  template: Template,
  deployment: Omit<DeploymentRecord, 'templateId'>,
  stackName: string,
  { state, endpoint }: CloudformationContext,
): void {
  const stackId = state.arn({ name: stackName, uuid: state.find(stackName)?.uuid ?? '' });
  const place = { stackId, stackName, endpoint };
  const evaluator = evaluatorFor(state, template, deployment, place, currentValues(state, ''));
  for (const name of Object.keys(template.Conditions)) evaluator.condition(name);
  checkRules(template, evaluator);
  const included = (name: string) => evaluator.includes(template.Resources[name]!);
  checkIncluded(template, included, (output) => evaluator.includes(output));
  checkFunctions(template, evaluator);
}

/** Rejects functions that are invalid for any resources. */
function checkFunctions(template: Template, evaluator: Evaluator): void {
  const unknown = () => KNOWN_AFTER_APPLY;
  const scope = { ...evaluator.scope, ref: unknown, attribute: unknown, importValue: unknown };
  const early = new Evaluator(template, scope, evaluator);
  for (const resource of Object.values(template.Resources))
    if (early.includes(resource)) early.evaluate(resource.Properties ?? {});
  for (const output of Object.values(template.Outputs)) if (early.includes(output)) early.evaluate(output.Value);
}

/** Rejects references to resources that conditions exclude. */
function checkIncluded(
  template: Template,
  included: (name: string) => boolean,
  outputIncluded: (output: Template['Outputs'][string]) => boolean,
): void {
  const unresolved = new Set<string>();
  for (const [name, resource] of Object.entries(template.Resources)) {
    if (!included(name)) continue;
    for (const ref of plainReferences(resource.Properties))
      if (template.Resources[ref] && !included(ref)) unresolved.add(ref);
  }
  if (unresolved.size)
    throw badTemplate(
      `Unresolved resource dependencies [${[...unresolved].join(', ')}] in the Resources block of the template`,
    );
  for (const output of Object.values(template.Outputs)) {
    if (!outputIncluded(output)) continue;
    for (const ref of plainReferences(output.Value)) if (template.Resources[ref] && !included(ref)) unresolved.add(ref);
  }
  if (unresolved.size)
    throw invalid(
      `Unresolved resource dependencies [${[...unresolved].join(', ')}] in the Outputs block of the template`,
    );
}

/** Returns the resources that a value always refers to, excluding references inside Fn::If. */
function plainReferences(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const item of value) plainReferences(item, found);
  else if (isObject(value)) {
    if ('Fn::If' in value) return found;
    if (typeof value.Ref === 'string') found.add(value.Ref);
    const attribute = value['Fn::GetAtt'];
    if (Array.isArray(attribute) && typeof attribute[0] === 'string') found.add(attribute[0]);
    for (const member of Object.values(value)) plainReferences(member, found);
  }
  return found;
}

function valuesForMacros(
  declared: Record<string, TemplateParameter>,
  given: readonly Parameter[],
  previous: readonly ParameterRecord[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(declared)) {
    if (!isObject(parameter)) continue;
    const own = given.find(({ ParameterKey }) => ParameterKey === key);
    const value = own?.UsePreviousValue ? previous.find((record) => record.key === key)?.value : own?.ParameterValue;
    const text = value ?? (parameter.Default === undefined ? undefined : String(parameter.Default));
    if (text !== undefined)
      values[key] = parameterValue({ ...parameter, Type: String(parameter.Type) }, { key, value: text });
  }
  return values;
}

/**
 * Rejects types outside the request's ResourceTypes.
 * @throws AwsError `ValidationError`
 */
function checkAllowedTypes({ Resources }: Template, allowed: readonly string[] | undefined): void {
  if (!allowed?.length) return;
  const matches = (type: string) =>
    allowed.some((pattern) => pattern === type || (pattern.endsWith('*') && type.startsWith(pattern.slice(0, -1))));
  for (const { Type } of Object.values(Resources))
    if (!matches(Type))
      throw invalid(`Resource type ${Type} is not allowed by parameter ResourceTypes [${allowed.join(', ')}]`);
}

const invalidRole = (roleArn: string): AwsError => invalid(`Role ${roleArn} is invalid or cannot be assumed`);

/** Service roles of CloudFormation. */
const stackRole = new ServiceRole({ service: 'cloudformation', session: 'AWSCloudFormation', refuse: invalidRole });

/**
 * Checks that CloudFormation may assume a role, if policies are enforced.
 * @throws AwsError `ValidationError`
 */
export async function checkRole(roleArn: string | undefined, ctx: CloudformationContext): Promise<void> {
  if (roleArn === undefined) return;
  if (!isRoleArn(roleArn)) throw invalidRole(roleArn);
  await stackRole.check(roleArn, ctx);
}

function checkTriggers(configuration: RollbackConfiguration | undefined): void {
  for (const { Arn, Type } of configuration?.RollbackTriggers ?? []) {
    if (Type !== 'AWS::CloudWatch::Alarm' && Type !== 'AWS::CloudWatch::CompositeAlarm')
      throw invalid('Rollback Trigger Type not supported');
    if (!/:alarm:.+$/.test(Arn ?? '')) throw invalid("RelativeId of a Rollback Trigger's ARN is incorrect");
  }
}

/**
 * Rejects invalid stack tags.
 * @throws AwsError `ValidationError`
 */
export function checkTags(tags: readonly Tag[]): void {
  if (tags.length > MAX_TAGS) throw invalid(`Tags exceed the maximum of ${MAX_TAGS}.`);
  const keys = new Set<string>();
  for (const { Key } of tags) {
    if (Key?.startsWith('aws:')) throw invalid('Tag keys may not start with "aws:".');
    if (keys.has(Key!)) throw invalid(`Duplicate Tag key found: ${Key}`);
    keys.add(Key!);
  }
}
