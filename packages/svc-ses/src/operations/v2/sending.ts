import type {
  Attachment,
  BulkEmailEntryResult,
  BulkEmailStatus,
  EmailContent,
  InputOf,
  MessageHeader,
  OutputOf,
  Template,
} from '@emu/service-types/sesv2';
import { AwsError } from '@emu/wire';
import type { SesContext } from '../../context.ts';
import { badRequest, noTemplate, notFound } from '../../errors.ts';
import { type MailContent, submit } from '../../mail/submit.ts';
import { checkTemplate, readData } from '../../mail/templates.ts';
import { templateType } from '../../resources.ts';
import { checkCharset, recipientsOf, requestFacts } from '../submission.ts';
import { templateParts } from './templates.ts';

/** Headers that SES writes itself: "Custom headers" of the API reference. */
const OWN_HEADERS =
  /^(from|to|cc|bcc|subject|date|message-id|reply-to|return-path|sender|mime-version|content-.*|dkim-signature|received|x-ses-.*)$/i;

/** Unsupported file extensions: "Unsupported attachment types in Amazon SES". */
const UNSUPPORTED =
  /\.(ade|adp|app|asp|bas|bat|cer|chm|cmd|com|cpl|crt|csh|der|exe|fxp|gadget|hlp|hta|inf|ins|isp|its|js|jse|ksh|lib|lnk|mad|maf|mag|mam|maq|mar|mas|mat|mau|mav|maw|mda|mdb|mde|mdt|mdw|mdz|msc|msh|msh1|msh2|mshxml|msh1xml|msh2xml|msi|msp|mst|ops|pcd|pif|plg|prf|prg|reg|scf|scr|sct|shb|shs|sys|ps1|ps1xml|ps2|ps2xml|psc1|psc2|tmp|url|vb|vbe|vbs|vps|vsmacros|vss|vst|vsw|vxd|ws|wsc|wsf|wsh|xnk)$/i;

function checkHeaders(headers: readonly MessageHeader[] = []): void {
  for (const { Name } of headers) if (OWN_HEADERS.test(Name)) throw badRequest(`Header <${Name}> is not allowed.`);
  const names = headers.map(({ Name }) => Name.toLowerCase());
  if (new Set(names).size < names.length) throw badRequest('Header names must be unique.');
}

/** Maximum MIME parts of a message: "Service quotas" of the developer guide. */
const MAX_PARTS = 500;

function checkAttachments(attachments: readonly Attachment[] = []): void {
  if (attachments.length > MAX_PARTS) throw badRequest(`A message can have at most ${MAX_PARTS} MIME parts.`);
  for (const { FileName } of attachments)
    if (UNSUPPORTED.test(FileName)) throw badRequest(`The attachment <${FileName}> is of an unsupported type.`);
}

/**
 * Returns the content for a template in a request.
 * @throws AwsError if it is missing or unknown
 */
async function templated(template: Template, json: string, { state }: SesContext): Promise<MailContent> {
  const { TemplateName, TemplateArn, TemplateContent, Headers, Attachments } = template;
  checkHeaders(Headers);
  checkAttachments(Attachments);
  const data = readData(json, 'sesv2');
  const more = { ...(Headers && { headers: Headers }), ...(Attachments && { attachments: Attachments }) };
  if (TemplateContent) {
    if (TemplateName !== undefined || TemplateArn !== undefined)
      throw badRequest('TemplateContent cannot be used with TemplateName or TemplateArn.');
    const parts = templateParts(TemplateContent);
    await checkTemplate(parts, 'sesv2', state.accountId);
    return { kind: 'template', parts, data, json, ...more };
  }
  const name = TemplateName ?? (TemplateArn === undefined ? undefined : templateType.parse(TemplateArn)?.key.name);
  if (name === undefined) throw badRequest('TemplateName, TemplateArn or TemplateContent is required.');
  const parts = state.templates.get(name);
  if (!parts) throw noTemplate('sesv2', name);
  return { kind: 'template', name, parts, data, json, ...more };
}

/**
 * Returns the content of a mail in a request.
 * @throws AwsError if it is invalid
 */
export async function contentOf(
  { Simple, Raw, Template: template }: EmailContent,
  ctx: SesContext,
): Promise<MailContent> {
  if ([Simple, Raw, template].filter(Boolean).length !== 1)
    throw badRequest('The content must be exactly one of Simple, Raw and Template.');
  if (Raw) return { kind: 'raw', data: Buffer.from(Raw.Data) };
  if (template) return templated(template, template.TemplateData ?? '{}', ctx);
  const { Subject, Body, Headers, Attachments } = Simple!;
  if (!Body.Text && !Body.Html) throw badRequest('The message has neither a text nor an HTML body.');
  for (const part of [Subject, Body.Text, Body.Html]) if (part) checkCharset(part.Charset, 'sesv2');
  checkHeaders(Headers);
  checkAttachments(Attachments);
  const mail = { subject: Subject.Data, text: Body.Text?.Data, html: Body.Html?.Data };
  return { kind: 'simple', mail: { ...mail, headers: Headers, attachments: Attachments } };
}

