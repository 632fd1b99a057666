import { isObject } from '@emu/wire';
import { badTemplate, invalid, templateError } from '../errors.ts';
import type { Template, TemplateResource } from './template.ts';

/** Names that all templates may refer to. */
const PSEUDO_PARAMETERS: ReadonlySet<string> = new Set([
  'AWS::AccountId',
  'AWS::NotificationARNs',
  'AWS::NoValue',
  'AWS::Partition',
  'AWS::Region',
  'AWS::StackId',
  'AWS::StackName',
  'AWS::URLSuffix',
]);

/** A placeholder in the text of Fn::Sub: `${Name}` or `${Name.Attribute}`; `${!Name}` is an escape. */
export const SUB_PLACE = /\$\{(!?)([^}]*)\}/g;

/** References in a value. */
export interface References {
  /** Names in Ref, and in Fn::Sub without a dot. */
  refs: Set<string>;
  /** Resources of Fn::GetAtt. */
  attributes: Map<string, Set<string>>;
  /** Attributes in Fn::Sub, as `Name.Attribute`; they are among `attributes`, too. */
  substituted: Set<string>;
  /** Conditions in Fn::If and Condition. */
  conditions: Set<string>;
}

/** Collects references from all functions in a value. */
export function referencesOf(value: unknown): References {
  const found: References = { refs: new Set(), attributes: new Map(), substituted: new Set(), conditions: new Set() };
  collect(value, found);
  return found;
}

function addAttribute({ attributes }: References, resource: string, attribute: string): void {
  const names = attributes.get(resource);
  if (names) names.add(attribute);
  else attributes.set(resource, new Set([attribute]));
}

function collect(value: unknown, found: References): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found);
  if (!isObject(value)) return;
  const names = Object.keys(value);
  const only = names.length === 1 ? names[0] : undefined;
  const argument = only === undefined ? undefined : value[only];
  if (only === 'Ref' && typeof argument === 'string') found.refs.add(argument);
  else if (only === 'Fn::GetAtt') collectAttribute(argument, found);
  else if (only === 'Fn::Sub') collectSub(argument, found);
  else if (only === 'Condition' && typeof argument === 'string') found.conditions.add(argument);
  else if (only === 'Fn::If' && Array.isArray(argument)) {
    if (typeof argument[0] === 'string') found.conditions.add(argument[0]);
    for (const branch of argument.slice(1)) collect(branch, found);
  } else for (const name of names) collect(value[name], found);
}

function collectAttribute(argument: unknown, found: References): void {
  const [resource, attribute] = getAttArguments(argument);
  addAttribute(found, resource, typeof attribute === 'string' ? attribute : '');
  collect(attribute, found);
}

function collectSub(argument: unknown, found: References): void {
  const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
  if (typeof text !== 'string') throw templateError(SUB_PROBLEM);
  for (const [, literal, name] of text.matchAll(SUB_PLACE)) {
    const trimmed = name!.trim();
    if (literal || (isObject(variables) && trimmed in variables)) continue;
    const dot = trimmed.indexOf('.');
    if (dot < 0) found.refs.add(trimmed);
    else {
      addAttribute(found, trimmed.slice(0, dot), trimmed.slice(dot + 1));
      found.substituted.add(trimmed);
    }
  }
  collect(variables, found);
}

/** AWS's message for a malformed Fn::Sub. */
export const SUB_PROBLEM =
  "One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, and an optional second argument to specify a mapping of values to replace in the string";

/**
 * Parses resource and attribute of Fn::GetAtt.
 * @throws AwsError for anything else
 */
export function getAttArguments(argument: unknown): [resource: string, attribute: unknown] {
  const [resource, ...attribute] =
    typeof argument === 'string' ? splitAttribute(argument) : Array.isArray(argument) ? argument : [];
  const name = attribute.length > 1 ? attribute.join('.') : attribute[0];
  if (typeof resource !== 'string' || !resource || name === undefined || name === '')
    throw templateError(
      'every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute',
    );
  return [resource, name];
}

/**
 * Rejects attributes of undefined resources.
 * @throws AwsError `ValidationError` with the message for Fn::GetAtt or Fn::Sub
 * @see https://github.com/aws/aws-toolkit-vscode/issues/1302
 */
function checkAttributes({ attributes, substituted }: References, { Resources }: Template): void {
  for (const [owner, names] of attributes) {
    if (Object.hasOwn(Resources, owner)) continue;
    const path = [...names].map((name) => `${owner}.${name}`).find((one) => substituted.has(one));
    throw templateError(
      path === undefined
        ? `instance of Fn::GetAtt references undefined resource ${owner}`
        : `instance of Fn::Sub references invalid resource attribute ${path}`,
    );
  }
}

