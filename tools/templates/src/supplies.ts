import { CreateBucketCommand, PutBucketVersioningCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { zipOf } from '@emu/gateway/testing';
import { isObject } from '@emu/wire';
import { type DeclaredParameter, dummyOf } from './parameters.ts';

const HANDLER = 'async () => ({ statusCode: 200, body: "{}" })';
const API = {
  openapi: '3.0.1',
  info: { title: 'dummy', version: '1' },
  paths: {
    '/': {
      get: {
        'x-amazon-apigateway-integration': {
          type: 'http_proxy',
          uri: 'https://example.com',
          httpMethod: 'GET',
          payloadFormatVersion: '1.0',
        },
      },
    },
  },
};
const WORKFLOW = { StartAt: 'Only', States: { Only: { Type: 'Pass', End: true } } };
const RESOURCES = { Handle: { Type: 'AWS::CloudFormation::WaitConditionHandle' } };

/** Contents of objects by the property that names them; those of other properties are packages. */
const CONTENTS: Readonly<Record<string, object>> = { BodyS3Location: API, DefinitionS3Location: WORKFLOW };
/** URLs of nested templates, with the bucket in the path or in the host. */
const TEMPLATE_URL = /^https:\/\/(?:s3[^/]*\/([^/]+)|([^/]+)\.s3[^/]*)\/(.+)$/;

/** An object in S3 that a template names. */
interface NamedObject {
  readonly bucket: string;
  readonly key: string;
  readonly version: string | number | undefined;
  /** Undefined for a package. */
  readonly content: string | undefined;
}

/**
 * Creates the objects in S3 that a template names: packages, API definitions, state machines and templates.
 * @returns the text of the template with the versions of these objects
 */
export async function supply(text: string, template: Record<string, unknown>, s3: S3Client): Promise<string> {
  const parameters = isObject(template.Parameters) ? template.Parameters : {};
  const literal = (value: unknown): string | undefined => {
    if (typeof value === 'string') return value;
    const name = isObject(value) && typeof value.Ref === 'string' ? value.Ref : '';
    const declared = parameters[name];
    return isObject(declared) ? dummyOf(name, declared as DeclaredParameter) : undefined;
  };
  const archive = packageOf([...handlersIn(template.Resources)]);
  const buckets = new Set<string>();
  let supplied = text;
  for (const { bucket, key, version, content } of objectsIn(template.Resources, '', literal)) {
    if (!buckets.has(bucket)) {
      buckets.add(bucket);
      await s3.send(new CreateBucketCommand({ Bucket: bucket }));
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await s3.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
    }
    const { VersionId } = await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content ?? archive }));
    if (version !== undefined) supplied = withVersion(supplied, version, VersionId!);
  }
  return supplied;
}

/** Replaces the version of an object in the text of a template. */
function withVersion(text: string, version: string | number, actual: string): string {
  const escaped = String(version).replaceAll(/[^\w]/g, '\\$&');
  const member = new RegExp(`(Version["']?\\s*:\\s*)(["']?)${escaped}\\2(?![\\w.-])`, 'g');
  return text.replaceAll(member, `$1"${actual}"`);
}

/** Returns a template with the parameters that a nested stack gives. */
function nestedTemplate({ Parameters }: Record<string, unknown>): string {
  const names = Object.keys(isObject(Parameters) ? Parameters : {});
  const declared = Object.fromEntries(names.map((name) => [name, { Type: 'String', Default: '' }]));
  return JSON.stringify({ ...(names.length && { Parameters: declared }), Resources: RESOURCES });
}

/** Returns a package with the handlers of JavaScript functions. */
function packageOf(handlers: readonly string[]): Uint8Array {
  const files: Record<string, string> = {};
  for (const handler of ['index.handler', ...handlers]) {
    const dot = handler.lastIndexOf('.');
    if (dot > 0) files[`${handler.slice(0, dot)}.js`] = `exports.${handler.slice(dot + 1)} = ${HANDLER};`;
  }
  return zipOf(files);
}

/** Returns the handlers of the functions in a value. */
function* handlersIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* handlersIn(item);
  if (!isObject(value)) return;
  if (typeof value.Handler === 'string') yield value.Handler;
  for (const member of Object.values(value)) yield* handlersIn(member);
}

/** Finds the objects in a value. @param property the property with the value */
function* objectsIn(
  value: unknown,
  property: string,
  literal: (value: unknown) => string | undefined,
): Generator<NamedObject> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item, property, literal);
  if (!isObject(value)) return;
  if (typeof value.TemplateURL === 'string') {
    const [, inPath, inHost, key] = TEMPLATE_URL.exec(value.TemplateURL) ?? [];
    if (key !== undefined)
      yield { bucket: (inPath ?? inHost)!, key, version: undefined, content: nestedTemplate(value) };
  }
  const bucket = literal(value.S3Bucket ?? value.Bucket);
  const key = literal(value.S3Key ?? value.Key);
  if (bucket !== undefined && key !== undefined) {
    const given = value.S3ObjectVersion ?? value.Version;
    const version = typeof given === 'number' || typeof given === 'string' ? given : undefined;
    const content = CONTENTS[property];
    yield { bucket, key, version, content: content && JSON.stringify(content) };
  }
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, name, literal);
}
