import type { DeepReadonly } from '@emu/core/service';
import { exceedsBytes } from '@emu/core/service';
import type { SesContext } from '../context.ts';
import { configurationSetOf } from '../context.ts';
import {
  type Api,
  apiOf,
  fromNotVerified,
  invalid,
  invalidVerificationContent,
  noProductionAccess,
  noVerificationTemplate,
  verificationTemplateExists,
} from '../errors.ts';
import { checkAddress } from '../identities/addresses.ts';
import { newIdentity, verifiedIdentityFor } from '../identities/identities.ts';
import { isAddress } from '../identities/names.ts';
import { sendSystemMail } from '../mail/system.ts';
import type { VerificationTemplateRecord } from '../records.ts';
import { verificationLink } from './verification.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/** Members of a verification mail template in both APIs. */
export interface VerificationTemplateInput {
  TemplateName: string;
  FromEmailAddress?: string | undefined;
  TemplateSubject?: string | undefined;
  TemplateContent?: string | undefined;
  SuccessRedirectionURL?: string | undefined;
  FailureRedirectionURL?: string | undefined;
}

/**
 * Validates the given members of a template.
 * @throws AwsError of the API
 */
function check(input: VerificationTemplateInput, ctx: SesContext, api: Api): void {
  const { FromEmailAddress, TemplateContent, SuccessRedirectionURL, FailureRedirectionURL } = input;
  if (FromEmailAddress !== undefined) {
    const address = checkAddress(FromEmailAddress, api);
    if (!verifiedIdentityFor(ctx.state, address)) throw fromNotVerified(api, FromEmailAddress);
  }
  if (TemplateContent !== undefined && exceedsBytes(TemplateContent, MAX_BYTES))
    throw invalidVerificationContent(api, 'The template content is larger than 10 MB.');
  for (const url of [SuccessRedirectionURL, FailureRedirectionURL])
    if (url !== undefined && !/^https?:\/\/\S+$/.test(url)) throw invalid(api, `Invalid redirection URL <${url}>.`);
}

/**
 * Adds a template.
 * @throws AwsError of the API
 */
export function createVerificationTemplate(
  input: Required<{ [Name in keyof VerificationTemplateInput]: string }>,
  ctx: SesContext,
  tags: VerificationTemplateRecord['tags'],
): void {
  const api = apiOf(ctx);
  const { verificationTemplates } = ctx.state;
  if (verificationTemplates.get(input.TemplateName)) throw verificationTemplateExists(api, input.TemplateName);
  check(input, ctx, api);
  verificationTemplates.put(input.TemplateName, {
    name: input.TemplateName,
    from: input.FromEmailAddress,
    subject: input.TemplateSubject,
    content: input.TemplateContent,
    success: input.SuccessRedirectionURL,
    failure: input.FailureRedirectionURL,
    tags,
  });
}

/** Returns a template as in lists. */
export const describeVerificationTemplate = (template: DeepReadonly<VerificationTemplateRecord>) => ({
  TemplateName: template.name,
  FromEmailAddress: template.from,
  TemplateSubject: template.subject,
  SuccessRedirectionURL: template.success,
  FailureRedirectionURL: template.failure,
});

/**
 * Changes the given members of a template.
 * @throws AwsError of the API
 */
export function updateVerificationTemplate(input: VerificationTemplateInput, ctx: SesContext): void {
  const api = apiOf(ctx);
  const { verificationTemplates } = ctx.state;
  if (!verificationTemplates.get(input.TemplateName)) throw noVerificationTemplate(api, input.TemplateName);
  check(input, ctx, api);
  verificationTemplates.update(input.TemplateName, (draft) => {
    draft.from = input.FromEmailAddress ?? draft.from;
    draft.subject = input.TemplateSubject ?? draft.subject;
    draft.content = input.TemplateContent ?? draft.content;
    draft.success = input.SuccessRedirectionURL ?? draft.success;
    draft.failure = input.FailureRedirectionURL ?? draft.failure;
  });
}

/**
 * Returns a template by name.
 * @throws AwsError of the API
 */
export function verificationTemplateOf(name: string, ctx: SesContext) {
  const template = ctx.state.verificationTemplates.get(name);
  if (!template) throw noVerificationTemplate(apiOf(ctx), name);
  return template;
}

/**
 * Creates an identity with pending verification for an address, and sends the custom verification mail.
 * @returns the message id
 * @throws AwsError of the API
 * @see https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html#send-email-verify-address-custom
 */
export async function sendCustomVerification(
  {
    EmailAddress,
    TemplateName,
    ConfigurationSetName,
  }: {
    EmailAddress: string;
    TemplateName: string;
    ConfigurationSetName?: string | undefined;
  },
  ctx: SesContext,
): Promise<string> {
  const api = apiOf(ctx);
  const { state } = ctx;
  if (!isAddress(EmailAddress)) throw invalid(api, `Invalid email address<${EmailAddress}>.`);
  const template = verificationTemplateOf(TemplateName, ctx);
  if (ConfigurationSetName !== undefined) configurationSetOf(ConfigurationSetName, ctx);
  if (!state.account.production) throw noProductionAccess(api);
  if (!verifiedIdentityFor(state, checkAddress(template.from, api))) throw fromNotVerified(api, template.from);
  const { name } = newIdentity(state, EmailAddress, api);
  const redirects = { success: template.success, failure: template.failure };
  const existing = state.identity(name);
  const record = existing ? undefined : newIdentity(state, EmailAddress, api);
  // It requires the link regardless of the settings, since the client expects it to be opened.
  if (record) state.identities.put(name, { ...record, verification: 'PENDING', secret: state.ids.hex(40), redirects });
  else if (existing?.verification !== 'SUCCESS')
    state.identities.update(name, (draft) => {
      draft.secret = state.ids.hex(40);
      draft.redirects = redirects;
    });
  const link = verificationLink(state, name, ctx.endpoint);
  const footer = link === undefined ? '' : `<p><a href="${link}">${link}</a></p>`;
  return sendSystemMail(state, {
    operation: 'SendCustomVerificationEmail',
    from: template.from,
    to: name,
    subject: template.subject,
    html: `${template.content}${footer}`,
  });
}
