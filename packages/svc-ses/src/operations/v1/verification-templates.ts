import type { SesOperations } from '@emu/service-types/ses';
import type { Context } from '../../context.ts';
import {
  createVerificationTemplate,
  sendCustomVerification,
  updateVerificationTemplate,
  verificationTemplateOf,
} from '../../identities/custom-verification.ts';
import { paging } from '../../paging.ts';

type In<Name extends keyof SesOperations> = SesOperations[Name]['input'];
type Out<Name extends keyof SesOperations> = SesOperations[Name]['output'];

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateCustomVerificationEmailTemplate.html */
export function CreateCustomVerificationEmailTemplate(
  input: In<'CreateCustomVerificationEmailTemplate'>,
  ctx: Context,
) {
  createVerificationTemplate(input, ctx, []);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateCustomVerificationEmailTemplate.html */
export function UpdateCustomVerificationEmailTemplate(
  input: In<'UpdateCustomVerificationEmailTemplate'>,
  ctx: Context,
) {
  updateVerificationTemplate(input, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteCustomVerificationEmailTemplate.html */
export function DeleteCustomVerificationEmailTemplate(
  { TemplateName }: In<'DeleteCustomVerificationEmailTemplate'>,
  { state }: Context,
) {
  state.verificationTemplates.delete(TemplateName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetCustomVerificationEmailTemplate.html */
export function GetCustomVerificationEmailTemplate(
  { TemplateName }: In<'GetCustomVerificationEmailTemplate'>,
  ctx: Context,
): Out<'GetCustomVerificationEmailTemplate'> {
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
export const ListCustomVerificationEmailTemplates = (
  input: In<'ListCustomVerificationEmailTemplates'>,
  { state }: Context,
): Out<'ListCustomVerificationEmailTemplates'> =>
  paging
    .page('ListCustomVerificationEmailTemplates', input, state.verificationTemplates.list(), ({ name }) => name)
    .list(({ name, from, subject, success, failure }) => ({
      TemplateName: name,
      FromEmailAddress: from,
      TemplateSubject: subject,
      SuccessRedirectionURL: success,
      FailureRedirectionURL: failure,
    }));

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendCustomVerificationEmail.html */
export const SendCustomVerificationEmail = async (
  input: In<'SendCustomVerificationEmail'>,
  ctx: Context,
): Promise<Out<'SendCustomVerificationEmail'>> => ({ MessageId: await sendCustomVerification(input, ctx) });
