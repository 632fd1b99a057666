import type { EmailTemplateContent, Sesv2Operations } from '@emu/service-types/sesv2';
import type { Context } from '../../context.ts';
import { badRequest, noTemplate, noVerificationTemplate, templateExists } from '../../errors.ts';
import {
  createVerificationTemplate,
  sendCustomVerification,
  updateVerificationTemplate,
  verificationTemplateOf,
} from '../../identities/custom-verification.ts';
import { renderedMessage } from '../../mail/rendered.ts';
import { checkTemplate } from '../../mail/templates.ts';
import { v2Paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';

type In<Name extends keyof Sesv2Operations> = Sesv2Operations[Name]['input'];
type Out<Name extends keyof Sesv2Operations> = Sesv2Operations[Name]['output'];

/** The parts of a template in the words of version 2. */
export const templateParts = ({ Subject, Text, Html }: EmailTemplateContent) => ({
  ...(Subject !== undefined && { subject: Subject }),
  ...(Text !== undefined && { text: Text }),
  ...(Html !== undefined && { html: Html }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateEmailTemplate.html */
export async function CreateEmailTemplate(
  { TemplateName: name, TemplateContent, Tags }: In<'CreateEmailTemplate'>,
  { state, clock }: Context,
) {
  const refuseOther = () => {
    if (state.templates.get(name)) throw templateExists('sesv2', name);
  };
  refuseOther();
  if (!/^[\w-]{1,64}$/.test(name)) throw badRequest(`Invalid template name <${name}>.`);
  const tags = tagging.merge(undefined, Tags);
  const parts = templateParts(TemplateContent);
  await checkTemplate(parts, 'sesv2');
  refuseOther();
  state.templates.put(name, { name, ...parts, tags, createdAt: clock.now() });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateEmailTemplate.html */
export async function UpdateEmailTemplate(
  { TemplateName: name, TemplateContent }: In<'UpdateEmailTemplate'>,
  { state }: Context,
) {
  if (!state.templates.get(name)) throw noTemplate('sesv2', name);
  const parts = templateParts(TemplateContent);
  await checkTemplate(parts, 'sesv2');
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
  { TemplateName }: In<'GetEmailTemplate'>,
  { state }: Context,
): Out<'GetEmailTemplate'> {
  const template = state.templates.get(TemplateName);
  if (!template) throw noTemplate('sesv2', TemplateName);
  const { subject: Subject, text: Text, html: Html, tags } = template;
  return { TemplateName, TemplateContent: { Subject, Text, Html }, Tags: tags.map((tag) => ({ ...tag })) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListEmailTemplates.html */
export const ListEmailTemplates = (input: In<'ListEmailTemplates'>, { state }: Context): Out<'ListEmailTemplates'> =>
  v2Paging
    .page('ListEmailTemplates', input, state.templates.list(), ({ name }) => name)
    .list(({ name: TemplateName, createdAt }) => ({ TemplateName, CreatedTimestamp: new Date(createdAt) }));

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteEmailTemplate.html */
export function DeleteEmailTemplate({ TemplateName }: In<'DeleteEmailTemplate'>, { state }: Context) {
  if (!state.templates.delete(TemplateName)) throw noTemplate('sesv2', TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_TestRenderEmailTemplate.html */
export const TestRenderEmailTemplate = async (
  { TemplateName, TemplateData }: In<'TestRenderEmailTemplate'>,
  { state }: Context,
): Promise<Out<'TestRenderEmailTemplate'>> => ({
  RenderedTemplate: await renderedMessage(state, TemplateName, TemplateData, 'sesv2'),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateCustomVerificationEmailTemplate.html */
export function CreateCustomVerificationEmailTemplate(
  { Tags, ...template }: In<'CreateCustomVerificationEmailTemplate'>,
  ctx: Context,
) {
  createVerificationTemplate(template, ctx, tagging.merge(undefined, Tags));
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateCustomVerificationEmailTemplate.html */
export function UpdateCustomVerificationEmailTemplate(
  input: In<'UpdateCustomVerificationEmailTemplate'>,
  ctx: Context,
) {
  updateVerificationTemplate(input, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteCustomVerificationEmailTemplate.html */
export function DeleteCustomVerificationEmailTemplate(
  { TemplateName }: In<'DeleteCustomVerificationEmailTemplate'>,
  { state }: Context,
) {
  if (!state.verificationTemplates.delete(TemplateName)) throw noVerificationTemplate('sesv2', TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetCustomVerificationEmailTemplate.html */
export function GetCustomVerificationEmailTemplate(
  { TemplateName }: In<'GetCustomVerificationEmailTemplate'>,
  ctx: Context,
): Out<'GetCustomVerificationEmailTemplate'> {
  const template = verificationTemplateOf(TemplateName, ctx);
  return {
    TemplateName: template.name,
    FromEmailAddress: template.from,
    TemplateSubject: template.subject,
    TemplateContent: template.content,
    Tags: template.tags.map((tag) => ({ ...tag })),
    SuccessRedirectionURL: template.success,
    FailureRedirectionURL: template.failure,
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListCustomVerificationEmailTemplates.html */
export const ListCustomVerificationEmailTemplates = (
  input: In<'ListCustomVerificationEmailTemplates'>,
  { state }: Context,
): Out<'ListCustomVerificationEmailTemplates'> =>
  v2Paging
    .page('ListCustomVerificationEmailTemplates', input, state.verificationTemplates.list(), ({ name }) => name)
    .list(({ name, from, subject, success, failure }) => ({
      TemplateName: name,
      FromEmailAddress: from,
      TemplateSubject: subject,
      SuccessRedirectionURL: success,
      FailureRedirectionURL: failure,
    }));

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendCustomVerificationEmail.html */
export const SendCustomVerificationEmail = async (
  input: In<'SendCustomVerificationEmail'>,
  ctx: Context,
): Promise<Out<'SendCustomVerificationEmail'>> => ({ MessageId: await sendCustomVerification(input, ctx) });
