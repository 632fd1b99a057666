import type { SchemaAttributeType } from '@emu/service-types/cognito-idp';
import { invalidParameter } from '../errors.ts';
import type { Pool, SchemaAttribute } from '../records.ts';

const MAX_LENGTH = '2048';

const text = (name: string, more: Partial<SchemaAttribute> = {}): SchemaAttribute => ({
  name,
  type: 'String',
  mutable: true,
  required: false,
  developerOnly: false,
  string: { min: '0', max: MAX_LENGTH },
  ...more,
});
const flag = (name: string): SchemaAttribute => ({
  name,
  type: 'Boolean',
  mutable: true,
  required: false,
  developerOnly: false,
});

/**
 * Standard attributes, in AWS's order.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html
 */
const STANDARD: readonly SchemaAttribute[] = [
  text('profile'),
  text('address'),
  text('birthdate', { string: { min: '10', max: '10' } }),
  text('gender'),
  text('preferred_username'),
  {
    name: 'updated_at',
    type: 'Number',
    mutable: true,
    required: false,
    developerOnly: false,
    number: { min: '0' },
  },
  text('website'),
  text('picture'),
  { name: 'identities', type: 'String', mutable: true, required: false, developerOnly: false, string: {} },
  text('sub', { mutable: false, required: true, string: { min: '1', max: MAX_LENGTH } }),
  flag('phone_number_verified'),
  text('phone_number'),
  flag('email_verified'),
  text('email'),
  text('zoneinfo'),
  text('locale'),
  text('given_name'),
  text('family_name'),
  text('middle_name'),
  text('name'),
  text('nickname'),
];

const STANDARD_NAMES: ReadonlySet<string> = new Set(STANDARD.map(({ name }) => name));
/** Attributes that only Cognito can write. */
const OF_COGNITO: ReadonlySet<string> = new Set(['sub', 'identities']);

/** Maximum number of custom attributes of a pool. */
const MAX_CUSTOM = 50;

const isNumber = (value: string | undefined): boolean => value === undefined || /^-?\d+$/.test(value);

/** Returns the schema of a new pool: standard attributes with the request's changes, and custom ones. */
export function schemaOf(requested: readonly SchemaAttributeType[] = []): SchemaAttribute[] {
  const schema = new Map(STANDARD.map((attribute) => [attribute.name, attribute]));
  for (const attribute of requested) {
    const { Name: name = '' } = attribute;
    const standard = schema.get(name);
    if (standard && STANDARD_NAMES.has(name)) schema.set(name, changed(standard, attribute));
    else addCustom(schema, attribute);
  }
  return [...schema.values()];
}

/** Returns a schema with custom attributes added. */
export function withCustom(existing: Pool['schema'], added: readonly SchemaAttributeType[]): SchemaAttribute[] {
  const schema = new Map(existing.map((attribute) => [attribute.name, { ...attribute } as SchemaAttribute]));
  for (const attribute of added) addCustom(schema, attribute);
  return [...schema.values()];
}

function changed(standard: SchemaAttribute, given: SchemaAttributeType): SchemaAttribute {
  const { AttributeDataType: type = standard.type, Mutable: mutable, Required: required } = given;
  if (type !== standard.type)
    throw invalidParameter(
      `You can not change AttributeDataType or set developerOnlyAttribute for standard schema attribute ${standard.name}`,
    );
  if (given.DeveloperOnlyAttribute)
    throw invalidParameter(
      `You can not change AttributeDataType or set developerOnlyAttribute for standard schema attribute ${standard.name}`,
    );
  checkConstraints(given);
  const { StringAttributeConstraints: string, NumberAttributeConstraints: number } = given;
  return {
    ...standard,
    mutable: mutable ?? standard.mutable,
    required: required ?? standard.required,
    ...(string && { string: { min: string.MinLength ?? '0', max: string.MaxLength ?? MAX_LENGTH } }),
    ...(number && { number: bounds(number.MinValue, number.MaxValue) }),
  };
}

const bounds = (min: string | undefined, max: string | undefined): { min?: string; max?: string } => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
});

function checkConstraints({
  Name,
  StringAttributeConstraints: string,
  NumberAttributeConstraints: number,
}: SchemaAttributeType): void {
  if (![string?.MinLength, string?.MaxLength, number?.MinValue, number?.MaxValue].every(isNumber))
    throw invalidParameter(`The constraints of the attribute ${Name ?? ''} are not numbers.`);
  const { MinLength: shortest, MaxLength: longest } = string ?? {};
  if (Number(longest ?? 0) > Number(MAX_LENGTH) || Number(shortest ?? 0) > Number(longest ?? MAX_LENGTH))
    throw invalidParameter(`The length constraints of the attribute ${Name ?? ''} are invalid.`);
  if (
    number?.MinValue !== undefined &&
    number.MaxValue !== undefined &&
    Number(number.MinValue) > Number(number.MaxValue)
  )
    throw invalidParameter(`The value constraints of the attribute ${Name ?? ''} are invalid.`);
}

function addCustom(schema: Map<string, SchemaAttribute>, given: SchemaAttributeType): void {
  const {
    Name,
    AttributeDataType: type,
    Mutable: mutable = true,
    DeveloperOnlyAttribute: developerOnly = false,
  } = given;
  if (!Name) throw invalidParameter('Name is required for a schema attribute.');
  if (type === undefined)
    throw invalidParameter('Invalid AttributeDataType input, consider using the provided AttributeDataType enum.');
  if (given.Required) throw invalidParameter('Required custom attributes are not supported currently.');
  const plain = Name.replace(/^(?:dev:)?custom:/, '');
  const name = `${developerOnly ? 'dev:' : ''}custom:${plain}`;
  if (schema.has(name)) throw invalidParameter(`${name}: Existing attribute already has name ${name}.`);
  checkConstraints(given);
  const { StringAttributeConstraints: string, NumberAttributeConstraints: number } = given;
  schema.set(name, {
    name,
    type,
    mutable,
    required: false,
    developerOnly,
    ...(type === 'String' && { string: bounds(string?.MinLength, string?.MaxLength) }),
    ...(type === 'Number' && { number: bounds(number?.MinValue, number?.MaxValue) }),
  });
  if (schema.size - STANDARD.length > MAX_CUSTOM)
    throw invalidParameter(`A user pool cannot have more than ${MAX_CUSTOM} custom attributes.`);
}

/** Returns an attribute as in DescribeUserPool. */
export function describeAttribute({
  name,
  type,
  mutable,
  required,
  developerOnly,
  string,
  number,
}: Pool['schema'][number]): SchemaAttributeType {
  return {
    Name: name,
    AttributeDataType: type,
    DeveloperOnlyAttribute: developerOnly,
    Mutable: mutable,
    Required: required,
    ...(string && { StringAttributeConstraints: { MinLength: string.min, MaxLength: string.max } }),
    ...(number && { NumberAttributeConstraints: { MinValue: number.min, MaxValue: number.max } }),
  };
}

/** Returns an attribute of a pool's schema; undefined if unknown. */
export const attributeOf = (pool: Pool, name: string): Pool['schema'][number] | undefined =>
  pool.schema.find((attribute) => attribute.name === name);

/** Whether only Cognito can write an attribute. */
export const isOfCognito = (name: string): boolean => OF_COGNITO.has(name);
