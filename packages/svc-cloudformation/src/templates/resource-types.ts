import { badTemplate } from '../errors.ts';
import type { Template } from './template.ts';

/** Names of AWS's public resource types by namespace, loaded for the first type that emu lacks. */
let names: Promise<Readonly<Record<string, readonly string[]>>> | undefined;

async function loadNames(): Promise<Readonly<Record<string, readonly string[]>>> {
  return (await import('../../model/resource-types.json', { with: { type: 'json' } })).default.types;
}

/** Whether AWS has a public resource type of a name. */
export async function isPublicType(typeName: string): Promise<boolean> {
  names ??= loadNames();
  const types = await names;
  const at = typeName.lastIndexOf('::');
  const namespace = typeName.slice(0, Math.max(at, 0));
  return Object.hasOwn(types, namespace) && types[namespace]!.includes(typeName.slice(at + 2));
}

/**
 * Rejects a template with unrecognized resource types.
 * @param recognizes whether a template may contain a type
 * @throws AwsError `ValidationError` with all of these types, in the order of the template
 * @see https://github.com/aws/aws-cli/issues/2684
 */
export async function checkRecognized(
  { Resources }: Pick<Template, 'Resources'>,
  recognizes: (typeName: string) => Promise<boolean>,
): Promise<void> {
  const unrecognized: string[] = [];
  for (const type of new Set(Object.values(Resources).map(({ Type }) => Type)))
    if (!(await recognizes(type))) unrecognized.push(type);
  if (unrecognized.length) throw badTemplate(`Unrecognized resource types: [${unrecognized.join(', ')}]`);
}
