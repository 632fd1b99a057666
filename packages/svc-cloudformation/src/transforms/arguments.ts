import { partitionOf } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { badTemplate, invalid } from '../errors.ts';
import { type EvaluationScope, Evaluator } from '../templates/evaluate.ts';
import type { Template } from '../templates/template.ts';
import type { JsonObject } from '../templates/values.ts';
import type { TransformContext } from './context.ts';

/**
 * Creates an evaluator for parameters of transforms and macros. Only functions of parameters and mappings can be
 * evaluated, because resources do not exist yet.
 * @param template the unexpanded template
 * @returns a function that evaluates the parameters of one transform
 */
export function argumentsOf(template: JsonObject, ctx: TransformContext): (parameters: JsonObject) => JsonObject {
  const { accountId, region, stackName, parameters } = ctx;
  const partition = partitionOf(region);
  const unknown = (name: string): never => {
    throw badTemplate(
      `Unresolved dependencies [${name}]. Cannot reference resources in the Transform block of the template`,
    );
  };
  const scope: EvaluationScope = {
    parameters: {
      'AWS::AccountId': accountId,
      'AWS::Partition': partition,
      'AWS::Region': region,
      'AWS::StackName': stackName,
      'AWS::URLSuffix': partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com',
      ...parameters,
    },
    ref: unknown,
    attribute: unknown,
    importValue: (name) => {
      throw invalid(`No export named ${name} found`);
    },
    zones: (other) => ['a', 'b', 'c'].map((letter) => `${other || region}${letter}`),
  };
  const section = (name: string): JsonObject => (isObject(template[name]) ? template[name] : {});
  const evaluator = new Evaluator(
    { Mappings: section('Mappings'), Conditions: section('Conditions') } as unknown as Template,
    scope,
  );
  return (given) => evaluator.evaluate(given) as JsonObject;
}
