import {
  changeTags,
  defined,
  defineProvider,
  differs,
  everyItem,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'InvalidDocument';

interface DocumentProperties extends TaggedProperties {
  Attachments?: readonly Properties[];
  Content: unknown;
  DocumentFormat?: 'JSON' | 'TEXT' | 'YAML';
  DocumentType?: string;
  Name?: string;
  Requires?: readonly Properties[];
  TargetType?: string;
  UpdateMethod?: 'NewVersion' | 'Replace';
  VersionName?: string;
}

/** Properties that create a new document version; other properties are immutable, except tags. */
const OF_VERSIONS = ['Attachments', 'Content', 'DocumentFormat', 'TargetType', 'VersionName'] as const;

/** Returns the content in template form: JSON as an object. */
function contentOf(text: string, format: string | undefined): unknown {
  return format === 'JSON' ? (JSON.parse(text) as unknown) : text;
}

const describe = async (Name: string, ctx: ProviderContext) =>
  (await unless(ctx.call('ssm', 'DescribeDocument', { Name }), GONE))?.Document;

const versionOf = (properties: DocumentProperties): Properties => ({
  ...pick(properties, [...OF_VERSIONS]),
  Content: textOf(properties.Content),
});

/**
 * Documents. The update method `NewVersion` creates new versions and makes the latest the default; otherwise the
 * document is replaced.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-document.html
 */
export const document: AnyResourceProvider = defineProvider<DocumentProperties>({
  typeName: 'AWS::SSM::Document',
  model,
  handles: ['DocumentType', 'Name', 'Requires', 'Tags', 'UpdateMethod', ...OF_VERSIONS],

  replaces: (previous, desired) => desired.UpdateMethod !== 'NewVersion' || differs(previous, desired, 'Requires'),

  async create(properties, ctx) {
    const Name = properties.Name ?? ctx.name();
    await run(ctx, 'ssm', 'CreateDocument', {
      ...versionOf(properties),
      ...pick(properties, ['DocumentType', 'Requires', 'Tags']),
      Name,
    } as never);
    return { identifier: Name };
  },

  async read(Name, ctx) {
    const found = await describe(Name, ctx);
    if (!found) return undefined;
    const { DocumentFormat } = found;
    const { Content = '' } = await ctx.call('ssm', 'GetDocument', defined({ Name, DocumentFormat }));
    const { TagList = [] } = await ctx.call('ssm', 'ListTagsForResource', {
      ResourceType: 'Document',
      ResourceId: Name,
    });
    return {
      properties: defined({
        Name,
        Content: contentOf(Content, DocumentFormat),
        ...pick(found, ['DocumentFormat', 'DocumentType', 'Requires', 'TargetType', 'VersionName']),
        Tags: unlessEmpty(TagList),
      }) as DocumentProperties,
      attributes: {},
    };
  },

  async update(Name, previous, desired, ctx) {
    if (differs(previous, desired, ...OF_VERSIONS)) {
      const input = { ...versionOf(desired), Name, DocumentVersion: '$LATEST' };
      const { DocumentDescription } = await run(ctx, 'ssm', 'UpdateDocument', input as never);
      const { DocumentVersion } = DocumentDescription!;
      await run(ctx, 'ssm', 'UpdateDocumentDefaultVersion', { Name, DocumentVersion: DocumentVersion! });
    }
    const at = { ResourceType: 'Document' as const, ResourceId: Name };
    await changeTags(previous.Tags, desired.Tags, {
      set: (Tags) => ctx.call('ssm', 'AddTagsToResource', { ...at, Tags: [...Tags] }),
      remove: (TagKeys) => ctx.call('ssm', 'RemoveTagsFromResource', { ...at, TagKeys: [...TagKeys] }),
    });
  },

  async delete(Name, _properties, ctx) {
    await unless(ctx.call('ssm', 'DeleteDocument', { Name, Force: true }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const Filters = [{ Key: 'Owner', Values: ['Self'] }];
      const page = await ctx.call('ssm', 'ListDocuments', defined({ Filters, NextToken }));
      return [page.DocumentIdentifiers?.map((found) => found.Name!), page.NextToken] as const;
    }),
});
