import type { ResourceProvider } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { ANY_PROPERTY } from '../resource-types/own.ts';
import type { Evaluator } from '../templates/evaluate.ts';
import { getAttArguments } from '../templates/references.ts';
import type { Template } from '../templates/template.ts';
import { isCustom } from './evaluation.ts';

/** Yields each Fn::GetAtt within a value with its path. */
function* attributesIn(value: unknown, path: string): Generator<[path: string, owner: string, name: string]> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* attributesIn(item, `${path}/${index}`);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'Fn::GetAtt') {
      const [owner, attribute] = getAttArguments(member);
      if (typeof attribute === 'string') yield [`${path}/${name}`, owner, attribute];
    } else yield* attributesIn(member, `${path}/${name}`);
  }
}

/** Whether resources of a type have an attribute, according to the facts. */
function has({ typeName, facts }: ResourceProvider, attribute: string): boolean {
  const root = attribute.split('.')[0]!;
  if (isCustom(typeName) || facts.properties[ANY_PROPERTY] !== undefined) return true;
  if (typeName === 'AWS::CloudFormation::Stack') return root === 'Outputs';
  return [...Object.keys(facts.attributes), ...Object.keys(facts.properties), ...facts.primaryIdentifier].some(
    (known) => known === attribute || known.split('.')[0] === root,
  );
}

/**
 * Finds unknown attributes; AWS checks this before it starts any resource.
 * @param providers of the resources that conditions include
 * @returns the problem in CloudFormation's words
 */
export function unknownAttribute(
  template: Template,
  evaluator: Evaluator,
  providers: ReadonlyMap<string, ResourceProvider>,
): string | undefined {
  const places: [path: string, value: unknown][] = [
    ...[...providers.keys()].map((name): [string, unknown] => [
      `/Resources/${name}/Properties`,
      template.Resources[name]!.Properties,
    ]),
    ...Object.entries(template.Outputs)
      .filter(([, output]) => evaluator.includes(output))
      .map(([name, { Value }]): [string, unknown] => [`/Outputs/${name}/Value`, Value]),
  ];
  for (const [at, value] of places)
    for (const [path, owner, attribute] of attributesIn(value, at)) {
      const provider = providers.get(owner);
      if (provider && !has(provider, attribute))
        return `[Error] ${path}: Resource type ${provider.typeName} does not support attribute {${attribute}}`;
    }
  return undefined;
}
