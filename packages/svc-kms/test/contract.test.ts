import { KMS } from '@aws-sdk/client-kms';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

const Message = Buffer.from('m');

interface Memo {
  ciphertexts: Uint8Array[];
  signature: Uint8Array;
}

async function act(config: TestClientConfig): Promise<Memo> {
  const kms = new KMS(config);
  const { KeyMetadata } = await kms.createKey({ Description: 'd', Tags: [{ TagKey: 'a', TagValue: 'b' }] });
  const KeyId = KeyMetadata!.KeyId!;
  await kms.createAlias({ AliasName: 'alias/aes', TargetKeyId: KeyId });
  await kms.enableKeyRotation({ KeyId, RotationPeriodInDays: 90 });
  const old = await kms.encrypt({ KeyId, Plaintext: Message });
  await kms.rotateKeyOnDemand({ KeyId });
  const current = await kms.encrypt({ KeyId, Plaintext: Message });
  await kms.createGrant({ KeyId, GranteePrincipal: '123456789012', Operations: ['Encrypt'] });
  await kms.createKey({ Origin: 'EXTERNAL', MultiRegion: true });
  await kms.createCustomKeyStore({
    CustomKeyStoreName: 'store',
    CloudHsmClusterId: 'cluster-2a23b4cdefg',
    TrustAnchorCertificate: 'certificate',
    KeyStorePassword: 'password',
  });
  const pair = await kms.createKey({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
  await kms.createAlias({ AliasName: 'alias/ec', TargetKeyId: pair.KeyMetadata!.KeyId });
  const { Signature } = await kms.sign({ KeyId: 'alias/ec', Message, SigningAlgorithm: 'ECDSA_SHA_256' });
  return { ciphertexts: [old.CiphertextBlob!, current.CiphertextBlob!], signature: Signature! };
}

async function observe(config: TestClientConfig, { ciphertexts, signature }: Memo) {
  const kms = new KMS(config);
  const keys = [];
  for (const { KeyId } of (await kms.listKeys({})).Keys!) {
    const { KeyMetadata } = await kms.describeKey({ KeyId });
    const { Tags } = await kms.listResourceTags({ KeyId });
    const { Policy } = await kms.getKeyPolicy({ KeyId });
    const { Grants } = await kms.listGrants({ KeyId });
    const used = (await kms.getKeyLastUsage({ KeyId })).KeyLastUsage !== undefined;
    const rotations =
      KeyMetadata!.KeySpec === 'SYMMETRIC_DEFAULT'
        ? [await kms.getKeyRotationStatus({ KeyId }), (await kms.listKeyRotations({ KeyId })).Rotations]
        : [];
    keys.push({ KeyMetadata, Tags, Policy, Grants, used, rotations: JSON.stringify(rotations, withoutMetadata) });
  }
  const plaintexts = [];
  for (const CiphertextBlob of ciphertexts)
    plaintexts.push(
      await kms.decrypt({ CiphertextBlob }).then(
        ({ Plaintext }) => Buffer.from(Plaintext!).toString(),
        (error: Error) => error.name,
      ),
    );
  const valid = await kms
    .verify({ KeyId: 'alias/ec', Message, Signature: signature, SigningAlgorithm: 'ECDSA_SHA_256' })
    .then(
      ({ SignatureValid }) => SignatureValid,
      (error: Error) => error.name,
    );
  const { CustomKeyStores } = await kms.describeCustomKeyStores({});
  return { keys, CustomKeyStores, aliases: (await kms.listAliases({})).Aliases, plaintexts, valid };
}

const withoutMetadata = (key: string, value: unknown) => (key === '$metadata' ? undefined : value);

describeServiceContract({ manifest, scope: 'region', act, observe });
