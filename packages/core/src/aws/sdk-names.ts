import { isObject, type ServiceModel, type Shape } from '@emu/wire';

/** emu's names of the services that AWS's SDK for Java names otherwise. */
const SERVICES: Readonly<Record<string, string>> = {
  cloudwatchevents: 'events',
  cloudwatchlogs: 'logs',
  cognitoidentity: 'cognito-identity',
  cognitoidentityprovider: 'cognito-idp',
  eventbridge: 'events',
  sfn: 'stepfunctions',
};

/**
 * emu's name of a service that an ARN of the kind `…:aws-sdk:<service>:<action>` names.
 * @param sdk the service as AWS's SDK for Java names it
 */
export const sdkServiceOf = (sdk: string): string => SERVICES[sdk] ?? sdk;

/** Names that the SDK for Java replaces, as they stand for something else in its language. */
const REPLACED: Readonly<Record<string, string>> = { Equals: 'EqualsValue', NULL: 'Nul' };

/** A text of capitals with the first one kept, of which the last begins the next word where a small letter follows. */
const leadingCapitals = (name: string): string =>
  name.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.charAt(0) + capitals.slice(1).toLowerCase());

/**
 * A member as Step Functions and EventBridge Scheduler write it: as AWS's SDK for Java does, with a capital, so that
 * `DBInstanceIdentifier` is `DbInstanceIdentifier` and `restApiId` is `RestApiId`.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/supported-services-awssdk.html
 */
export const sdkMemberName = (member: string): string =>
  REPLACED[member] ?? leadingCapitals(member.charAt(0).toUpperCase() + member.slice(1));

/** A text with words in it, of which those of capitals are written as other words. */
const asWords = (text: string): string =>
  text.replace(/[A-Z]{2,}(?![a-z])/g, (capitals) => capitals.charAt(0) + capitals.slice(1).toLowerCase());

/**
 * What the errors of a service begin with: the name of its client in AWS's SDK for Java.
 * @param serviceId e.g. `Cognito Identity Provider`, which gives `CognitoIdentityProvider`
 */
export const sdkErrorPrefix = (serviceId: string): string =>
  serviceId
    .replace('SESv2', 'SES V2')
    .split(' ')
    .map((word) => asWords(word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

/**
 * The name of an error by its code, as that of its class in AWS's SDK for Java.
 * @returns undefined where the model has no such error
 */
export function sdkErrorName({ shapes }: ServiceModel, code: string): string | undefined {
  const found = Object.entries(shapes).find(
    ([name, { exception, error }]) => exception && (name === code || error?.code === code),
  );
  return found && `${asWords(found[0]).replace(/(?:Exception|Fault)$/, '')}Exception`;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Names of a structure's members in the model by those in the SDK. */
const namesOf = new WeakMap<Shape, ReadonlyMap<string, string>>();

function namesIn(shape: Shape): ReadonlyMap<string, string> {
  const known = namesOf.get(shape);
  if (known) return known;
  const names = new Map(Object.keys(shape.members ?? {}).map((member) => [sdkMemberName(member), member]));
  namesOf.set(shape, names);
  return names;
}

/** A value whose structures have other names for their members; what the model does not know stays as it is. */
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
 * Parameters as the model names them, from how Step Functions and Scheduler write them; names of the model are taken, too.
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
 * A result as Step Functions writes it.
 * @param output JSON, with the model's names
 */
export function toSdkNames(model: ServiceModel, operation: string, output: unknown): unknown {
  const shape = shapeOf(model, operation, 'output');
  return shape ? renamed(output as Json, shape, model.shapes, (key) => [sdkMemberName(key), key]) : output;
}
