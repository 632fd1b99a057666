import type { SesOperations, Template } from '@emu/service-types/ses';
import type { Context } from '../../context.ts';
import { noTemplate, templateExists } from '../../errors.ts';
import { renderedMessage } from '../../mail/rendered.ts';
import { checkTemplate } from '../../mail/templates.ts';
import { paging } from '../../paging.ts';
import type { TemplateRecord } from '../../records.ts';

type In<Name extends keyof SesOperations> = SesOperations[Name]['input'];
type Out<Name extends keyof SesOperations> = SesOperations[Name]['output'];

const partsOf = ({ SubjectPart, TextPart, HtmlPart }: Template) => ({
  ...(SubjectPart !== undefined && { subject: SubjectPart }),
  ...(TextPart !== undefined && { text: TextPart }),
  ...(HtmlPart !== undefined && { html: HtmlPart }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateTemplate.html */
export async function CreateTemplate({ Template }: In<'CreateTemplate'>, { state, clock }: Context) {
  const { TemplateName: name } = Template;
  const refuseOther = () => {
    if (state.templates.get(name)) throw templateExists('ses', name);
  };
  refuseOther();
  const parts = partsOf(Template);
  await checkTemplate(parts, 'ses');
  // Another request may have come first meanwhile.
  refuseOther();
  state.templates.put(name, { name, ...parts, tags: [], createdAt: clock.now() });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateTemplate.html */
export async function UpdateTemplate({ Template }: In<'UpdateTemplate'>, { state }: Context) {
  const { TemplateName: name } = Template;
  if (!state.templates.get(name)) throw noTemplate('ses', name);
  const parts = partsOf(Template);
  await checkTemplate(parts, 'ses');
  const kept = state.templates.get(name);
  if (!kept) throw noTemplate('ses', name);
  const { tags, createdAt } = structuredClone(kept) as TemplateRecord;
  state.templates.put(name, { name, ...parts, tags, createdAt });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetTemplate.html */
export function GetTemplate({ TemplateName }: In<'GetTemplate'>, { state }: Context): Out<'GetTemplate'> {
  const template = state.templates.get(TemplateName);
  if (!template) throw noTemplate('ses', TemplateName);
  const { subject, text, html } = template;
  return { Template: { TemplateName, SubjectPart: subject, TextPart: text, HtmlPart: html } };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListTemplates.html */
export const ListTemplates = (input: In<'ListTemplates'>, { state }: Context): Out<'ListTemplates'> =>
  paging
    .page('ListTemplates', input, state.templates.list(), ({ name }) => name)
    .list(({ name: Name, createdAt }) => ({ Name, CreatedTimestamp: new Date(createdAt) }));

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteTemplate.html */
export function DeleteTemplate({ TemplateName }: In<'DeleteTemplate'>, { state }: Context) {
  state.templates.delete(TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_TestRenderTemplate.html */
export const TestRenderTemplate = async (
  { TemplateName, TemplateData }: In<'TestRenderTemplate'>,
  { state }: Context,
): Promise<Out<'TestRenderTemplate'>> => ({
  RenderedTemplate: await renderedMessage(state, TemplateName, TemplateData, 'ses'),
});
