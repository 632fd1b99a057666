import type { ResourceModel, ResourceProvider, ResourceTypeFacts } from '@emu/core/service';
import type { WarningDetail } from '@emu/service-types/cloudformation';
import { isObject } from '@emu/wire';
import { refOf } from '../engine/evaluation.ts';
import type { JsonObject } from '../templates/values.ts';
import type { GeneratedTemplateRecord } from './records.ts';

/** Stored data of a resource that was read for a template. */
export interface ReadResource {
  readonly properties: JsonObject;
  /** Results of Ref and Fn::GetAtt by name; Ref has the empty name. */
  readonly values: Readonly<Record<string, string>>;
  /** Types by name of required properties that cannot be read; they become template parameters. */
  readonly parameters: readonly string[];
}

/** Returns the template properties of a resource, and those that cannot be generated. */
export function readResource(
  provider: ResourceProvider,
  identifier: string,
  { properties, attributes }: ResourceModel,
): { read: ReadResource; warnings: WarningDetail[] } {
  const { facts } = provider;
  const own = structuredClone(properties) as JsonObject;
  for (const name of Object.keys(own)) if (!Object.hasOwn(facts.properties, name)) delete own[name];
  for (const path of facts.writeOnly ?? []) removeAt(own, path.split('.'));
  withoutAwsTags(own, facts);
  const hidden = (facts.writeOnly ?? []).map((path) => path.split('.'));
  const parameters = hidden
    .filter(([name, ...rest]) => rest.length === 0 && isScalar(facts, name!) && facts.properties[name!]?.required)
    .map(([name]) => name!);
  const unsupported = hidden.filter(([name, ...rest]) => rest.length > 0 || !parameters.includes(name!));
  const texts = Object.entries(attributes).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    read: {
      properties: own,
      values: { ...Object.fromEntries(texts), '': refOf(provider, { identifier, properties: own, attributes }) },
      parameters,
    },
    warnings: unsupported.length
      ? [
          {
            Type: 'UNSUPPORTED_PROPERTIES',
            Properties: unsupported.map((path) => ({
              PropertyPath: path.join('/'),
              Required: path.length === 1 && (facts.properties[path[0]!]?.required ?? false),
            })),
          },
        ]
      : [],
  };
}

const isScalar = ({ properties }: ResourceTypeFacts, name: string): boolean => {
  const type = properties[name]?.type;
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
};

function removeAt(from: unknown, [name, ...rest]: string[]): void {
  if (name === undefined || !isObject(from)) return;
  if (rest.length === 0) delete from[name];
  else {
    removeAt(from[name], rest);
    if (isObject(from[name]) && Object.keys(from[name]).length === 0) delete from[name];
  }
}

function withoutAwsTags(properties: JsonObject, { tags }: ResourceTypeFacts): void {
  if (tags?.form !== 'list' || !Array.isArray(properties[tags.property])) return;
  const kept = (properties[tags.property] as { Key: string }[]).filter(({ Key }) => !Key.startsWith('aws:'));
  if (kept.length) properties[tags.property] = kept;
  else delete properties[tags.property];
}

const POLICY = { DELETE: 'Delete', RETAIN: 'Retain' } as const;

type Template = Pick<GeneratedTemplateRecord, 'base' | 'deletionPolicy' | 'updateReplacePolicy' | 'resources'>;

/**
 * Builds the text of a generated template; a resource that contains the name of another refers to it.
 * @param arn of the generated template
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/generate-IaC.html
 */
export function templateBody(
  { base, deletionPolicy, updateReplacePolicy, resources }: Template,
  arn: string,
): JsonObject {
  const start = base === undefined ? {} : (JSON.parse(base) as JsonObject);
  const parameters: JsonObject = isObject(start.Parameters) ? { ...start.Parameters } : {};
  const made: JsonObject = isObject(start.Resources) ? { ...start.Resources } : {};
  const read = resources.flatMap(({ logicalId, type, read }) =>
    read === undefined ? [] : [{ logicalId, type, read: JSON.parse(read) as ReadResource }],
  );
  const links = new Links(read);
  for (const { logicalId, type, read: known } of read) {
    const properties = links.linked(logicalId, known.properties) as JsonObject;
    for (const name of known.parameters) {
      const parameter = `${logicalId}${name}`;
      parameters[parameter] = { NoEcho: 'true', Type: 'String', Description: `The ${name} of ${logicalId}` };
      properties[name] = { Ref: parameter };
    }
    made[logicalId] = {
      UpdateReplacePolicy: POLICY[updateReplacePolicy],
      Type: type,
      DeletionPolicy: POLICY[deletionPolicy],
      Properties: properties,
    };
  }
  return {
    ...start,
    Metadata: { ...(isObject(start.Metadata) ? start.Metadata : {}), TemplateId: arn },
    ...(Object.keys(parameters).length && { Parameters: parameters }),
    Resources: made,
  };
}

/** References between resources, without cycles. */
class Links {
  private readonly owners = new Map<string, { logicalId: string; name: string }>();
  private readonly edges = new Map<string, Set<string>>();

  constructor(all: readonly { logicalId: string; read: ReadResource }[]) {
    for (const { logicalId, read } of all)
      for (const [name, value] of Object.entries(read.values))
        if (name === '' || value.startsWith('arn:')) this.owners.set(value, { logicalId, name });
  }

  linked(from: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.linked(from, item));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.linked(from, member)]));
    const owner = typeof value === 'string' ? this.owners.get(value) : undefined;
    if (!owner || owner.logicalId === from || this.reaches(owner.logicalId, from)) return value;
    const known = this.edges.get(from) ?? new Set();
    this.edges.set(from, known.add(owner.logicalId));
    return owner.name === '' ? { Ref: owner.logicalId } : { 'Fn::GetAtt': [owner.logicalId, owner.name] };
  }

  private reaches(from: string, to: string, seen: Set<string> = new Set()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(this.edges.get(from) ?? [])].some((next) => this.reaches(next, to, seen));
  }
}
