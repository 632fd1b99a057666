import { join } from 'node:path';
import { KMS } from '@aws-sdk/client-kms';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';

// A ciphertext must decrypt with the stored key, to which the alias refers.
describeKill('KMS', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  connect: (config) => {
    const kms = new KMS(config);
    return {
      prepare: async () => {},
      write: async (piece) => {
        const { KeyMetadata } = await kms.createKey({});
        const { CiphertextBlob } = await kms.encrypt({
          KeyId: KeyMetadata!.KeyId,
          Plaintext: Buffer.from(String(piece)),
        });
        // The last acknowledged request contains the data to find the others.
        await kms.createAlias({ AliasName: `alias/work-${piece}`, TargetKeyId: KeyMetadata!.KeyId });
        await kms.tagResource({
          KeyId: KeyMetadata!.KeyId,
          Tags: [{ TagKey: 'sealed', TagValue: Buffer.from(CiphertextBlob!).toString('base64') }],
        });
      },
      read: async () => {
        const found: number[] = [];
        let Marker: string | undefined;
        do {
          const page = await kms.listAliases({ Marker });
          for (const { AliasName, TargetKeyId } of page.Aliases!.filter(({ AliasName }) => /work-/.test(AliasName!))) {
            const { Tags } = await kms.listResourceTags({ KeyId: TargetKeyId });
            // A key without a tag was not acknowledged.
            if (!Tags!.length) continue;
            const { Plaintext } = await kms.decrypt({
              KeyId: AliasName,
              CiphertextBlob: Buffer.from(Tags![0]!.TagValue!, 'base64'),
            });
            found.push(Number(Buffer.from(Plaintext!).toString()));
          }
          Marker = page.NextMarker;
        } while (Marker);
        return found;
      },
      destroy: () => kms.destroy(),
    };
  },
});
