import type { AttributeType } from '@emu/service-types/cognito-idp';
import { aliasExists, invalidParameter, notAuthorized } from '../errors.ts';
import { attributeOf, isOfCognito } from '../pools/schema.ts';
import type { Client, Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { aliasesOf, holderOf } from './find.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^\+[1-9]\d{1,14}$/;

export const isEmail = (text: string): boolean => EMAIL.test(text);
export const isPhone = (text: string): boolean => PHONE.test(text);

/** Verifiable attributes, each with a corresponding `_verified` attribute. */
const VERIFIABLE = ['email', 'phone_number'] as const;
export type Verifiable = (typeof VERIFIABLE)[number];
export const isVerifiable = (name: string): name is Verifiable => (VERIFIABLE as readonly string[]).includes(name);
export const isVerified = (user: Pick<User, 'attributes'>, name: Verifiable): boolean =>
  user.attributes[`${name}_verified`] === 'true';

/** Returns the attributes of a request by name; the last value counts. */
export const attributesIn = (list: readonly AttributeType[] = []): Record<string, string> =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, Value ?? '']));

/** Writer of attributes. */
export interface Writer {
  /** Client of the writing user; undefined for administrators. */
  client: Client | undefined;
  /** Undefined for a new user. */
  user: User | undefined;
}

/**
 * Validates attributes against the pool's schema and returns them. Booleans may be given in any case, as `True` of
 * Python, and are returned in lower case.
 * @throws AwsError `InvalidParameterException` for invalid values
 */
export function validAttributes(
  pool: Pool,
  given: Readonly<Record<string, string>>,
  writer: Writer,
): Record<string, string> {
  const isBoolean = (name: string): boolean => attributeOf(pool, name)?.type === 'Boolean';
  const attributes = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isBoolean(name) ? value.toLowerCase() : value]),
  );
  checkAttributes(pool, attributes, writer);
  return attributes;
}

function checkAttributes(pool: Pool, given: Readonly<Record<string, string>>, { client, user }: Writer): void {
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const attribute = attributeOf(pool, name);
    if (!attribute || (name === 'sub' && user)) {
      if (user && name !== 'sub') throw invalidParameter(`user.${name}: Attribute does not exist in the schema.\n`);
      if (name === 'sub') throw invalidParameter('Cannot modify the non-mutable attribute sub');
      throw invalidParameter(
        `Attributes did not conform to the schema: Type for attribute {${name}} could not be determined`,
      );
    }
    if (isOfCognito(name)) throw invalidParameter(`Cannot modify the non-mutable attribute ${name}`);
    if (client) checkWritable(client, pool, name);
    if (user && !attribute.mutable) throw invalidParameter(`user.${name}: Attribute cannot be updated.\n`);
    const problem = problemOf(attribute, value);
    if (problem !== undefined) wrong.push(`${name}: ${problem}`);
  }
  if (wrong.length)
    throw invalidParameter(
      `${user ? 'Invalid user attributes' : 'Attributes did not conform to the schema'}: ${wrong.join('\n')}\n`,
    );
  if (given.email && !isEmail(given.email)) throw invalidParameter('Invalid email address format.');
  if (given.phone_number && !isPhone(given.phone_number)) throw invalidParameter('Invalid phone number format.');
}

/** Returns the names of required attributes without a value. */
export const missingAttributes = ({ schema }: Pool, given: Readonly<Record<string, string>>): string[] =>
  schema.filter(({ name, required }) => required && name !== 'sub' && !given[name]).map(({ name }) => name);

/**
 * Checks that a new user has all required attributes.
 * @throws AwsError `InvalidParameterException` if one is missing
 */
export function checkRequired(pool: Pool, given: Readonly<Record<string, string>>): void {
  const missing = missingAttributes(pool, given);
  if (missing.length)
    throw invalidParameter(
      `Attributes did not conform to the schema: ${missing.map((name) => `${name}: The attribute is required`).join('\n')}\n`,
    );
}

function checkWritable(client: Client, pool: Pool, name: string): void {
  if (name === 'email_verified' || name === 'phone_number_verified')
    throw notAuthorized('A client attempted to write unauthorized attribute');
  const allowed = client.writeAttributes;
  // Required attributes are always writable at sign-up.
  if (allowed ? !allowed.includes(name) : attributeOf(pool, name)?.developerOnly)
    throw notAuthorized('A client attempted to write unauthorized attribute');
}

function problemOf(attribute: Pool['schema'][number], value: string): string | undefined {
  switch (attribute.type) {
    case 'String': {
      const { min = '0', max } = attribute.string ?? {};
      if (value === '') return undefined;
      if (value.length < Number(min)) return `String must be no shorter than ${min} characters`;
      if (max !== undefined && value.length > Number(max)) return `String must be no longer than ${max} characters`;
      return undefined;
    }
    case 'Number': {
      const { min, max } = attribute.number ?? {};
      if (!/^-?\d+(\.\d+)?$/.test(value)) return 'Value is not a number';
      if (min !== undefined && Number(value) < Number(min)) return `Value must be at least ${min}`;
      if (max !== undefined && Number(value) > Number(max)) return `Value must be no more than ${max}`;
      return undefined;
    }
    case 'Boolean':
      return value === 'true' || value === 'false' ? undefined : 'Value must be true or false';
    case 'DateTime':
      return Number.isNaN(Date.parse(value)) ? 'Value is not a date' : undefined;
  }
}

/**
 * Claims aliases for a user. Where addresses and numbers serve as user names, they are claimed before they are
 * verified, unless the other user belongs to an identity provider.
 * @param force whether to take an alias over from another user
 * @throws AwsError `AliasExistsException` if another user has an alias
 */
export function claimAliases(
  pool: Pool,
  attributes: Readonly<Record<string, string>>,
  state: CognitoState,
  user: User | undefined,
  force: boolean,
): void {
  for (const alias of aliasesOf(pool)) {
    const value = attributes[alias];
    if (value === undefined) continue;
    const isName = pool.settings.UsernameAttributes !== undefined && value !== user?.attributes[alias];
    if (!isName && alias !== 'preferred_username' && attributes[`${alias}_verified`] !== 'true') continue;
    const holder = holderOf(pool, alias, value, state, user);
    if (!holder || (isName && holder.status === 'EXTERNAL_PROVIDER')) continue;
    if (!force || alias === 'preferred_username')
      throw aliasExists(`An account with the given ${alias} already exists.`);
    state.updateUser(holder, (draft) => {
      draft.attributes[`${alias}_verified`] = 'false';
    });
  }
}

/** Returns the attributes of a user that a client may read. */
export function readable(client: Client | undefined, user: User): Record<string, string> {
  const all: Record<string, string> = { ...identitiesOf(user), ...user.attributes };
  if (!client?.readAttributes) return withoutDeveloperOnly(all);
  const allowed = new Set(client.readAttributes);
  return Object.fromEntries(Object.entries(all).filter(([name]) => allowed.has(name) || name === 'identities'));
}

const withoutDeveloperOnly = (all: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('dev:')));

/** Returns the attribute with the user's linked identities. */
export const identitiesOf = ({ identities }: User): Record<string, string> =>
  identities?.length
    ? {
        identities: JSON.stringify(
          identities.map(({ userId, providerName, providerType, primary, dateCreated }) => ({
            userId,
            providerName,
            providerType,
            issuer: null,
            primary,
            dateCreated,
          })),
        ),
      }
    : {};

/** Returns attributes in the shape of responses, the sub first. */
export const listed = (sub: string, attributes: Readonly<Record<string, string>>): AttributeType[] => [
  { Name: 'sub', Value: sub },
  ...Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
];
