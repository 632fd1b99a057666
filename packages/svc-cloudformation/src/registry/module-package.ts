import { readAtMost, type ServiceCaller } from '@emu/core/service';
import { AwsError, isObject, piecesOf } from '@emu/wire';
import { parseTemplate, refuseNulls } from '../templates/parse.ts';
import { type ObjectAddress, objectAddress } from '../templates/template-url.ts';
import type { JsonObject } from '../templates/values.ts';

/** Maximum size of a package and of a file in it, in bytes. */
const MAX_PACKAGE = 10_000_000;
const MAX_FILE = 1_000_000;
const FRAGMENT = /^fragments\/[^/]+\.(?:json|ya?ml|template)$/;

/** Contents of a module package. */
export interface ModulePackage {
  readonly fragment: JsonObject;
  readonly schema: JsonObject;
}

/** A package that is not a valid module; the registration fails. */
export class UnusablePackage extends Error {
  override readonly name = 'UnusablePackage';
}

/**
 * Returns the location of a package: `s3://bucket/key`, or a URL as for templates.
 * @throws AwsError `ValidationError`
 */
function packageAddress(url: string, endpoint: string): ObjectAddress {
  const match = /^s3:\/\/([^/]+)\/(.+)$/.exec(url);
  return match ? { bucket: match[1]!, key: match[2]! } : objectAddress(url, endpoint, 'SchemaHandlerPackage');
}

/**
 * Reads a module package from S3 as `cfn submit` creates it: a zip file with `schema.json` and a template fragment.
 * @throws UnusablePackage with the problem
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/modules-structure.html
 */
export async function readModulePackage(
  url: string,
  typeName: string,
  endpoint: string,
  caller: Pick<ServiceCaller, 'call'>,
): Promise<ModulePackage> {
  const files = await unpack(await download(url, endpoint, caller));
  const [name, ...others] = [...files.keys()].filter((file) => FRAGMENT.test(file));
  if (name === undefined) throw new UnusablePackage('The package has no template fragment.');
  if (others.length) throw new UnusablePackage('The package has more than one template fragment.');
  const fragment = parsed(files.get(name)!, name);
  checkFragment(fragment);
  const given = files.get('schema.json');
  return { fragment, schema: given === undefined ? moduleSchema(typeName, fragment) : parsed(given, 'schema.json') };
}

async function download(url: string, endpoint: string, caller: Pick<ServiceCaller, 'call'>): Promise<Uint8Array> {
  try {
    const { bucket, key, versionId } = packageAddress(url, endpoint);
    const { Body } = await caller.call('s3', 'GetObject', {
      Bucket: bucket,
      Key: key,
      ...(versionId !== undefined && { VersionId: versionId }),
    });
    const bytes = await readAtMost(piecesOf(Body), MAX_PACKAGE);
    if (!bytes) throw new UnusablePackage(`The package may not exceed ${MAX_PACKAGE} bytes in size.`);
    return bytes;
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw new UnusablePackage(`The package cannot be read: ${error.message}`);
  }
}

async function unpack(bytes: Uint8Array): Promise<Map<string, string>> {
  const { unzipSync } = await import('fflate');
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => (name === 'schema.json' || FRAGMENT.test(name)) && originalSize <= MAX_FILE,
    });
    return new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('utf8')]));
  } catch {
    throw new UnusablePackage('The package is no zip file.');
  }
}

function parsed(text: string, file: string): JsonObject {
  try {
    const template = parseTemplate(text);
    refuseNulls(template);
    return template;
  } catch (error) {
    throw new UnusablePackage(`${file}: ${(error as Error).message}`);
  }
}

/** Types that a fragment must not contain. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'AWS::CloudFormation::Macro': "Template fragment can't contain any macro.",
  'AWS::CloudFormation::Stack': "Template fragment can't contain nested stack.",
};

function checkFragment({ Resources, Outputs, Transform, ...rest }: JsonObject): void {
  if (!isObject(Resources) || !Object.keys(Resources).length)
    throw new UnusablePackage('Template fragment must contain a Resources section.');
  for (const [id, resource] of Object.entries(Resources)) {
    if (!isObject(resource) || typeof resource.Type !== 'string')
      throw new UnusablePackage(`Resource '${id}' is invalid`);
    const problem = LEFT_OUT[resource.Type];
    if (problem !== undefined) throw new UnusablePackage(problem);
  }
  if (Transform !== undefined) throw new UnusablePackage("Template fragment can't contain transform section.");
  for (const [name, output] of Object.entries(isObject(Outputs) ? Outputs : {}))
    if (isObject(output) && output.Export !== undefined)
      throw new UnusablePackage(
        `Template fragment cannot contain any Export. Found an Export statement in Output: ${name}`,
      );
  const text = JSON.stringify({ Resources, Outputs, ...rest });
  if (text.includes('"Fn::Transform"')) throw new UnusablePackage("Template fragment can't contain any transform.");
  if (text.includes('"Fn::ImportValue"'))
    throw new UnusablePackage("Template fragment can't contain any Fn::ImportValue.");
}

/** Returns the default schema of a module without one, as `cfn generate` writes it. */
function moduleSchema(typeName: string, { Parameters, Resources }: JsonObject): JsonObject {
  const parameters = Object.entries(isObject(Parameters) ? Parameters : {}).map(([name, parameter]) => {
    const description = isObject(parameter) ? parameter.Description : undefined;
    const text = { type: 'string' };
    return [
      name,
      {
        type: 'object',
        properties: { Type: text, ...(description !== undefined && { Description: text }) },
        required: ['Type', ...(description === undefined ? [] : ['Description'])],
        ...(description !== undefined && { description }),
      },
    ] as const;
  });
  const resources = Object.entries(Resources as Record<string, JsonObject>).map(([name, { Type }]) => [
    name,
    {
      type: 'object',
      properties: { Type: { type: 'string', const: Type }, Properties: { type: 'object' } },
    },
  ]);
  return {
    typeName,
    description: `Schema for Module Fragment of type ${typeName}`,
    properties: {
      ...(parameters.length && { Parameters: { type: 'object', properties: Object.fromEntries(parameters) } }),
      Resources: { properties: Object.fromEntries(resources), type: 'object', additionalProperties: false },
    },
    additionalProperties: true,
  };
}
