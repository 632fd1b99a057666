import { defined, defineProvider, everyItem, type Properties, pick, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import { FACTS, MODEL } from './facts.ts';

const SERVICE = 'cloudformation';
const TYPE = 'AWS::CloudFormation::GeneratedTemplate';
const GONE = 'GeneratedTemplateNotFoundException';

interface TemplateProperties extends Properties {
  readonly GeneratedTemplateName: string;
  readonly TemplateConfiguration?: Properties;
}

/**
 * Generated templates. Their resources are added with UpdateGeneratedTemplate, because the type has no property for
 * them.
 */
export const generatedTemplate: AnyResourceProvider = defineProvider<TemplateProperties>({
  typeName: TYPE,
  model: MODEL,
  handles: Object.keys(FACTS[TYPE]!.properties),

  async create(properties, ctx) {
    const { GeneratedTemplateId } = await run(ctx, SERVICE, 'CreateGeneratedTemplate', properties);
    return { identifier: GeneratedTemplateId! };
  },

  async read(GeneratedTemplateId, ctx) {
    const GeneratedTemplateName = GeneratedTemplateId;
    const found = await unless(ctx.call(SERVICE, 'DescribeGeneratedTemplate', { GeneratedTemplateName }), GONE);
    if (!found) return undefined;
    const at = (time: unknown) => new Date(time as number | string).toISOString();
    return {
      properties: defined(pick(found, ['GeneratedTemplateName', 'TemplateConfiguration'])) as TemplateProperties,
      attributes: defined({
        GeneratedTemplateId,
        Status: found.Status,
        CreationTime: at(found.CreationTime),
        LastUpdatedTime: at(found.LastUpdatedTime),
        TotalWarnings: found.TotalWarnings ?? 0,
      }),
    };
  },

  async update(GeneratedTemplateId, previous, { GeneratedTemplateName, TemplateConfiguration }, ctx) {
    await run(ctx, SERVICE, 'UpdateGeneratedTemplate', {
      GeneratedTemplateName: GeneratedTemplateId,
      ...(previous.GeneratedTemplateName !== GeneratedTemplateName && {
        NewGeneratedTemplateName: GeneratedTemplateName,
      }),
      // Defaults of a template without a configuration.
      TemplateConfiguration: { DeletionPolicy: 'RETAIN', UpdateReplacePolicy: 'RETAIN', ...TemplateConfiguration },
    });
  },

  async delete(GeneratedTemplateName, _properties, ctx) {
    await unless(ctx.call(SERVICE, 'DeleteGeneratedTemplate', { GeneratedTemplateName }), GONE);
  },

  list: async (ctx) => {
    const all = await everyItem(async (NextToken) => {
      const page = await ctx.call(SERVICE, 'ListGeneratedTemplates', defined({ NextToken }));
      return [page.Summaries, page.NextToken] as const;
    });
    return all.map(({ GeneratedTemplateId }) => GeneratedTemplateId!);
  },
});
