import type { InputOf, OutputOf } from '@emu/service-types/ses';
import type { SesContext } from '../../context.ts';
import { paging } from '../../paging.ts';
import {
  createVerificationTemplate,
  describeVerificationTemplate,
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
  const template = verificationTemplateOf(TemplateName, ctx);
  return { ...describeVerificationTemplate(template), TemplateContent: template.content };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListCustomVerificationEmailTemplates.html */
export function ListCustomVerificationEmailTemplates(
  input: InputOf<'ListCustomVerificationEmailTemplates'>,
  { state }: SesContext,
): OutputOf<'ListCustomVerificationEmailTemplates'> {
  return paging
    .page('ListCustomVerificationEmailTemplates', input, state.verificationTemplates.list(), ({ name }) => name)
    .list(describeVerificationTemplate);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendCustomVerificationEmail.html */
export async function SendCustomVerificationEmail(
  input: InputOf<'SendCustomVerificationEmail'>,
  ctx: SesContext,
): Promise<OutputOf<'SendCustomVerificationEmail'>> {
  return { MessageId: await sendCustomVerification(input, ctx) };
}
