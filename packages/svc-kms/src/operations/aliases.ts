import type { AliasListEntry, InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, kmsError, notFound } from '../errors.ts';
import { PREDEFINED_ALIASES } from '../keys/aws-managed.ts';
import { findKey, type KeyTarget, ownKey, refusePendingDeletion } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Key } from '../records.ts';
import { aliasAddress, aliasArn } from '../resources.ts';

/** Validates the name of a customer's alias. */
function checkName(name: string): void {
  if (!name.startsWith('alias/'))
    throw invalid(
      'Alias must start with the prefix "alias/". Please see https://docs.aws.amazon.com/kms/latest/developerguide/kms-alias.html',
    );
  // AWS sends this code without a message, although its model does not list it.
  if (name.startsWith('alias/aws/')) throw kmsError('NotAuthorizedException', '');
  if (!/^alias\/[a-zA-Z0-9/_-]+$/.test(name))
    throw kmsError('InvalidAliasNameException', `${name} is not a valid alias name.`);
}

/** Returns the target key of an alias. */
async function targetOf(id: string, ctx: KmsContext): Promise<KeyTarget> {
  if (aliasAddress(id, ctx)) throw invalid('Aliases must refer to keys. Not aliases');
  const target = await ownKey(id, ctx);
  refusePendingDeletion(target);
  return target;
}

const familyOf = ({ spec, usage }: Key): string =>
  `${spec === 'SYMMETRIC_DEFAULT' || spec.startsWith('HMAC') ? 'symmetric' : 'asymmetric'} ${usage}`;

/** Creates an alias of a key. */
export async function CreateAlias(input: InputOf<'CreateAlias'>, ctx: KmsContext) {
  const { AliasName: name } = input;
  checkName(name);
  const { key, state } = await targetOf(input.TargetKeyId, ctx);
  if (state.aliases.has(name))
    throw kmsError('AlreadyExistsException', `An alias with the name ${aliasArn(name, state)} already exists`);
  const now = ctx.clock.now();
  state.aliases.put(name, { name, keyId: key.id, createdAt: now, updatedAt: now });
  return {};
}

/** Assigns an alias to another key of the same type and usage. */
export async function UpdateAlias(input: InputOf<'UpdateAlias'>, ctx: KmsContext) {
  const { AliasName: name } = input;
  checkName(name);
  const { state } = ctx;
  const alias = state.aliases.get(name);
  if (!alias) throw notFound(`Alias ${aliasArn(name, state)} is not found.`);
  const { key } = await targetOf(input.TargetKeyId, ctx);
  const current = state.find(alias.keyId);
  if (current && familyOf(current) !== familyOf(key))
    throw invalid(`Alias ${name} cannot be moved to a key of another type or usage.`);
  state.aliases.update(name, (draft) => {
    draft.keyId = key.id;
    draft.updatedAt = ctx.clock.now();
  });
  return {};
}

/** Deletes an alias. Its key remains. */
export function DeleteAlias(input: InputOf<'DeleteAlias'>, ctx: KmsContext) {
  const { AliasName: name } = input;
  checkName(name);
  if (!ctx.state.aliases.delete(name)) throw notFound(`Alias ${aliasArn(name, ctx)} is not found.`);
  return {};
}

/**
 * Lists the aliases of the account and region, including AWS managed aliases without a key, or the aliases of one key,
 * by name.
 */
export async function ListAliases(input: InputOf<'ListAliases'>, ctx: KmsContext): Promise<OutputOf<'ListAliases'>> {
  const { state } = ctx;
  const key = input.KeyId === undefined ? undefined : (await findKey(input.KeyId, ctx)).key;
  const aliases: AliasListEntry[] = [...state.aliases.values()]
    .filter(({ keyId }) => !key || keyId === key.id)
    .map(({ name, keyId, createdAt, updatedAt }) => ({
      AliasName: name,
      AliasArn: aliasArn(name, state),
      TargetKeyId: keyId,
      CreationDate: new Date(createdAt),
      LastUpdatedDate: new Date(updatedAt),
    }));
  if (!key)
    for (const name of PREDEFINED_ALIASES)
      if (!state.aliases.has(name)) aliases.push({ AliasName: name, AliasArn: aliasArn(name, state) });
  return paging
    .page('ListAliases', input, aliases, ({ AliasName }) => AliasName!, { defaultLimit: 50 })
    .list((item) => item);
}
