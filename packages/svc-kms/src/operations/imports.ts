import type { ImportKeyMaterialRequest, InputOf, OutputOf } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { invalid, invalidState, kmsError, unsupportedOperation, wrongOrigin } from '../errors.ts';
import { readMaterial, unwrap, WRAPPING } from '../keys/import.ts';
import { currentMaterial, generatePair } from '../keys/material.ts';
import { offeredShape, shapeOf } from '../keys/specs.ts';
import { type KeyTarget, ownKey, refusePendingDeletion } from '../lookup.ts';
import type { ImportRecord, MaterialRecord } from '../records.ts';
import { DAY, dropSecret, type KmsState } from '../state.ts';
import { withoutSecret } from './multi-region.ts';

/** Limit of import parameters per key. The oldest are evicted. */
const MAX_IMPORTS = 10;
const MAX_VALIDITY_DAYS = 365;

async function externalKey(id: string, ctx: KmsContext): Promise<KeyTarget> {
  const target = await ownKey(id, ctx);
  const { key, arn } = target;
  if (key.origin !== 'EXTERNAL') throw wrongOrigin(arn, key.origin);
  refusePendingDeletion(target);
  return target;
}

/** Returns a wrapping key and an import token, valid for one day. */
export async function GetParametersForImport(
  input: InputOf<'GetParametersForImport'>,
  ctx: KmsContext,
): Promise<OutputOf<'GetParametersForImport'>> {
  const { state, key, arn } = await externalKey(input.KeyId, ctx);
  const { WrappingAlgorithm: algorithm, WrappingKeySpec } = input;
  if (!WRAPPING[algorithm]) throw unsupportedOperation(`Wrapping algorithm ${algorithm} is not supported.`);
  const shape = offeredShape(WrappingKeySpec, ctx.region);
  if (shape.kind === 'rsa' && shapeOf(key.spec).kind === 'rsa' && !WRAPPING[algorithm].aes)
    throw invalid(`Wrapping algorithm ${algorithm} is not compatible with key spec ${key.spec}.`);
  if (shape.kind !== 'rsa') throw unsupportedOperation();
  const { privateKey, publicKey } = await generatePair(shape);
  const token = ctx.ids.bytes(64);
  const validTo = ctx.clock.now() + DAY;
  const earlier = [...state.imports.entries()].filter(([, { keyId }]) => keyId === key.id);
  for (const [old] of earlier.slice(0, Math.max(0, earlier.length - MAX_IMPORTS + 1))) state.imports.delete(old);
  state.imports.put(token.toString('hex'), {
    keyId: key.id,
    algorithm,
    privateKey: privateKey.toString('base64'),
    validTo,
  });
  return { KeyId: arn, ImportToken: token, PublicKey: publicKey, ParametersValidTo: new Date(validTo) };
}

/** Contents of an import token. */
function importOf(token: Uint8Array, { key, state }: KeyTarget): Readonly<ImportRecord> {
  const record = state.imports.get(Buffer.from(token).toString('hex'));
  if (record?.keyId !== key.id) throw kmsError('InvalidImportTokenException', '');
  if (record.validTo <= state.clock.now()) throw kmsError('ExpiredImportTokenException', '');
  return record;
}

/** Returns the expiry of imported material. */
function expirationOf({ ExpirationModel, ValidTo }: ImportKeyMaterialRequest, now: number) {
  const expirationModel = ExpirationModel ?? 'KEY_MATERIAL_EXPIRES';
  if (expirationModel === 'KEY_MATERIAL_DOES_NOT_EXPIRE') {
    if (ValidTo) throw invalid(`A validTo date must not be set if the ExpirationModel is ${expirationModel}`);
    return { expirationModel };
  }
  if (!ValidTo) throw invalid(`A validTo date must be set if the ExpirationModel is ${expirationModel}`);
  const validTo = ValidTo.getTime();
  if (validTo <= now || validTo > now + MAX_VALIDITY_DAYS * DAY)
    throw invalid(`The validTo date must be in the future and at most ${MAX_VALIDITY_DAYS} days away`);
  return { expirationModel, validTo };
}

