import {
  changeTags,
  defined,
  defineProvider,
  everyItem,
  pick,
  run,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

interface ServerCertificateProperties {
  CertificateBody?: string;
  CertificateChain?: string;
  Path?: string;
  PrivateKey?: string;
  ServerCertificateName?: string;
  Tags?: readonly TemplateTag[];
}

const existing = async (ServerCertificateName: string, ctx: ProviderContext) =>
  (await unless(ctx.call('iam', 'GetServerCertificate', { ServerCertificateName }), 'NoSuchEntity'))?.ServerCertificate;

/**
 * Server certificates.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-servercertificate.html
 */
export const serverCertificate: AnyResourceProvider = defineProvider<ServerCertificateProperties>({
  typeName: 'AWS::IAM::ServerCertificate',
  model,
  handles: ['CertificateBody', 'CertificateChain', 'Path', 'PrivateKey', 'ServerCertificateName', 'Tags'],

  async create(properties, ctx) {
    const ServerCertificateName = properties.ServerCertificateName ?? ctx.name();
    await run(ctx, 'iam', 'UploadServerCertificate', { ...properties, ServerCertificateName });
    return { identifier: ServerCertificateName };
  },

  async read(ServerCertificateName, ctx) {
    const found = await existing(ServerCertificateName, ctx);
    if (!found) return undefined;
    return {
      properties: defined({
        ServerCertificateName,
        ...pick(found, ['CertificateBody', 'CertificateChain']),
        Path: found.ServerCertificateMetadata.Path,
        Tags: unlessEmpty(found.Tags),
      }),
      attributes: { Arn: found.ServerCertificateMetadata.Arn },
    };
  },

  async update(ServerCertificateName, previous, desired, ctx) {
    const { Path = '/' } = desired;
    if ((previous.Path ?? '/') !== Path)
      await ctx.call('iam', 'UpdateServerCertificate', { ServerCertificateName, NewPath: Path });
    await changeTags(previous.Tags, desired.Tags, {
      set: (Tags) => ctx.call('iam', 'TagServerCertificate', { ServerCertificateName, Tags: [...Tags] }),
      remove: (keys) => ctx.call('iam', 'UntagServerCertificate', { ServerCertificateName, TagKeys: [...keys] }),
    });
  },

  async delete(ServerCertificateName, _properties, ctx) {
    await unless(ctx.call('iam', 'DeleteServerCertificate', { ServerCertificateName }), 'NoSuchEntity');
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListServerCertificates', defined({ Marker }));
      return [page.ServerCertificateMetadataList.map((found) => found.ServerCertificateName), page.Marker] as const;
    }),
});
