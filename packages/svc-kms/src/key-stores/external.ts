import type { DeepReadonly } from '@emu/core/service';
import { parseJson } from '@emu/wire';
import type { KmsContext } from '../context.ts';
import { invalidCiphertext, invalidState, kmsError } from '../errors.ts';
import type { KeyTarget } from '../lookup.ts';
import { KMS_OPTIONS } from '../options.ts';
import type { CustomKeyStoreRecord } from '../records.ts';
import { callProxy, XksProxyError, type XksRequestMetadata } from './xks-proxy.ts';

type Store = DeepReadonly<CustomKeyStoreRecord>;

const ask = (store: Store, path: string, body: object, ctx: KmsContext, metadata?: Partial<XksRequestMetadata>) => {
  const requestMetadata: XksRequestMetadata = {
    kmsRequestId: ctx.requestId,
    kmsOperation: ctx.operation,
    ...metadata,
  };
  const port = ctx.handle.settings.of(KMS_OPTIONS).EMULATOR_KMS_XKS_PROXY_PORT;
  const address = { store, port, region: ctx.region, now: ctx.clock.now() };
  return callProxy(address, path, { requestMetadata, ...body });
};

/** Checks that a proxy is reachable and operational. @throws XksProxyError */
export const checkHealth = (store: Store, ctx: KmsContext): Promise<unknown> => ask(store, '/health', {}, ctx);

/**
 * Checks that a key of an external key manager can be used.
 * @throws AwsError `XksKeyNotFoundException`, `XksKeyInvalidConfigurationException`,
 * `CustomKeyStoreInvalidStateException`
 */
export async function checkExternalKey(store: Store, keyId: string, ctx: KmsContext): Promise<void> {
  try {
    const path = `/keys/${keyId}/metadata`;
    const { keySpec, keyUsage, keyStatus } = await ask(store, path, {}, ctx, { awsPrincipalArn: ctx.principal.arn });
    const usages = Array.isArray(keyUsage) ? (keyUsage as unknown[]) : [];
    if (keySpec !== 'AES_256' || keyStatus !== 'ENABLED' || !usages.includes('ENCRYPT') || !usages.includes('DECRYPT'))
      throw kmsError('XksKeyInvalidConfigurationException', '');
  } catch (error) {
    if (!(error instanceof XksProxyError)) throw error;
    if (error.isUnknownKey) throw kmsError('XksKeyNotFoundException', '');
    throw kmsError('CustomKeyStoreInvalidStateException', UNREACHABLE);
  }
}

const UNREACHABLE =
  'KMS cannot communicate with the external key store proxy. This might be a transient network issue. If you see this error repeatedly, verify that the external key store proxy is active and connected to the network, and that its endpoint URI is correct in your external key store.';

/** Returns the connected external key store of a key; undefined for KMS's own material. */
function storeOf({ key, state }: KeyTarget): Store | undefined {
  const store = key.customKeyStoreId === undefined ? undefined : state.customKeyStores.get(key.customKeyStoreId);
  return store?.type === 'EXTERNAL_KEY_STORE' ? store : undefined;
}

async function use(target: KeyTarget, store: Store, operation: string, body: object, ctx: KmsContext) {
  try {
    return await ask(store, `/keys/${target.key.xksKeyId}/${operation}`, body, ctx, {
      awsPrincipalArn: ctx.principal.arn,
      kmsKeyArn: target.arn,
    });
  } catch (error) {
    if (!(error instanceof XksProxyError)) throw error;
    ctx.log.warn(`the proxy of an external key store failed: ${error.message}`, { customKeyStoreId: store.id });
    if (operation === 'decrypt' && error.status === 400) throw invalidCiphertext();
    throw invalidState(UNREACHABLE);
  }
}

/** Ciphertext from a proxy, in the form stored in KMS's ciphertext. */
interface Wrapped {
  ciphertext: string;
  initializationVector: string;
  authenticationTag: string;
  ciphertextMetadata?: string;
}

/** Encrypts KMS's ciphertext again with the external key manager; undefined for a key without one. */
export async function encryptExternally(
  bytes: Uint8Array,
  target: KeyTarget,
  ctx: KmsContext,
): Promise<Buffer | undefined> {
  const store = storeOf(target);
  if (!store) return undefined;
  const plaintext = Buffer.from(bytes).toString('base64');
  const body = { plaintext, encryptionAlgorithm: 'AES_GCM' };
  const answer = await use(target, store, 'encrypt', body, ctx);
  const { ciphertext, initializationVector, authenticationTag, ciphertextMetadata } = answer;
  for (const part of [ciphertext, initializationVector, authenticationTag])
    if (typeof part !== 'string') throw invalidState(UNREACHABLE);
  return Buffer.from(JSON.stringify({ ciphertext, initializationVector, authenticationTag, ciphertextMetadata }));
}

/** Decrypts a ciphertext with the external key manager; undefined for a key without one. */
export async function decryptExternally(
  bytes: Uint8Array,
  target: KeyTarget,
  ctx: KmsContext,
): Promise<Buffer | undefined> {
  const store = storeOf(target);
  if (!store) return undefined;
  const wrapped = parseJson(Buffer.from(bytes).toString('utf8')) as Wrapped;
  const { plaintext } = await use(target, store, 'decrypt', { ...wrapped, encryptionAlgorithm: 'AES_GCM' }, ctx);
  if (typeof plaintext !== 'string') throw invalidState(UNREACHABLE);
  return Buffer.from(plaintext, 'base64');
}
