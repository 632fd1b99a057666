import { partitionOf } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { deferredError, insufficientCapabilities, invalid } from '../errors.ts';
import type { JsonObject } from '../templates/values.ts';
import { argumentsOf } from './arguments.ts';
import type { TransformContext } from './context.ts';
import { include } from './include.ts';
import { expandLanguage } from './language-extensions.ts';
import { runMacro } from './macros.ts';
import { InvalidSamTemplate, SAM_TRANSFORM, transformSam } from './sam/index.ts';

/** Transforms that need no acknowledgement. */
const HARMLESS = new Set(['AWS::Include', 'AWS::LanguageExtensions']);

/** Returns the names of the transforms of a whole template. */
function declaredTransforms({ Transform }: JsonObject): string[] {
  const list = Transform === undefined ? [] : Array.isArray(Transform) ? Transform : [Transform];
  return list.map((one) => {
    const name = isObject(one) ? one.Name : one;
    if (typeof name !== 'string') throw invalid('Key Name of transform definition must be a string.');
    return name;
  });
}

/** Returns the names in Fn::Transform anywhere in a template. */
function nestedTransforms(value: unknown, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) nestedTransforms(item, found);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      if (name === 'Fn::Transform')
        for (const one of Array.isArray(member) ? member : [member]) {
          const named = isObject(one) ? one.Name : one;
          if (typeof named !== 'string') throw invalid('Key Name of transform definition must be a string.');
          found.add(named);
        }
      nestedTransforms(member, found);
    }
  return found;
}

/** Returns the names of all transforms of a template. */
export const usedTransforms = (template: JsonObject): string[] => [
  ...new Set([...declaredTransforms(template), ...nestedTransforms(template, new Set())]),
];

/**
 * Expands the transforms and macros of a template: first those inside it, innermost first, then those of the whole
 * template in order.
 * @returns undefined if there is nothing to expand
 * @throws AwsError `InsufficientCapabilitiesException`; `ValidationError` if one fails
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-macros.html
 */
export async function expandTransforms(
  template: JsonObject,
  capabilities: readonly string[],
  ctx: TransformContext,
): Promise<JsonObject | undefined> {
  const used = usedTransforms(template);
  if (used.length === 0) return undefined;
  if (used.some((name) => !HARMLESS.has(name)) && !capabilities.includes('CAPABILITY_AUTO_EXPAND'))
    throw insufficientCapabilities(['CAPABILITY_AUTO_EXPAND']);
  let expanded = template;
  // Loops generate keys that may contain nested transforms.
  if (declaredTransforms(template).includes('AWS::LanguageExtensions'))
    expanded = expandLanguage(expanded, ctx.parameters);
  const { Transform, ...rest } = expanded;
  const evaluated = argumentsOf(template, ctx);
  expanded = (await expandNested(rest, evaluated, ctx)) as JsonObject;
  for (const one of Transform === undefined ? [] : Array.isArray(Transform) ? Transform : [Transform]) {
    const { Name, Parameters = {} } = (isObject(one) ? one : { Name: one }) as {
      Name: string;
      Parameters?: JsonObject;
    };
    expanded = (await transformWhole(Name, evaluated(Parameters), expanded, ctx)) as JsonObject;
    if (!isObject(expanded)) throw deferredError('Template format error: unsupported structure.');
  }
  return expanded;
}

async function transformWhole(
  name: string,
  parameters: JsonObject,
  template: JsonObject,
  ctx: TransformContext,
): Promise<unknown> {
  if (name === 'AWS::LanguageExtensions') return template;
  if (name === 'AWS::Include') {
    const included = await include(parameters, ctx);
    return isObject(included) ? { ...template, ...included } : template;
  }
  if (name === SAM_TRANSFORM) return translateSam(template, ctx);
  if (SECRETS.test(name)) return withoutHostedRotation(name, template);
  return runMacro(name, template, parameters, ctx);
}

/** Names of the transform that creates functions for secret rotation. */
const SECRETS = /^AWS::SecretsManager-\d{4}-\d{2}-\d{2}$/;

/**
 * Handles the transform for secret rotation by existing functions.
 * @throws AwsError `ValidationError` if a rotation function must be created: its code belongs to AWS
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/transform-aws-secretsmanager.html
 */
function withoutHostedRotation(name: string, template: JsonObject): JsonObject {
  for (const [logicalId, resource] of Object.entries(isObject(template.Resources) ? template.Resources : {}))
    if (isObject(resource) && isObject(resource.Properties) && 'HostedRotationLambda' in resource.Properties)
      throw deferredError(
        `Transform ${name} failed with: emu has no functions that rotate secrets (HostedRotationLambda of ${logicalId}); name one of your own by RotationLambdaARN`,
      );
  return template;
}

/** @throws AwsError `ValidationError` with all problems of the template */
async function translateSam(template: JsonObject, ctx: TransformContext): Promise<JsonObject> {
  const policies = JSON.stringify(template).includes('"Policies"') ? await managedPolicies(ctx) : undefined;
  try {
    return transformSam(template, {
      region: ctx.region,
      partition: partitionOf(ctx.region),
      parameters: ctx.parameters,
      managedPolicy: (policy) => policies?.get(policy),
    });
  } catch (error) {
    if (!(error instanceof InvalidSamTemplate)) throw error;
    throw deferredError(`Transform ${SAM_TRANSFORM} failed with: ${error.message}`);
  }
}

/** Returns the ARNs of AWS managed policies, by name. */
async function managedPolicies(ctx: TransformContext): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let Marker: string | undefined;
  do {
    const page = await ctx.call('iam', 'ListPolicies', { Scope: 'AWS', MaxItems: 1000, ...(Marker && { Marker }) });
    for (const { PolicyName, Arn } of page.Policies ?? []) found.set(PolicyName!, Arn!);
    Marker = page.IsTruncated ? page.Marker : undefined;
  } while (Marker);
  return found;
}

/** Replaces each Fn::Transform by its expansion, merged with its siblings. */
async function expandNested(
  value: unknown,
  evaluated: (parameters: JsonObject) => JsonObject,
  ctx: TransformContext,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => expandNested(item, evaluated, ctx)));
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(value))
    if (name !== 'Fn::Transform') out[name] = await expandNested(member, evaluated, ctx);
  if (!('Fn::Transform' in value)) return out;
  const calls = value['Fn::Transform'];
  let result: unknown = out;
  for (const call of Array.isArray(calls) ? calls : [calls]) {
    const { Name, Parameters: given = {} } = (isObject(call) ? call : { Name: call }) as {
      Name: string;
      Parameters?: JsonObject;
    };
    const Parameters = evaluated(given);
    const expanded =
      Name === 'AWS::Include' ? await include(Parameters, ctx) : await runMacro(Name, result, Parameters, ctx);
    result = isObject(result) && isObject(expanded) && Name === 'AWS::Include' ? { ...result, ...expanded } : expanded;
  }
  return result;
}
