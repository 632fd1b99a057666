import type {
  GetTemplateInput,
  GetTemplateSummaryInput,
  InputOf,
  OutputOf,
  ParameterDeclaration,
  ResourceIdentifierSummary,
  ValidateTemplateOutput,
} from '@emu/service-types/cloudformation';
import { isObject } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { creationToken } from '../engine/creation-policy.ts';
import { templateText } from '../engine/request.ts';
import { invalid, noChangeSet } from '../errors.ts';
import { resourceNamed, stackNamed } from '../lookup.ts';
import { paging } from '../paging.ts';
import { OUTPUTS, STACKS } from '../quotas.ts';
import { changeSetType } from '../resources.ts';
import { checkCallAs, stackSetNamed } from '../stack-sets/requests.ts';
import { checkPolicyResources } from '../stacks/policy.ts';
import { policyText } from '../stacks/policy-text.ts';
import type { ChangeSet, Stack } from '../stacks/registry.ts';
import { neededCapability } from '../templates/capabilities.ts';
import { resolveParameters } from '../templates/parameters.ts';
import { parseTemplate, refuseNulls } from '../templates/parse.ts';
import { checkReferences } from '../templates/references.ts';
import { checkRecognized } from '../templates/resource-types.ts';
import { checkTemplate, type Template, type TemplateParameter } from '../templates/template.ts';
import type { JsonObject } from '../templates/values.ts';
import { usedTransforms } from '../transforms/index.ts';

const isTrue = (value: unknown): boolean => value === true || value === 'true';
const textOfDefault = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** The known parts of a template, and the names of its transforms. */
interface Looked {
  readonly template: Template;
  readonly transforms: string[];
}

/**
 * Returns the parts of a template that can be used before its macros are expanded.
 * @param lenient whether unrecognized resource types are allowed
 * @throws AwsError `ValidationError`
 */
export async function looked(raw: JsonObject, { state }: CloudformationContext, lenient = false): Promise<Looked> {
  const transforms = usedTransforms(raw);
  if (transforms.length === 0) {
    refuseNulls(raw);
    const template = checkTemplate(raw);
    if (!lenient) await checkRecognized(template, (type) => state.recognizes(type));
    checkReferences(template);
    return { template, transforms };
  }
  // Other parts are unknown until macros are expanded.
  const { Transform: _, ...rest } = raw;
  const sections = Object.fromEntries(
    Object.entries(rest).filter(([name]) => name !== 'Resources' && name !== 'Outputs'),
  );
  const resources = isObject(rest.Resources)
    ? Object.fromEntries(
        Object.entries(rest.Resources).filter(([, value]) => isObject(value) && typeof value.Type === 'string'),
      )
    : {};
  const template = checkTemplate({ ...sections, Resources: { Placeholder: { Type: 'AWS::CDK::Metadata' } } });
  return { template: { ...template, Resources: resources as unknown as Template['Resources'] }, transforms };
}

function capabilitiesOf(
  template: Template,
  transforms: readonly string[],
): Pick<ValidateTemplateOutput, 'Capabilities' | 'CapabilitiesReason'> {
  const needed = neededCapability(template);
  const expands = transforms.some((name) => name !== 'AWS::Include' && name !== 'AWS::LanguageExtensions');
  const reasons = [
    ...(needed ? [`The following resource(s) require capabilities: [${needed.types.join(', ')}]`] : []),
    ...(expands ? [`The following transform(s) require capabilities: [${transforms.join(', ')}]`] : []),
  ];
  if (reasons.length === 0) return {};
  return {
    Capabilities: [...(needed ? [needed.name] : []), ...(expands ? (['CAPABILITY_AUTO_EXPAND'] as const) : [])],
    CapabilitiesReason: reasons.join('; '),
  };
}

/**
 * Validates a template.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ValidateTemplate.html
 */
export async function ValidateTemplate(
  input: InputOf<'ValidateTemplate'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ValidateTemplate'>> {
  const { template, transforms } = await looked(parseTemplate(await templateText(input, undefined, ctx)), ctx);
  return {
    Parameters: Object.entries(template.Parameters).map(([ParameterKey, { Default, NoEcho, Description }]) => ({
      ParameterKey,
      ...(Default !== undefined && { DefaultValue: textOfDefault(Default) }),
      NoEcho: isTrue(NoEcho),
      ...(Description !== undefined && { Description }),
    })),
    ...(template.Description !== undefined && { Description: template.Description }),
    ...capabilitiesOf(template, transforms),
    ...(transforms.length && { DeclaredTransforms: transforms }),
  };
}

