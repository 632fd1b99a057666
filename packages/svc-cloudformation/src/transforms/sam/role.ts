import { canonicalJson } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { resourceProblem } from './errors.ts';
import templates from './policy-templates.json' with { type: 'json' };
import type { Translation } from './translation.ts';
import { defined, isIntrinsic, isNoValue, type Obj } from './values.ts';

interface PolicyTemplate {
  readonly parameters: readonly string[];
  readonly statement: unknown;
}

const TEMPLATES = templates as Readonly<Record<string, PolicyTemplate>>;

/** Inputs for the role of a function or state machine. */
export interface RoleParts {
  readonly service: string;
  readonly managed: readonly unknown[];
  readonly inline: readonly unknown[];
  /** Policies of the resource. */
  readonly policies: unknown;
  readonly tags: { Key: string; Value: unknown }[];
  readonly path?: unknown;
  readonly boundary?: unknown;
  /** Trust policy, if the resource sets one. */
  readonly trusted?: unknown;
}

/** Returns the trust policy for a service. */
export const trust = (service: string): Obj => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['sts:AssumeRole'], Principal: { Service: [service] } }],
});

/**
 * Returns the properties of a role.
 * @param owner id of its resource
 * @throws SamProblem
 */
export function roleProperties(id: string, owner: string, parts: RoleParts, to: Translation): Obj {
  const managed = [...parts.managed];
  const inline = parts.inline.filter(
    (policy, index) => parts.inline.findIndex((other) => canonicalJson(other) === canonicalJson(policy)) === index,
  );
  listOf(parts.policies).forEach((policy, index) => {
    const read = policyOf(policy, `${id}Policy${index}`, owner, to);
    if (read === undefined) return;
    if ('inline' in read) inline.push(read.inline);
    else managed.push(read.managed);
  });
  const unique = managed.filter((arn, index) => typeof arn !== 'string' || managed.indexOf(arn) === index);
  return defined({
    AssumeRolePolicyDocument: parts.trusted ?? trust(parts.service),
    ManagedPolicyArns: unique.length ? unique : undefined,
    Policies: inline.length ? inline : undefined,
    Tags: parts.tags.length ? parts.tags : undefined,
    Path: parts.path,
    PermissionsBoundary: parts.boundary,
  });
}

const listOf = (policies: unknown): unknown[] =>
  policies === undefined || policies === null ? [] : Array.isArray(policies) ? policies : [policies];

type Policy = { inline: unknown } | { managed: unknown } | undefined;

function policyOf(policy: unknown, name: string, owner: string, to: Translation): Policy {
  if (typeof policy === 'string') return { managed: to.options.managedPolicy?.(policy) ?? policy };
  if (!isObject(policy) || isNoValue(policy)) return undefined;
  if (Object.hasOwn(policy, 'Fn::If')) return conditional(policy, name, owner, to);
  if (isIntrinsic(policy)) return { managed: policy };
  if (Object.hasOwn(policy, 'Statement')) return { inline: { PolicyName: name, PolicyDocument: policy } };
  const [template] = Object.keys(policy);
  if (template !== undefined && Object.hasOwn(TEMPLATES, template))
    return { inline: { PolicyName: name, PolicyDocument: fill(template, policy[template], owner, to) } };
  throw resourceProblem(owner, `Policy at index ${/\d+$/.exec(name)?.[0]} in the 'Policies' property is not valid`);
}

function conditional(policy: Obj, name: string, owner: string, to: Translation): Policy {
  const branches = policy['Fn::If'];
  if (!Array.isArray(branches) || branches.length !== 3) return { managed: policy };
  const [condition, ...others] = branches;
  const read = others.map((branch) => policyOf(branch, name, owner, to));
  const isInline = read.some((branch) => branch && 'inline' in branch);
  const value = (branch: Policy) =>
    branch === undefined ? { Ref: 'AWS::NoValue' } : 'inline' in branch ? branch.inline : branch.managed;
  const joined = { 'Fn::If': [condition, ...read.map(value)] };
  return isInline ? { inline: joined } : { managed: joined };
}

/**
 * Returns the document of a policy template with its parameters filled in.
 * @throws SamProblem
 */
function fill(name: string, values: unknown, owner: string, to: Translation): Obj {
  const { parameters, statement } = TEMPLATES[name]!;
  if (!isObject(values) && parameters.length)
    throw resourceProblem(owner, `Must specify valid parameter values for policy template '${name}'`);
  const given = to.resolver.resolve(isObject(values) ? values : {});
  const missing = parameters.filter((parameter) => given[parameter] === undefined || given[parameter] === null);
  if (missing.length)
    throw resourceProblem(
      owner,
      `Following required parameters of template '${name}' don't have values: [${missing.map((text) => `'${text}'`).join(', ')}]`,
    );
  return { Statement: substitute(statement, given) };
}

function substitute(value: unknown, given: Obj): unknown {
  if (Array.isArray(value)) return value.map((entry) => substitute(entry, given));
  if (!isObject(value)) return value;
  const { Ref: name } = value;
  if (typeof name === 'string' && Object.hasOwn(given, name)) return given[name];
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, substitute(inner, given)]));
}
