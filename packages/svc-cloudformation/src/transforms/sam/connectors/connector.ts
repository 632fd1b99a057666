import { isObject } from '@emu/wire';
import { duplicateProblem, resourceProblem } from '../errors.ts';
import type { Translation } from '../translation.ts';
import { copy, defined, type Obj, type Resource } from '../values.ts';
import { type End, endOf, referredId } from './ends.ts';
import { PROFILES, type Profile } from './profiles-data.ts';

const TYPE = 'AWS::Serverless::Connector';

/**
 * Translates the connectors of a template, including those in the attribute `Connectors` of resources, after all of
 * their ends exist.
 */
export function translateConnectors(to: Translation): void {
  const connectors = Object.entries(to.resources).filter(([, { Type }]) => Type === TYPE);
  for (const [id, resource] of Object.entries(to.resources)) {
    if (!Object.hasOwn(resource, 'Connectors')) continue;
    attempt(to, () => {
      if (!isObject(resource.Connectors)) throw resourceProblem(id, `Attribute '${id}.Connectors' should be a map.`);
      for (const [name, embedded] of Object.entries(resource.Connectors))
        attempt(to, () => connectors.push(embeddedConnector(id, name, embedded, to)));
    });
  }
  for (const [id, resource] of connectors) to.translate(id, () => translateConnector(id, resource, to));
}

function attempt(to: Translation, work: () => void): void {
  try {
    work();
  } catch (error) {
    to.report(error);
  }
}

/** Converts a connector in an attribute of its source to a resource. */
function embeddedConnector(source: string, name: string, embedded: unknown, to: Translation): [string, Resource] {
  const id = `${source}${name}`;
  if (!isObject(embedded)) throw resourceProblem(id, `${source}.${id} should be a map.`);
  const { Properties: properties, ...attributes } = embedded;
  if (!isObject(properties))
    throw resourceProblem(source, `Attribute 'Connectors.${name}.Properties' should be a map.`);
  const { SourceReference: reference = {}, ...rest } = properties;
  if (!isObject(reference))
    throw resourceProblem(source, `Property 'Connectors.${name}.Properties.SourceReference' should be a map.`);
  if (Object.hasOwn(reference, 'Id')) throw resourceProblem(name, "'Id' shouldn't be defined in 'SourceReference'.");
  if (Object.hasOwn(to.resources, id)) throw duplicateProblem(source, id, TYPE);
  return [id, { ...attributes, Type: TYPE, Properties: { ...rest, Source: { ...reference, Id: source } } }];
}

function translateConnector(id: string, resource: Resource, to: Translation): void {
  const properties = resource.Properties ?? {};
  const { Source, Destination, Permissions } = properties;
  for (const name of ['Source', 'Destination', 'Permissions'])
    if (properties[name] === undefined || properties[name] === null)
      throw resourceProblem(id, `Missing required property '${name}'.`);
  if (!isObject(Source)) throw resourceProblem(id, "Property 'Source' should be a map.");
  if (!Array.isArray(Permissions)) throw resourceProblem(id, "Property 'Permissions' should be a list.");
  const many = Array.isArray(Destination);
  const destinations: unknown[] = many ? Destination : [Destination];
  if (!destinations.length) throw resourceProblem(id, "'Destination' is an empty list");
  const made: string[] = [];
  destinations.forEach((given, index) => {
    if (!isObject(given)) throw resourceProblem(id, "Property 'Destination' should be a map.");
    const destination = endOf(id, given, Source, to);
    const source = endOf(id, Source, given, to);
    const suffix = many ? `Destination${index}` : '';
    made.push(...connect({ id, resource, source, destination, suffix, permissions: Permissions }, to));
  });
  // A dependency on the connector becomes one on everything created from it.
  for (const other of Object.values(to.output)) {
    const waits = other.DependsOn === undefined ? [] : [other.DependsOn].flat();
    if (waits.includes(id)) other.DependsOn = [...new Set([...waits.filter((one) => one !== id), ...made])].sort();
  }
}

interface Connection {
  readonly id: string;
  readonly resource: Resource;
  readonly source: End;
  readonly destination: End;
  /** Suffixes of created ids. */
  readonly suffix: string;
  readonly permissions: readonly unknown[];
}

/**
 * Creates the permissions of source to destination.
 * @returns their ids
 */
