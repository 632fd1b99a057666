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

/** Returns the content of an object by the property that names it; undefined for a package. */
function contentOf(property: string, type: string): string | undefined {
  if (property === 'BodyS3Location' || (property === 'DefinitionUri' && type !== 'AWS::Serverless::StateMachine'))
    return JSON.stringify(API);
  return property === 'DefinitionS3Location' || property === 'DefinitionUri' ? JSON.stringify(WORKFLOW) : undefined;
}

/** Addresses of objects in SAM templates. */
const S3_URI = /^s3:\/\/([^/]+)\/([^?]+)(?:\?versionId=(.+))?$/;
/** URLs of nested templates, with the bucket in the path or in the host. */
const TEMPLATE_URL = /^https:\/\/(?:s3[^/]*\/([^/]+)|([^/]+)\.s3[^/]*)\/(.+)$/;

/** An object in S3 that a template names. */
interface NamedObject {
  readonly bucket: string;
  readonly key: string;
  readonly version: string | number | undefined;
  /** The version with its key, as an address in the text contains them; undefined for a version of its own member. */
  readonly address?: string | undefined;
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
  const archive = packageOf([...handlersIn([template.Globals, template.Resources])]);
  const buckets = new Set<string>();
  let supplied = text;
  for (const { bucket, key, version, address, content } of allObjects(template, literal)) {
    if (!buckets.has(bucket)) {
      buckets.add(bucket);
      await s3.send(new CreateBucketCommand({ Bucket: bucket }));
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await s3.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
    }
    const { VersionId } = await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content ?? archive }));
    if (address !== undefined) supplied = supplied.replaceAll(address, `${key}?versionId=${VersionId}`);
    else if (version !== undefined) supplied = withVersion(supplied, version, VersionId!);
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

/** Finds the objects of all resources, and of SAM's defaults for them. */
function* allObjects(
  { Globals, Resources }: Record<string, unknown>,
  literal: (value: unknown) => string | undefined,
): Generator<NamedObject> {
  yield* objectsIn(Globals, '', '', literal);
  for (const resource of Object.values(isObject(Resources) ? Resources : {}))
    if (isObject(resource)) yield* objectsIn(resource, '', String(resource.Type), literal);
}

/** Finds the objects in a value. @param property the property with the value, of a resource of a type */
function* objectsIn(
  value: unknown,
  property: string,
  type: string,
  literal: (value: unknown) => string | undefined,
): Generator<NamedObject> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item, property, type, literal);
  if (typeof value === 'string' && property.endsWith('Uri')) {
    const [, bucket, key, version] = S3_URI.exec(value) ?? [];
    const address = version && `${key}?versionId=${version}`;
    if (key !== undefined) yield { bucket: bucket!, key, version, address, content: contentOf(property, type) };
  }
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
    yield { bucket, key, version, content: contentOf(property, type) };
  }
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, name, type, literal);
}