/**
 * Checks the multi-region endpoint of a request.
 * @throws AwsError `NotFoundException`
 */
function checkEndpoint(id: string | undefined, { state }: SesContext): void {
  if (id !== undefined && !state.endpoints.list().some((endpoint) => endpoint.id === id))
    throw notFound(`Multi-region endpoint <${id}> does not exist.`);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
export async function SendEmail(input: InputOf<'SendEmail'>, ctx: SesContext): Promise<OutputOf<'SendEmail'>> {
  checkEndpoint(input.EndpointId, ctx);
  const content = await contentOf(input.Content, ctx);
  if (content.kind !== 'raw' && input.FromEmailAddress === undefined) throw badRequest('FromEmailAddress is required.');
  const MessageId = await submit(ctx.state, {
    ...requestFacts(ctx),
    source: input.FromEmailAddress,
    sourceArn: input.FromEmailAddressIdentityArn,
    returnPath: input.FeedbackForwardingEmailAddress,
    returnPathArn: input.FeedbackForwardingEmailAddressIdentityArn,
    recipients: recipientsOf(input.Destination),
    replyTo: input.ReplyToAddresses ?? [],
    configurationSet: input.ConfigurationSetName,
    tags: input.EmailTags ?? [],
    tenant: input.TenantName,
    list: input.ListManagementOptions,
    content,
  });
  return { MessageId };
}

/** Returns the status of a bulk mail entry for an error. */
function statusOf({ code, message }: AwsError): BulkEmailStatus {
  switch (code) {
    case 'MessageRejected':
      return 'MESSAGE_REJECTED';
    case 'MailFromDomainNotVerifiedException':
      return 'MAIL_FROM_DOMAIN_NOT_VERIFIED';
    case 'NotFoundException':
      return message.startsWith('Configuration set') ? 'CONFIGURATION_SET_NOT_FOUND' : 'FAILED';
    case 'BadRequestException':
      return 'INVALID_PARAMETER';
    case 'TooManyRequestsException':
      return message.startsWith('Daily message quota') ? 'ACCOUNT_DAILY_QUOTA_EXCEEDED' : 'ACCOUNT_THROTTLED';
    default:
      return 'FAILED';
  }
}

/** Error codes that reject the whole request. */
const WHOLE = new Set(['SendingPausedException', 'NotImplemented']);
const MAX_ENTRIES = 50;

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendBulkEmail.html */
export async function SendBulkEmail(
  input: InputOf<'SendBulkEmail'>,
  ctx: SesContext,
): Promise<OutputOf<'SendBulkEmail'>> {
  const { Template: template } = input.DefaultContent;
  if (!template) throw badRequest('DefaultContent must have a Template.');
  if (input.BulkEmailEntries.length > MAX_ENTRIES) throw badRequest(`A bulk mail has at most ${MAX_ENTRIES} entries.`);
  if (input.FromEmailAddress === undefined) throw badRequest('FromEmailAddress is required.');
  checkEndpoint(input.EndpointId, ctx);
  const all = readData(template.TemplateData ?? '{}', 'sesv2');
  await templated(template, '{}', ctx);
  const BulkEmailEntryResults: BulkEmailEntryResult[] = [];
  for (const entry of input.BulkEmailEntries) {
    try {
      const { ReplacementTags = [], ReplacementHeaders = [] } = entry;
      const own = readData(
        entry.ReplacementEmailContent?.ReplacementTemplate?.ReplacementTemplateData ?? '{}',
        'sesv2',
      );
      const replaced = new Set(ReplacementTags.map(({ Name }) => Name));
      const replacedHeaders = new Set(ReplacementHeaders.map(({ Name }) => Name.toLowerCase()));
      const Headers = [
        ...(template.Headers ?? []).filter(({ Name }) => !replacedHeaders.has(Name.toLowerCase())),
        ...ReplacementHeaders,
      ];
      const MessageId = await submit(ctx.state, {
        ...requestFacts(ctx),
        source: input.FromEmailAddress,
        sourceArn: input.FromEmailAddressIdentityArn,
        returnPath: input.FeedbackForwardingEmailAddress,
        returnPathArn: input.FeedbackForwardingEmailAddressIdentityArn,
        recipients: recipientsOf(entry.Destination),
        replyTo: input.ReplyToAddresses ?? [],
        configurationSet: input.ConfigurationSetName,
        tags: [...(input.DefaultEmailTags ?? []).filter(({ Name }) => !replaced.has(Name)), ...ReplacementTags],
        tenant: input.TenantName,
        content: await templated({ ...template, Headers }, JSON.stringify({ ...all, ...own }), ctx),
      });
      BulkEmailEntryResults.push({ Status: 'SUCCESS', MessageId });
    } catch (error) {
      if (!(error instanceof AwsError) || WHOLE.has(error.code)) throw error;
      BulkEmailEntryResults.push({ Status: statusOf(error), Error: error.message });
    }
  }
  return { BulkEmailEntryResults };
}
