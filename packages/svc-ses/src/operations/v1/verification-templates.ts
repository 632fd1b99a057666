import type { InputOf, OutputOf } from '@emu/service-types/ses';
import type { SesContext } from '../../context.ts';
import { paging } from '../../paging.ts';
import {
  createVerificationTemplate,
  sendCustomVerification,
  updateVerificationTemplate,
  verificationTemplateOf,
} from '../../verification/custom-verification.ts';

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateCustomVerificationEmailTemplate.html */
export function CreateCustomVerificationEmailTemplate(
  input: InputOf<'CreateCustomVerificationEmailTemplate'>,
  ctx: SesContext,
) {
  createVerificationTemplate(input, ctx, []);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateCustomVerificationEmailTemplate.html */
export function UpdateCustomVerificationEmailTemplate(
  input: InputOf<'UpdateCustomVerificationEmailTemplate'>,
  ctx: SesContext,
) {
  updateVerificationTemplate(input, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteCustomVerificationEmailTemplate.html */
export function DeleteCustomVerificationEmailTemplate(
  { TemplateName }: InputOf<'DeleteCustomVerificationEmailTemplate'>,
  { state }: SesContext,
) {
  state.verificationTemplates.delete(TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetCustomVerificationEmailTemplate.html */
export function GetCustomVerificationEmailTemplate(
  { TemplateName }: InputOf<'GetCustomVerificationEmailTemplate'>,
  ctx: SesContext,
): OutputOf<'GetCustomVerificationEmailTemplate'> {
  const { name, from, subject, content, success, failure } = verificationTemplateOf(TemplateName, ctx);
  return {
    TemplateName: name,
    FromEmailAddress: from,
    TemplateSubject: subject,
    TemplateContent: content,
    SuccessRedirectionURL: success,
    FailureRedirectionURL: failure,
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListCustomVerificationEmailTemplates.html */
export function ListCustomVerificationEmailTemplates(
  input: InputOf<'ListCustomVerificationEmailTemplates'>,
  { state }: SesContext,
): OutputOf<'ListCustomVerificationEmailTemplates'> {
  return paging
    .page('ListCustomVerificationEmailTemplates', input, state.verificationTemplates.list(), ({ name }) => name)
    .list(({ name, from, subject, success, failure }) => ({
      TemplateName: name,
      FromEmailAddress: from,
      TemplateSubject: subject,
      SuccessRedirectionURL: success,
      FailureRedirectionURL: failure,
    }));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendCustomVerificationEmail.html */
export async function SendCustomVerificationEmail(
  input: InputOf<'SendCustomVerificationEmail'>,
  ctx: SesContext,
): Promise<OutputOf<'SendCustomVerificationEmail'>> {
  return { MessageId: await sendCustomVerification(input, ctx) };
}