/**
 * Summarizes a template: parameters, types and capabilities.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplateSummary.html
 */
export async function GetTemplateSummary(
  input: InputOf<'GetTemplateSummary'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'GetTemplateSummary'>> {
  const raw = await summarized(input, ctx);
  const warns = input.TemplateSummaryConfig?.TreatUnrecognizedResourceTypesAsWarnings ?? false;
  const { template, transforms } = await looked(raw, ctx, warns);
  const types = new Map<string, string[]>();
  for (const [name, { Type }] of Object.entries(template.Resources))
    types.set(Type, [...(types.get(Type) ?? []), name]);
  const identifiers: ResourceIdentifierSummary[] = [];
  const unrecognized: string[] = [];
  for (const [ResourceType, LogicalResourceIds] of types) {
    const facts = (await ctx.state.provider(ResourceType))?.facts;
    if (warns && !transforms.length && !(await ctx.state.recognizes(ResourceType))) unrecognized.push(ResourceType);
    const own = facts?.primaryIdentifier.filter((name) => Object.hasOwn(facts.properties, name)) ?? [];
    identifiers.push({ ResourceType, LogicalResourceIds, ...(own.length && { ResourceIdentifiers: own }) });
  }
  return {
    Parameters: Object.entries(template.Parameters).map(declarationOf),
    ...(template.Description !== undefined && { Description: template.Description }),
    ...capabilitiesOf(template, transforms),
    ResourceTypes: [...types.keys()],
    Version: template.AWSTemplateFormatVersion ?? '2010-09-09',
    ...(template.Metadata && { Metadata: JSON.stringify(template.Metadata) }),
    ...(transforms.length && { DeclaredTransforms: transforms }),
    ResourceIdentifierSummaries: identifiers,
    ...(unrecognized.length && { Warnings: { UnrecognizedResourceTypes: unrecognized } }),
  };
}

async function summarized(input: GetTemplateSummaryInput, ctx: CloudformationContext): Promise<JsonObject> {
  const { StackName, StackSetName, TemplateBody, TemplateURL } = input;
  const given = [StackName, StackSetName, TemplateBody, TemplateURL].filter((one) => one !== undefined).length;
  if (given > 1) throw invalid('Only one of StackName, StackSetName, TemplateBody and TemplateURL can be specified.');
  if (StackSetName !== undefined) {
    checkCallAs(input);
    return parseTemplate(stackSetNamed(StackSetName, ctx).templateBody);
  }
  if (StackName === undefined) return parseTemplate(await templateText(input, undefined, ctx));
  const stack = stackNamed(StackName, ctx);
  if (stack.status === 'REVIEW_IN_PROGRESS')
    throw invalid('GetTemplateSummary cannot be called on REVIEW_IN_PROGRESS stacks.');
  return parseTemplate(ctx.state.template(stack.templateId)!.body);
}

function declarationOf([ParameterKey, parameter]: [string, TemplateParameter]): ParameterDeclaration {
  const { Type, Default, NoEcho, Description, AllowedValues } = parameter;
  return {
    ParameterKey,
    ...(Default !== undefined && { DefaultValue: textOfDefault(Default) }),
    ParameterType: Type,
    NoEcho: isTrue(NoEcho),
    ...(Description !== undefined && { Description }),
    ParameterConstraints: AllowedValues ? { AllowedValues: AllowedValues.map(String) } : {},
  };
}

/**
 * Returns the template of a stack or change set, as given or with macros expanded.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplate.html
 */
export function GetTemplate(input: InputOf<'GetTemplate'>, ctx: CloudformationContext): OutputOf<'GetTemplate'> {
  const { TemplateStage: stage = 'Original' } = input;
  const { templateId } = described(input, ctx);
  const { body, processed } = ctx.state.template(templateId)!;
  return {
    TemplateBody: stage === 'Processed' ? (processed ?? body) : body,
    StagesAvailable: ['Original', 'Processed'],
  };
}

function described(
  { StackName, ChangeSetName }: GetTemplateInput,
  ctx: CloudformationContext,
): Stack | ChangeSet['target'] {
  const { state } = ctx;
  if (ChangeSetName === undefined) {
    if (StackName === undefined) throw invalid('StackName is required if ChangeSetName is not specified.');
    return stackNamed(StackName, ctx);
  }
  const parsed = changeSetType.parse(ChangeSetName);
  if (!parsed && StackName === undefined) throw invalid('StackName is a required parameter.');
  const changeSet = parsed
    ? state.changeSet(parsed.key.uuid)
    : state.changeSetsIn(stackNamed(StackName!, ctx).uuid).find(({ name }) => name === ChangeSetName);
  if (!changeSet) throw noChangeSet(ChangeSetName);
  return changeSet.target;
}

/**
 * Returns the policy of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetStackPolicy.html
 */
export function GetStackPolicy(
  input: InputOf<'GetStackPolicy'>,
  ctx: CloudformationContext,
): OutputOf<'GetStackPolicy'> {
  const { policy } = stackNamed(input.StackName, ctx);
  return policy === undefined ? {} : { StackPolicyBody: policy };
}

/**
 * Sets the policy of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_SetStackPolicy.html
 */
export async function SetStackPolicy(
  input: InputOf<'SetStackPolicy'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'SetStackPolicy'>> {
  const { uuid } = stackNamed(input.StackName, ctx);
  const policy = await policyText(input.StackPolicyBody, input.StackPolicyURL, 'StackPolicy', ctx);
  if (policy === undefined) throw invalid('You must specify either StackPolicyBody or StackPolicyURL');
  checkPolicyResources(policy, (logicalId) => ctx.state.resource(uuid, logicalId)?.current !== undefined);
  ctx.state.updateStack(uuid, (draft) => {
    draft.policy = policy;
  });
  return {};
}

/**
 * Describes the limits of the account.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeAccountLimits.html
 */
export function DescribeAccountLimits(
  input: InputOf<'DescribeAccountLimits'>,
  { handle, accountId, region }: CloudformationContext,
): OutputOf<'DescribeAccountLimits'> {
  const limits = [
    { Name: 'ConcurrentResourcesLimit', Value: 2500 },
    { Name: 'StackLimit', Value: handle.quotaValue(STACKS, accountId, region) },
    { Name: 'StackOutputsLimit', Value: handle.quotaValue(OUTPUTS, accountId, region) },
  ];
  return paging.page('DescribeAccountLimits', input, limits, ({ Name }) => Name).list((limit) => limit);
}

/**
 * Returns the URL of a monthly cost estimate in AWS's Simple Monthly Calculator, which AWS has retired.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_EstimateTemplateCost.html
 */
export async function EstimateTemplateCost(
  input: InputOf<'EstimateTemplateCost'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'EstimateTemplateCost'>> {
  const { TemplateBody, TemplateURL, Parameters = [] } = input;
  const given = TemplateBody === undefined ? { TemplateURL } : { TemplateBody };
  const { template } = await looked(parseTemplate(await templateText(given, undefined, ctx)), ctx);
  await resolveParameters(template, Parameters, [], {
    call: (service, operation, asked, options) => ctx.call(service, operation, asked, { authorize: {}, ...options }),
  });
  return { Url: `http://calculator.s3.amazonaws.com/calc5.html?key=cloudformation/${ctx.ids.uuid()}` };
}

/**
 * Signals a resource that waits according to its creation policy.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_SignalResource.html
 */
export function SignalResource(
  input: InputOf<'SignalResource'>,
  ctx: CloudformationContext,
): OutputOf<'SignalResource'> {
  const { state } = ctx;
  const stack = stackNamed(input.StackName, ctx);
  const resource = resourceNamed(stack, input.LogicalResourceId, ctx);
  const text = JSON.stringify({ Status: input.Status, UniqueId: input.UniqueId });
  const token = creationToken(stack.uuid, input.LogicalResourceId);
  if (!state.signals.receive(token, { uniqueId: input.UniqueId, text }))
    throw invalid(
      `Signal for resource ${input.LogicalResourceId} is not expected: it is in the status ${resource.status}`,
    );
  const physicalId = resource.current?.physicalId ?? resource.making?.identifier ?? '';
  state.log.resource(stack, state.operation(stack.uuid), resource, physicalId, resource.status, {
    reason: `Received ${input.Status} signal with UniqueId ${input.UniqueId}`,
  });
  return {};
}