const splitAttribute = (text: string): string[] => {
  const dot = text.indexOf('.');
  return dot < 0 ? [text] : [text.slice(0, dot), text.slice(dot + 1)];
};

/** Returns the dependencies of a resource, regardless of conditions. */
export function dependenciesOf(resource: TemplateResource, template: Template): Set<string> {
  const { refs, attributes } = referencesOf(resource.Properties);
  const meta = referencesOf(resource.Metadata);
  const named = [
    ...refs,
    ...attributes.keys(),
    ...meta.refs,
    ...meta.attributes.keys(),
    ...[resource.DependsOn ?? []].flat(),
  ];
  return new Set(named.filter((name) => Object.hasOwn(template.Resources, name)));
}

/**
 * Rejects unknown references and circular dependencies.
 * @throws AwsError `ValidationError` with CloudFormation's message
 */
export function checkReferences(template: Template): void {
  const known = (name: string) =>
    PSEUDO_PARAMETERS.has(name) || Object.hasOwn(template.Parameters, name) || Object.hasOwn(template.Resources, name);
  const unresolved = new Set<string>();
  for (const [name, resource] of Object.entries(template.Resources)) {
    const found = referencesOf([resource.Properties, resource.Metadata, resource.DeletionPolicy]);
    const { refs, conditions } = found;
    checkAttributes(found, template);
    for (const ref of refs) if (!known(ref)) unresolved.add(ref);
    for (const other of [resource.DependsOn ?? []].flat())
      if (!Object.hasOwn(template.Resources, other)) unresolved.add(other);
    for (const condition of [...conditions, ...(resource.Condition === undefined ? [] : [resource.Condition])])
      if (!Object.hasOwn(template.Conditions, condition))
        throw condition === resource.Condition
          ? badTemplate(`Unresolved condition dependency ${condition} in the Resources block of the template`)
          : templateError(`unresolved condition dependency ${condition} in Fn::If`);
    if (name in template.Parameters) throw badTemplate(`Resource name ${name} is also the name of a parameter.`);
  }
  if (unresolved.size)
    throw badTemplate(
      `Unresolved resource dependencies [${[...unresolved].join(', ')}] in the Resources block of the template`,
    );
  checkOutputReferences(template, known);
  orderOf(template);
}

function checkOutputReferences(template: Template, known: (name: string) => boolean): void {
  for (const output of Object.values(template.Outputs)) {
    const found = referencesOf([output.Value, output.Export?.Name]);
    const { refs, conditions } = found;
    checkAttributes(found, template);
    const unresolved = [...refs].filter((ref) => !known(ref));
    if (unresolved.length)
      throw invalid(`Unresolved resource dependencies [${unresolved.join(', ')}] in the Outputs block of the template`);
    for (const condition of [...conditions, ...(output.Condition === undefined ? [] : [output.Condition])])
      if (!Object.hasOwn(template.Conditions, condition))
        throw badTemplate(
          `Unresolved dependencies [${condition}]. Cannot reference resources in the Conditions block of the template`,
        );
  }
}

/**
 * Sorts resources by their dependencies.
 * @throws AwsError `ValidationError` for a circular dependency
 */
export function orderOf(template: Template): string[] {
  const order: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const cycle: string[] = [];
  const visit = (name: string): void => {
    if (state.get(name) === 'done') return;
    if (state.get(name) === 'open') {
      cycle.push(name);
      return;
    }
    state.set(name, 'open');
    for (const dependency of dependenciesOf(template.Resources[name]!, template)) visit(dependency);
    state.set(name, 'done');
    order.push(name);
  };
  for (const name of Object.keys(template.Resources)) visit(name);
  if (cycle.length) throw invalid(`Circular dependency between resources: [${cyclic(template).join(', ')}]`);
  return order;
}

/** Returns the resources in or behind a circular dependency. */
function cyclic(template: Template): string[] {
  const waiting = new Map(
    Object.entries(template.Resources).map(([name, resource]) => [name, dependenciesOf(resource, template)]),
  );
  for (let changed = true; changed; ) {
    changed = false;
    for (const [name, dependencies] of waiting)
      if (![...dependencies].some((dependency) => waiting.has(dependency))) {
        waiting.delete(name);
        changed = true;
      }
  }
  return [...waiting.keys()];
}
