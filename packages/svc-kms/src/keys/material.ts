import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { Ids } from '@emu/core/service';
import { generateMlDsa } from '../cryptography/ml-dsa.ts';
import { invalidState } from '../errors.ts';
import type { Key, Material, MaterialRecord } from '../records.ts';
import type { KeyShape } from './specs.ts';

const generate = promisify(generateKeyPair);

/** A key pair in DER: PKCS #8 and SubjectPublicKeyInfo. */
export interface KeyPairDer {
  privateKey: Buffer;
  publicKey: Buffer;
}

/** Generates a key pair off the main thread, because RSA takes up to seconds. */
export async function generatePair(
  shape: Extract<KeyShape, { kind: 'rsa' | 'ec' | 'ed25519' | 'sm2' }>,
): Promise<KeyPairDer> {
  const { privateKey, publicKey } = await (shape.kind === 'rsa'
    ? generate('rsa', { modulusLength: shape.modulusBits })
    : shape.kind === 'ec' || shape.kind === 'sm2'
      ? generate('ec', { namedCurve: shape.curve })
      : generate('ed25519'));
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  };
}

/** Generates the material of a key. */
export async function generateMaterial(shape: KeyShape, ids: Ids): Promise<MaterialRecord> {
  const id = ids.hex(64);
  if (shape.kind === 'symmetric' || shape.kind === 'hmac')
    return { id, secret: ids.bytes(shape.bytes).toString('base64') };
  if (shape.kind === 'ml-dsa') {
    const { seed, publicKey } = await generateMlDsa(shape.variant, ids);
    return { id, secret: seed.toString('base64'), public: publicKey.toString('base64') };
  }
  const { privateKey, publicKey } = await generatePair(shape);
  return { id, secret: privateKey.toString('base64'), public: publicKey.toString('base64') };
}

/** Generates the next material of a symmetric key. */
export const generateSymmetricMaterial = (ids: Ids): MaterialRecord => ({
  id: ids.hex(64),
  secret: ids.bytes(32).toString('base64'),
});

/** Returns the current material; undefined before the first import. */
export function currentMaterial(key: Key): Material | undefined {
  return key.materials.findLast(({ imported }) => !imported?.pending);
}

const secrets = new WeakMap<Material, KeyObject>();
const publics = new WeakMap<Material, KeyObject>();

/**
 * Returns the secret or private key of a material, parsed once per record.
 * @throws AwsError `KMSInvalidStateException` if imported material was deleted
 */
export function secretKey(material: Material | undefined, arn: string): KeyObject {
  const known = material && secrets.get(material);
  if (known) return known;
  if (material?.secret === undefined) throw invalidState(`${arn} is pending import.`);
  const bytes = Buffer.from(material.secret, 'base64');
  const key =
    material.public === undefined
      ? createSecretKey(bytes)
      : createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
  secrets.set(material, key);
  return key;
}

/**
 * Returns the stored secret of a material: the seed of an ML-DSA key.
 * @throws AwsError `KMSInvalidStateException` if imported material was deleted
 */
export function rawSecret(material: Material | undefined, arn: string): Buffer {
  if (material?.secret === undefined) throw invalidState(`${arn} is pending import.`);
  return Buffer.from(material.secret, 'base64');
}

/**
 * Returns the public key of a key pair.
 * @throws AwsError `KMSInvalidStateException` if imported material was deleted
 */
export function publicKey(material: Material | undefined, arn: string): KeyObject {
  const known = material && publics.get(material);
  if (known) return known;
  if (material?.secret === undefined || material.public === undefined) throw invalidState(`${arn} is pending import.`);
  const key = createPublicKey({ key: Buffer.from(material.public, 'base64'), format: 'der', type: 'spki' });
  publics.set(material, key);
  return key;
}
