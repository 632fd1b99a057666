import type { EmailTemplateContent, InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, noTemplate, noVerificationTemplate, templateExists } from '../../errors.ts';
import { renderedMessage } from '../../mail/rendered.ts';
import { checkTemplate } from '../../mail/templates.ts';
import { v2Paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';
import {
  createVerificationTemplate,
  describeVerificationTemplate,
  sendCustomVerification,
  updateVerificationTemplate,
  verificationTemplateOf,
} from '../../verification/custom-verification.ts';

/** Converts the parts of a template of version 2. */
export const templateParts = ({ Subject, Text, Html }: EmailTemplateContent) => ({
  ...(Subject !== undefined && { subject: Subject }),
  ...(Text !== undefined && { text: Text }),
  ...(Html !== undefined && { html: Html }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateEmailTemplate.html */
export async function CreateEmailTemplate(
  { TemplateName: name, TemplateContent, Tags }: InputOf<'CreateEmailTemplate'>,
  { state, clock }: SesContext,
) {
  const refuseOther = () => {
    if (state.templates.get(name)) throw templateExists('sesv2', name);
  };
  refuseOther();
  if (!/^[\w-]{1,64}$/.test(name)) throw badRequest(`Invalid template name <${name}>.`);
  const tags = tagging.merge(undefined, Tags);
  const parts = templateParts(TemplateContent);
  await checkTemplate(parts, 'sesv2', state.accountId);
  refuseOther();
  state.templates.put(name, { name, ...parts, tags, createdAt: clock.now() });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateEmailTemplate.html */
export async function UpdateEmailTemplate(
  { TemplateName: name, TemplateContent }: InputOf<'UpdateEmailTemplate'>,
  { state }: SesContext,
) {
  if (!state.templates.get(name)) throw noTemplate('sesv2', name);
  const parts = templateParts(TemplateContent);
  await checkTemplate(parts, 'sesv2', state.accountId);
  if (!state.templates.get(name)) throw noTemplate('sesv2', name);
  state.templates.update(name, (draft) => {
    delete draft.subject;
    delete draft.text;
    delete draft.html;
    Object.assign(draft, parts);
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailTemplate.html */
export function GetEmailTemplate(
  { TemplateName }: InputOf<'GetEmailTemplate'>,
  { state }: SesContext,
): OutputOf<'GetEmailTemplate'> {
  const template = state.templates.get(TemplateName);
  if (!template) throw noTemplate('sesv2', TemplateName);
  const { subject: Subject, text: Text, html: Html, tags } = template;
  return { TemplateName, TemplateContent: { Subject, Text, Html }, Tags: tags.map((tag) => ({ ...tag })) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListEmailTemplates.html */
export function ListEmailTemplates(
  input: InputOf<'ListEmailTemplates'>,
  { state }: SesContext,
): OutputOf<'ListEmailTemplates'> {
  return v2Paging
    .page('ListEmailTemplates', input, state.templates.list(), ({ name }) => name)
    .list(({ name: TemplateName, createdAt }) => ({ TemplateName, CreatedTimestamp: new Date(createdAt) }));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteEmailTemplate.html */
export function DeleteEmailTemplate({ TemplateName }: InputOf<'DeleteEmailTemplate'>, { state }: SesContext) {
  if (!state.templates.delete(TemplateName)) throw noTemplate('sesv2', TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_TestRenderEmailTemplate.html */
export async function TestRenderEmailTemplate(
  { TemplateName, TemplateData }: InputOf<'TestRenderEmailTemplate'>,
  { state }: SesContext,
): Promise<OutputOf<'TestRenderEmailTemplate'>> {
  return {
    RenderedTemplate: await renderedMessage(state, TemplateName, TemplateData, 'sesv2'),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateCustomVerificationEmailTemplate.html */
export function CreateCustomVerificationEmailTemplate(
  { Tags, ...template }: InputOf<'CreateCustomVerificationEmailTemplate'>,
  ctx: SesContext,
) {
  createVerificationTemplate(template, ctx, tagging.merge(undefined, Tags));
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateCustomVerificationEmailTemplate.html */
export function UpdateCustomVerificationEmailTemplate(
  input: InputOf<'UpdateCustomVerificationEmailTemplate'>,
  ctx: SesContext,
) {
  updateVerificationTemplate(input, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteCustomVerificationEmailTemplate.html */
export function DeleteCustomVerificationEmailTemplate(
  { TemplateName }: InputOf<'DeleteCustomVerificationEmailTemplate'>,
  { state }: SesContext,
) {
  if (!state.verificationTemplates.delete(TemplateName)) throw noVerificationTemplate('sesv2', TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetCustomVerificationEmailTemplate.html */
export function GetCustomVerificationEmailTemplate(
  { TemplateName }: InputOf<'GetCustomVerificationEmailTemplate'>,
  ctx: SesContext,
): OutputOf<'GetCustomVerificationEmailTemplate'> {
  const template = verificationTemplateOf(TemplateName, ctx);
  return {
    ...describeVerificationTemplate(template),
    TemplateContent: template.content,
    Tags: template.tags.map((tag) => ({ ...tag })),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListCustomVerificationEmailTemplates.html */
export function ListCustomVerificationEmailTemplates(
  input: InputOf<'ListCustomVerificationEmailTemplates'>,
  { state }: SesContext,
): OutputOf<'ListCustomVerificationEmailTemplates'> {
  return v2Paging
    .page('ListCustomVerificationEmailTemplates', input, state.verificationTemplates.list(), ({ name }) => name)
    .list(describeVerificationTemplate);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendCustomVerificationEmail.html */
export async function SendCustomVerificationEmail(
  input: InputOf<'SendCustomVerificationEmail'>,
  ctx: SesContext,
): Promise<OutputOf<'SendCustomVerificationEmail'>> {
  return { MessageId: await sendCustomVerification(input, ctx) };
}
