import type { InputOf, OutputOf, Template } from '@emu/service-types/ses';
import type { SesContext } from '../../context.ts';
import { noTemplate, templateExists } from '../../errors.ts';
import { renderedMessage } from '../../mail/rendered.ts';
import { checkTemplate } from '../../mail/templates.ts';
import { paging } from '../../paging.ts';
import type { TemplateRecord } from '../../records.ts';

const partsOf = ({ SubjectPart, TextPart, HtmlPart }: Template) => ({
  ...(SubjectPart !== undefined && { subject: SubjectPart }),
  ...(TextPart !== undefined && { text: TextPart }),
  ...(HtmlPart !== undefined && { html: HtmlPart }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateTemplate.html */
export async function CreateTemplate({ Template }: InputOf<'CreateTemplate'>, { state, clock }: SesContext) {
  const { TemplateName: name } = Template;
  const refuseOther = () => {
    if (state.templates.get(name)) throw templateExists('ses', name);
  };
  refuseOther();
  const parts = partsOf(Template);
  await checkTemplate(parts, 'ses', state.accountId);
  // Another request may have been faster.
  refuseOther();
  state.templates.put(name, { name, ...parts, tags: [], createdAt: clock.now() });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateTemplate.html */
export async function UpdateTemplate({ Template }: InputOf<'UpdateTemplate'>, { state }: SesContext) {
  const { TemplateName: name } = Template;
  if (!state.templates.get(name)) throw noTemplate('ses', name);
  const parts = partsOf(Template);
  await checkTemplate(parts, 'ses', state.accountId);
  const kept = state.templates.get(name);
  if (!kept) throw noTemplate('ses', name);
  const { tags, createdAt } = structuredClone(kept) as TemplateRecord;
  state.templates.put(name, { name, ...parts, tags, createdAt });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetTemplate.html */
export function GetTemplate({ TemplateName }: InputOf<'GetTemplate'>, { state }: SesContext): OutputOf<'GetTemplate'> {
  const template = state.templates.get(TemplateName);
  if (!template) throw noTemplate('ses', TemplateName);
  const { subject, text, html } = template;
  return { Template: { TemplateName, SubjectPart: subject, TextPart: text, HtmlPart: html } };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListTemplates.html */
export function ListTemplates(input: InputOf<'ListTemplates'>, { state }: SesContext): OutputOf<'ListTemplates'> {
  return paging
    .page('ListTemplates', input, state.templates.list(), ({ name }) => name)
    .list(({ name: Name, createdAt }) => ({ Name, CreatedTimestamp: new Date(createdAt) }));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteTemplate.html */
export function DeleteTemplate({ TemplateName }: InputOf<'DeleteTemplate'>, { state }: SesContext) {
  state.templates.delete(TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_TestRenderTemplate.html */
export async function TestRenderTemplate(
  { TemplateName, TemplateData }: InputOf<'TestRenderTemplate'>,
  { state }: SesContext,
): Promise<OutputOf<'TestRenderTemplate'>> {
  return {
    RenderedTemplate: await renderedMessage(state, TemplateName, TemplateData, 'ses'),
  };
}
