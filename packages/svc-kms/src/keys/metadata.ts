import type { CustomerMasterKeySpec, KeyMetadata, KeyState, MultiRegionConfiguration } from '@emu/service-types/kms';
import type { Key } from '../records.ts';
import { keyType } from '../resources.ts';
import type { KmsState } from '../state.ts';
import { currentMaterial } from './material.ts';
import { encryptionAlgorithms, macAlgorithms, signingAlgorithms } from './specs.ts';

/** Returns the algorithms of a key, under the member for its usage. */
export function algorithmsOf({ usage, spec }: Key) {
  switch (usage) {
    case 'ENCRYPT_DECRYPT':
      return { EncryptionAlgorithms: encryptionAlgorithms(spec) };
    case 'SIGN_VERIFY':
      return { SigningAlgorithms: signingAlgorithms(spec) };
    case 'GENERATE_VERIFY_MAC':
      return { MacAlgorithms: macAlgorithms(spec) };
    case 'KEY_AGREEMENT':
      return { KeyAgreementAlgorithms: ['ECDH' as const] };
  }
}

function multiRegionOf(key: Key, state: KmsState): MultiRegionConfiguration | undefined {
  const { multiRegion } = key;
  if (!multiRegion) return undefined;
  const describe = (Region: string) => ({
    Arn: keyType.arn(key, { accountId: state.accountId, region: Region }),
    Region,
  });
  return {
    MultiRegionKeyType: multiRegion.primary === state.region ? 'PRIMARY' : 'REPLICA',
    PrimaryKey: describe(multiRegion.primary),
    ReplicaKeys: multiRegion.replicas.map(describe),
  };
}

/** Returns a key as in DescribeKey. */
export function describeKey(key: Key, state: KmsState, status: KeyState = state.stateOf(key)): KeyMetadata {
  const material = currentMaterial(key);
  const imported = material?.secret === undefined ? undefined : material.imported;
  const { deletion } = key;
  return {
    AWSAccountId: state.accountId,
    KeyId: key.id,
    Arn: state.arnOf(key.id),
    CreationDate: new Date(key.createdAt),
    Enabled: status === 'Enabled',
    Description: key.description,
    KeyUsage: key.usage,
    KeyState: status,
    DeletionDate: deletion?.at === undefined ? undefined : new Date(deletion.at),
    PendingDeletionWindowInDays: deletion && deletion.at === undefined ? deletion.windowDays : undefined,
    ValidTo: imported?.validTo === undefined ? undefined : new Date(imported.validTo),
    Origin: key.origin,
    CustomKeyStoreId: key.customKeyStoreId,
    CloudHsmClusterId:
      key.customKeyStoreId === undefined
        ? undefined
        : state.customKeyStores.get(key.customKeyStoreId)?.cloudHsmClusterId,
    ExpirationModel: imported?.expirationModel,
    KeyManager: key.manager,
    CustomerMasterKeySpec: key.spec as CustomerMasterKeySpec,
    KeySpec: key.spec,
    ...algorithmsOf(key),
    MultiRegion: key.multiRegion !== undefined,
    MultiRegionConfiguration: multiRegionOf(key, state),
    XksKeyConfiguration: key.xksKeyId === undefined ? undefined : { Id: key.xksKeyId },
    CurrentKeyMaterialId:
      key.spec === 'SYMMETRIC_DEFAULT' && key.customKeyStoreId === undefined && status !== 'Creating'
        ? material?.id
        : undefined,
  };
}
