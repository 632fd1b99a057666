import type { ResourceProvider } from '@emu/core/service';
import { partitionOf } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { badTemplate, invalid } from '../errors.ts';
import { ANY_PROPERTY } from '../resource-types/own.ts';
import type { DeploymentRecord, PhysicalRecord } from '../stacks/records.ts';
import type { Resource } from '../stacks/registry.ts';
import type { StackStore } from '../stacks/store.ts';
import { type EvaluationScope, Evaluator } from '../templates/evaluate.ts';
import { type ParameterRecord, parameterValue } from '../templates/parameters.ts';
import { parseTemplate } from '../templates/parse.ts';
import { checkTemplate, type Template } from '../templates/template.ts';

/** Returns the template of a deployment, with macros expanded. */
export function templateOf(store: StackStore, { templateId }: { templateId: string }): Template {
  const { body, processed } = store.template(templateId)!;
  return checkTemplate(parseTemplate(processed ?? body));
}

/** Stack and deployment of an evaluation. */
export interface EvaluationPlace {
  readonly stackId: string;
  readonly stackName: string;
  /** Base URL of emu in the request that caused it. */
  readonly endpoint: string;
}

/** Returns the values of a template's parameters and pseudo parameters. */
export function parameterValues(
  template: Template,
  { parameters, notificationArns }: { parameters: readonly ParameterRecord[]; notificationArns: readonly string[] },
  { stackId, stackName }: Pick<EvaluationPlace, 'stackId' | 'stackName'>,
  { accountId, region }: { accountId: string; region: string },
): Record<string, unknown> {
  const partition = partitionOf(region);
  const values: Record<string, unknown> = {
    'AWS::AccountId': accountId,
    'AWS::NotificationARNs': [...notificationArns],
    'AWS::Partition': partition,
    'AWS::Region': region,
    'AWS::StackId': stackId,
    'AWS::StackName': stackName,
    'AWS::URLSuffix': partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com',
  };
  for (const record of parameters) {
    const declared = template.Parameters[record.key];
    if (declared) values[record.key] = parameterValue(declared, record);
  }
  return values;
}

/** Results of Ref and Fn::GetAtt of resources. */
export type ResourceValuesOf = Pick<EvaluationScope, 'ref' | 'attribute'>;

/**
 * Creates an evaluator for a deployment of a stack.
 * @param imported called for each imported export
 */
export function evaluatorFor(
  store: StackStore,
  template: Template,
  deployment: Pick<DeploymentRecord, 'parameters' | 'notificationArns'>,
  place: EvaluationPlace,
  resources: ResourceValuesOf & Partial<Pick<EvaluationScope, 'importValue' | 'incomplete'>>,
  imported: (name: string) => void = () => undefined,
): Evaluator {
  return new Evaluator(template, {
    parameters: parameterValues(template, deployment, place, store),
    importValue(name) {
      const found = store.exportOf(name);
      if (!found) throw invalid(`No export named ${name} found`);
      imported(name);
      return found.value;
    },
    ...resources,
    endpoints: store.localEndpoints(place.endpoint),
    zones: (region) => ['a', 'b', 'c'].map((letter) => `${region || store.region}${letter}`),
  });
}

/** Returns Ref of an existing resource. */
export function refOf(
  provider: ResourceProvider,
  physical: Pick<PhysicalRecord, 'identifier' | 'properties' | 'attributes'>,
): string {
  const { facts } = provider;
  const { identifier, properties, attributes } = physical;
  if (provider.ref) return provider.ref(identifier, properties, attributes);
  if (!facts.ref) return identifier;
  const parts = identifier.split('|');
  const value = (name: string): string => {
    const place = facts.primaryIdentifier.indexOf(name);
    return String(attributes[name] ?? properties[name] ?? (place >= 0 ? parts[place] : ''));
  };
  return facts.ref.map(value).join('|');
}

/** Resolves a dotted name within an object. */
function within(values: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  let value: unknown = values;
  for (const part of name.split('.')) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

/** Returns an attribute or property of an existing resource; a dotted name may address a member of an object. */
export function attributeOf({ type, current }: Pick<Resource, 'type' | 'current'>, name: string): unknown {
  const attributes = current?.attributes ?? {};
  // A placeholder has every attribute, with a dummy value.
  if (Object.hasOwn(attributes, ANY_PROPERTY)) return `${String(attributes[ANY_PROPERTY])}-${name}`;
  const value = within(attributes, name);
  if (value !== undefined) return value;
  if (isCustom(type))
    throw invalid(
      `CustomResource attribute error: Vendor response doesn't contain ${name} attribute in object ${current?.physicalId}`,
    );
  // Some types have undocumented attributes: their properties.
  const property = within(current?.properties ?? {}, name);
  if (property === undefined) throw invalid(`Resource type ${type} does not support attribute {${name}}`);
  return property;
}

/** Whether resources of a type are created by the user's functions or topics. */
export const isCustom = (type: string): boolean =>
  type === 'AWS::CloudFormation::CustomResource' || type.startsWith('Custom::');

/** Returns the current results of Ref and Fn::GetAtt for a stack's resources. */
export function currentValues(store: StackStore, stack: string): ResourceValuesOf {
  const found = (logicalId: string): Resource => {
    const resource = store.resource(stack, logicalId);
    if (!resource?.current)
      throw badTemplate(`Unresolved resource dependencies [${logicalId}] in the Resources block of the template`);
    return resource;
  };
  return {
    ref: (logicalId) => found(logicalId).current!.physicalId,
    attribute: (logicalId, name) => attributeOf(found(logicalId), name),
  };
}