/** Checks that material can be imported: the same again, or new if the key accepts it. @returns whether it is new */
function isNew(id: string, input: ImportKeyMaterialRequest, { key, state }: KeyTarget): boolean {
  const { ImportType, KeyMaterialId } = input;
  const known = key.materials.find((material) => material.id === id);
  if (KeyMaterialId !== undefined && KeyMaterialId !== id)
    throw kmsError('IncorrectKeyMaterialException', `The key material is not that of id ${KeyMaterialId}.`);
  if (known) {
    // Pending material of the primary key is new for its replicas.
    const awaited = known.imported?.pending && known.secret === undefined;
    if (ImportType === 'NEW_KEY_MATERIAL' && !awaited)
      throw kmsError('IncorrectKeyMaterialException', `The key material (id: ${id}) has been imported before.`);
    return false;
  }
  if (ImportType === 'EXISTING_KEY_MATERIAL' || (key.materials.length && ImportType === undefined))
    throw kmsError('IncorrectKeyMaterialException', 'The key material is not what was imported into this key before.');
  if (!key.materials.length) return true;
  if (key.spec !== 'SYMMETRIC_DEFAULT')
    throw unsupportedOperation('New key material can only be imported into symmetric encryption keys.');
  if (key.multiRegion && key.multiRegion.primary !== state.region)
    throw kmsError('IncorrectKeyMaterialException', 'New key material is imported into the primary key first.');
  const pending = key.materials.find(({ imported }) => imported?.pending);
  if (pending)
    throw invalidState(
      `New key material (id: ${id}) cannot be imported into KMS key ${key.id}, because another key material (id: ${pending.id}) is pending rotation.`,
    );
  return true;
}

/** Returns the states of a multi-Region key's other regions. */
const othersOf = ({ key, state }: KeyTarget): KmsState[] =>
  state.regionsOf(key).filter((region) => region !== state && region.keys.has(key.id));

/** Imports key material. New material of a key that has some already waits for a rotation on demand. */
export async function ImportKeyMaterial(
  input: InputOf<'ImportKeyMaterial'>,
  ctx: KmsContext,
): Promise<OutputOf<'ImportKeyMaterial'>> {
  const target = await externalKey(input.KeyId, ctx);
  const { state, key, arn } = target;
  const expiration = expirationOf(input, ctx.clock.now());
  const { privateKey, algorithm } = importOf(input.ImportToken, target);
  const bytes = unwrap(input.EncryptedKeyMaterial, Buffer.from(privateKey, 'base64'), algorithm);
  const read = readMaterial(bytes, key);
  const added = isNew(read.id, input, target);
  const { KeyMaterialDescription: description } = input;
  state.update(key.id, (draft) => {
    const existing = draft.materials.find(({ id }) => id === read.id);
    const imported: MaterialRecord['imported'] = {
      ...expiration,
      ...(description !== undefined && { description }),
      ...((added ? draft.materials.length > 0 : existing?.imported?.pending) && { pending: true }),
    };
    if (existing) Object.assign(existing, read, { imported });
    else draft.materials.push({ ...read, imported });
  });
  if (added)
    // The other regions wait for the same material.
    for (const region of othersOf(target))
      region.update(key.id, (draft) => {
        const { imported } = state.keys.get(key.id)!.materials.at(-1)!;
        if (!draft.materials.some(({ id }) => id === read.id))
          draft.materials.push(withoutSecret({ id: read.id, ...(imported && { imported }) }));
      });
  return { KeyId: arn, ...(key.spec === 'SYMMETRIC_DEFAULT' && { KeyMaterialId: read.id }) };
}

/** Deletes imported key material. The key is unusable until material is imported again. */
export async function DeleteImportedKeyMaterial(
  input: InputOf<'DeleteImportedKeyMaterial'>,
  ctx: KmsContext,
): Promise<OutputOf<'DeleteImportedKeyMaterial'>> {
  const target = await externalKey(input.KeyId, ctx);
  const { state, key, arn } = target;
  const id = input.KeyMaterialId ?? currentMaterial(key)?.id;
  const material = key.materials.find((candidate) => candidate.id === id);
  if (input.KeyMaterialId !== undefined && !material)
    throw kmsError('NotFoundException', `Key material ${id} does not exist in key ${arn}`);
  const isPrimary = !key.multiRegion || key.multiRegion.primary === state.region;
  // Material that was never current encrypted nothing, so it is removed in all regions.
  if (material?.imported?.pending && isPrimary)
    for (const region of [state, ...othersOf(target)])
      region.update(key.id, (draft) => {
        draft.materials = draft.materials.filter((candidate) => candidate.id !== id);
      });
  else if (material) state.update(key.id, (draft) => dropSecret(draft, material.id));
  return { KeyId: arn, ...(key.spec === 'SYMMETRIC_DEFAULT' && material && { KeyMaterialId: material.id }) };
}