function connect(connection: Connection, to: Translation): string[] {
  const { id, resource, source, destination, suffix, permissions } = connection;
  const profile = PROFILES[source.type]?.[destination.type];
  if (!profile)
    throw resourceProblem(
      id,
      `Unable to create connector from ${source.type} to ${destination.type}; it's not supported or the template is invalid.`,
    );
  checkPermissions(connection, profile);
  const access = Object.fromEntries(
    Object.entries(profile.access).map(([name, entries]) => [name, fill(id, entries, source, destination) as Obj[]]),
  );
  const granted = Object.entries(access).filter(([name]) => permissions.includes(name));
  const document = { Version: '2012-10-17', Statement: granted.flatMap(([, statements]) => statements) };
  const [holder, side] = profile.onSource ? [source, 'Source'] : [destination, 'Destination'];
  const { Type: _, Properties: __, Connectors: ___, Metadata, ...kept } = resource;
  const metadata = {
    ...(isObject(Metadata) ? Metadata : {}),
    'aws:sam:connectors': {
      [id]: { Source: { Type: typeOf(source, to) }, Destination: { Type: typeOf(destination, to) } },
    },
  };
  const add = (madeId: string, type: string, properties: Obj) => {
    to.add(madeId, type, properties, { ...copy(kept), Metadata: metadata });
    return madeId;
  };
  const needed = (value: unknown, what: string) => {
    if (!value) throw resourceProblem(id, `Unable to get ${what} from '${side}' resource.`);
    return value;
  };
  if (profile.kind === 'queue') {
    const Queues = [needed(holder.queueUrl, 'SQS queue URL')];
    return [add(`${id}QueuePolicy${suffix}`, 'AWS::SQS::QueuePolicy', { PolicyDocument: document, Queues })];
  }
  if (profile.kind === 'topic') {
    const Topics = [needed(holder.arn, 'SNS topic ARN')];
    return [add(`${id}TopicPolicy${suffix}`, 'AWS::SNS::TopicPolicy', { PolicyDocument: document, Topics })];
  }
  if (profile.kind === 'permission') {
    const FunctionName = needed(holder.arn, 'Lambda function ARN');
    return granted.map(([name, [permission]]) =>
      add(`${id}${name}LambdaPermission${suffix}`, 'AWS::Lambda::Permission', { ...permission, FunctionName }),
    );
  }
  const Roles = [needed(holder.roleName, 'IAM role name')];
  const policyId = add(`${id}Policy${suffix}`, 'AWS::IAM::ManagedPolicy', { PolicyDocument: document, Roles });
  for (const waiting of dependents(profile, source, destination, to)) {
    const others = waiting.DependsOn === undefined ? [] : [waiting.DependsOn].flat();
    waiting.DependsOn = [...new Set([...others, policyId])];
  }
  return [policyId];
}

function checkPermissions({ id, source, destination, permissions }: Connection, profile: Profile): void {
  const valid = Object.keys(profile.access).join(', ');
  if (!permissions.length) throw resourceProblem(id, `'Permissions' cannot be empty; valid values are: ${valid}.`);
  const unsupported = `Unsupported 'Permissions' provided for connector from ${source.type} to ${destination.type};`;
  if (permissions.some((name) => typeof name !== 'string' || !Object.hasOwn(profile.access, name)))
    throw resourceProblem(id, `${unsupported} valid values are: ${valid}.`);
  const { combinations } = profile;
  const given = [...new Set(permissions)].sort().join(' + ');
  const known = combinations?.map((names) => names.join(' + '));
  if (known && !known.includes(given))
    throw resourceProblem(id, `${unsupported} valid combinations are: ${known.join(', ')}.`);
}

/** Returns the resources that must depend on a role's policy. */
function dependents({ dependent }: Profile, source: End, destination: End, to: Translation): Resource[] {
  if (dependent === undefined || source.id === undefined) return [];
  if (dependent === 'source') return [to.output[source.id]!];
  const mappings = Object.values(to.output).filter(({ Type, Properties }) => {
    if (Type !== 'AWS::Lambda::EventSourceMapping' || !isObject(Properties)) return false;
    const { FunctionName, EventSourceArn } = Properties;
    return referredId(FunctionName) === destination.id && referredId(EventSourceArn) === source.id;
  });
  return destination.id !== undefined && mappings.length === 1 ? mappings : [];
}

/** Returns the type of an end in the template. */
const typeOf = ({ id, type }: End, to: Translation): unknown =>
  (id === undefined ? undefined : to.resources[id]?.Type) ?? type;

/**
 * Fills known properties of both ends into a profile.
 * @throws SamProblem if one is unknown
 */
function fill(id: string, value: unknown, source: End, destination: End): unknown {
  if (Array.isArray(value)) return value.map((entry) => fill(id, entry, source, destination));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, fill(id, inner, source, destination)]),
    );
  return typeof value === 'string' ? fillText(id, value, source, destination) : value;
}

function fillText(id: string, text: string, source: End, destination: End): unknown {
  const variables: Obj = {};
  let whole: unknown;
  const filled = text.replace(
    /%\{(Source|Destination)\.(\w+)\}/g,
    (match, side: 'Source' | 'Destination', name: string) => {
      const end = side === 'Source' ? source : destination;
      const value = { Arn: end.arn, Name: end.name, ResourceId: end.resourceId, Qualifier: end.qualifier }[name];
      if (value === undefined || value === null) throw resourceProblem(id, `${side}.${name} is missing.`);
      if (match === text) whole = value;
      variables[side + name] = value;
      return `\${${side}${name}}`;
    },
  );
  if (whole !== undefined) return whole;
  if (!filled.includes('${')) return filled;
  return { 'Fn::Sub': Object.keys(variables).length ? [filled, variables] : filled };
}

/** Returns the attributes of a resource without its connectors. */
export const withoutConnectors = ({ Connectors: _, ...rest }: Resource): Resource =>
  defined(rest) as unknown as Resource;
