import { isObject, type ServiceModel, type Shape } from '@emu/wire';

/** emu's service names by different names in AWS's SDK for Java. */
const SERVICES: Readonly<Record<string, string>> = {
  cloudwatchevents: 'events',
  cloudwatchlogs: 'logs',
  cognitoidentity: 'cognito-identity',
  cognitoidentityprovider: 'cognito-idp',
  eventbridge: 'events',
  sfn: 'stepfunctions',
};

/**
 * Returns emu's name of the service in an ARN of the form `…:aws-sdk:<service>:<action>`.
 * @param sdk name of the service in AWS's SDK for Java
 */
export const sdkServiceOf = (sdk: string): string => SERVICES[sdk] ?? sdk;

/** Names that the SDK for Java replaces, as they are reserved in its language. */
const REPLACED: Readonly<Record<string, string>> = { Equals: 'EqualsValue', NULL: 'Nul' };

/** Lower-cases a run of capitals except its first, and its last if a lower-case letter follows. */
const leadingCapitals = (name: string): string =>
  name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.charAt(0) + capitals.slice(1).toLowerCase());

/**
 * Returns a member's name in Step Functions and EventBridge Scheduler, which follow AWS's SDK for Java with a capital
 * first letter: `DBInstanceIdentifier` becomes `DbInstanceIdentifier`, and `restApiId` becomes `RestApiId`.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/supported-services-awssdk.html
 */
export const sdkMemberName = (member: string): string =>
  REPLACED[member] ?? leadingCapitals(member.charAt(0).toUpperCase() + member.slice(1));

/** Rewrites the runs of capitals of a name as words. */
const asWords = (text: string): string =>
  text.replace(/[A-Z]{2,}(?![a-z])/g, (capitals) => capitals.charAt(0) + capitals.slice(1).toLowerCase());

/**
 * Returns the prefix of a service's errors: the name of its client in AWS's SDK for Java.
 * @param serviceId e.g. `Cognito Identity Provider`, which gives `CognitoIdentityProvider`
 */
export const sdkErrorPrefix = (serviceId: string): string =>
  serviceId
    .replace('SESv2', 'SES V2')
    .split(' ')
    .map((word) => asWords(word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

/**
 * Returns the class name of an error in AWS's SDK for Java, by its code.
 * @returns undefined if the model has no such error
 */
export function sdkErrorName({ shapes }: ServiceModel, code: string): string | undefined {
  const found = Object.entries(shapes).find(
    ([name, { exception, error }]) => exception && (name === code || error?.code === code),
  );
  return found && `${asWords(found[0]).replace(/(?:Exception|Fault)$/, '')}Exception`;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Names of a structure's members in the model, by their names in the SDK. */
const namesOf = new WeakMap<Shape, ReadonlyMap<string, string>>();

function namesIn(shape: Shape): ReadonlyMap<string, string> {
  const known = namesOf.get(shape);
  if (known) return known;
  const names = new Map(Object.keys(shape.members ?? {}).map((member) => [sdkMemberName(member), member]));
  namesOf.set(shape, names);
  return names;
}

/** Renames the members of the structures in a value. Members unknown to the model keep their names. */
function renamed(
  value: Json,
  shape: Shape,
  shapes: ServiceModel['shapes'],
  rename: (key: string, shape: Shape) => [key: string, member: string],
): Json {
  const inner = (item: Json, name: string | undefined): Json => {
    const of = name === undefined ? undefined : shapes[name];
    return of ? renamed(item, of, shapes, rename) : item;
  };
  if (Array.isArray(value))
    return shape.type === 'list' ? value.map((item: Json) => inner(item, shape.member?.shape)) : value;
  if (!isObject(value) || shape.document) return value;
  const entries = Object.entries(value);
  if (shape.type === 'map')
    return Object.fromEntries(entries.map(([key, item]) => [key, inner(item, shape.value?.shape)]));
  if (shape.type !== 'structure') return value;
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const [name, member] = rename(key, shape);
      return [name, inner(item, shape.members?.[member]?.shape)];
    }),
  );
}

const shapeOf = (model: ServiceModel, operation: string, side: 'input' | 'output'): Shape | undefined => {
  const name = model.operations[operation]?.[side]?.shape;
  return name === undefined ? undefined : model.shapes[name];
};

/**
 * Converts parameters of Step Functions and Scheduler to the model's member names, which are accepted as well.
 * @param input JSON
 */
export function fromSdkNames(model: ServiceModel, operation: string, input: unknown): unknown {
  const shape = shapeOf(model, operation, 'input');
  if (!shape) return input;
  return renamed(input as Json, shape, model.shapes, (key, structure) => {
    const member = Object.hasOwn(structure.members ?? {}, key) ? key : (namesIn(structure).get(key) ?? key);
    return [member, member];
  });
}

/**
 * Converts an output to the member names of Step Functions.
 * @param output JSON, with the model's names
 */
export function toSdkNames(model: ServiceModel, operation: string, output: unknown): unknown {
  const shape = shapeOf(model, operation, 'output');
  return shape ? renamed(output as Json, shape, model.shapes, (key) => [sdkMemberName(key), key]) : output;
}

/**
 * Adds the idempotency tokens that an SDK generates where its caller names none.
 * @param input JSON, with the model's names
 * @param token makes a token
 * @see https://smithy.io/2.0/spec/behavior-traits.html#smithy-api-idempotencytoken-trait
 */
export function withIdempotencyTokens(
  model: ServiceModel,
  operation: string,
  input: unknown,
  token: () => string,
): unknown {
  if (!isObject(input)) return input;
  const members = Object.entries(shapeOf(model, operation, 'input')?.members ?? {});
  const missing = members.filter(([name, member]) => member.idempotencyToken && (input[name] ?? null) === null);
  return { ...input, ...Object.fromEntries(missing.map(([name]) => [name, token()])) };
}
