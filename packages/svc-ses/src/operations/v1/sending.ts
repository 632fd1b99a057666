import type { BulkEmailDestinationStatus, BulkEmailStatus, InputOf, Message, OutputOf } from '@emu/service-types/ses';
import { AwsError } from '@emu/wire';
import type { SesContext } from '../../context.ts';
import { invalid, noTemplate, rejected } from '../../errors.ts';
import { bareAddress } from '../../identities/addresses.ts';
import type { SimpleMail } from '../../mail/compose.ts';
import { limitsOf } from '../../mail/limits.ts';
import { type MailContent, submit } from '../../mail/submit.ts';
import { readData } from '../../mail/templates.ts';
import { sendBounceMail } from '../../receiving/bounces.ts';
import { templateType } from '../../resources.ts';
import { checkCharset, recipientsOf, requestFacts } from '../submission.ts';

/**
 * Converts a message of version 1.
 * @throws AwsError `NotImplemented` for unsupported charsets
 */
function simpleMail({ Subject, Body }: Message): SimpleMail {
  const { Text, Html } = Body;
  if (!Text && !Html) throw invalid('ses', 'The message has neither a text nor an HTML body.');
  for (const part of [Subject, Text, Html]) if (part) checkCharset(part.Charset, 'ses');
  return { subject: Subject.Data, text: Text?.Data, html: Html?.Data };
}

/** Returns everything of a mail except its content. */
const envelopeOf = (input: InputOf<'SendEmail'> | InputOf<'SendTemplatedEmail'>, ctx: SesContext) => ({
  ...requestFacts(ctx),
  source: input.Source,
  sourceArn: input.SourceArn,
  returnPath: input.ReturnPath,
  returnPathArn: input.ReturnPathArn,
  recipients: recipientsOf(input.Destination),
  replyTo: input.ReplyToAddresses ?? [],
  configurationSet: input.ConfigurationSetName,
  tags: input.Tags ?? [],
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html */
export async function SendEmail(input: InputOf<'SendEmail'>, ctx: SesContext): Promise<OutputOf<'SendEmail'>> {
  const MessageId = await submit(ctx.state, {
    ...envelopeOf(input, ctx),
    content: { kind: 'simple', mail: simpleMail(input.Message) },
  });
  return { MessageId };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html */
export async function SendRawEmail(input: InputOf<'SendRawEmail'>, ctx: SesContext): Promise<OutputOf<'SendRawEmail'>> {
  const { Destinations } = input;
  const MessageId = await submit(ctx.state, {
    ...requestFacts(ctx),
    source: input.Source,
    sourceArn: input.FromArn ?? input.SourceArn,
    returnPathArn: input.ReturnPathArn,
    ...(Destinations?.length && { recipients: { to: Destinations, cc: [], bcc: [] } }),
    configurationSet: input.ConfigurationSetName,
    tags: input.Tags ?? [],
    content: { kind: 'raw', data: Buffer.from(input.RawMessage.Data) },
  });
  return { MessageId };
}

/**
 * Returns the content for a template with data.
 * @throws AwsError if the template is unknown or the data invalid
 */
function templated(name: string, arn: string | undefined, json: string, { state }: SesContext): MailContent {
  const key = arn === undefined ? undefined : templateType.parse(arn)?.key.name;
  const parts = state.templates.get(key ?? name);
  if (!parts) throw noTemplate('ses', name);
  return { kind: 'template', name, parts, data: readData(json, 'ses'), json };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendTemplatedEmail.html */
export async function SendTemplatedEmail(
  input: InputOf<'SendTemplatedEmail'>,
  ctx: SesContext,
): Promise<OutputOf<'SendTemplatedEmail'>> {
  const MessageId = await submit(ctx.state, {
    ...envelopeOf(input, ctx),
    content: templated(input.Template, input.TemplateArn, input.TemplateData, ctx),
  });
  return { MessageId };
}

/** Statuses of bulk mail destinations by error code. */
const BULK: Readonly<Record<string, BulkEmailStatus>> = {
  MessageRejected: 'MessageRejected',
  MailFromDomainNotVerifiedException: 'MailFromDomainNotVerified',
  ConfigurationSetDoesNotExistException: 'ConfigurationSetDoesNotExist',
  TemplateDoesNotExistException: 'TemplateDoesNotExist',
  AccountSendingPausedException: 'AccountSendingPaused',
  ConfigurationSetSendingPausedException: 'ConfigurationSetSendingPaused',
  InvalidParameterValue: 'InvalidParameterValue',
  InvalidRenderingParameterException: 'InvalidParameterValue',
  Throttling: 'AccountThrottled',
};

/** Whether an error is about the daily limit. */
const isDaily = ({ message }: AwsError): boolean => message.startsWith('Daily message quota');

/** Error codes that reject the whole request. */
const WHOLE = new Set([
  'TemplateDoesNotExistException',
  'ConfigurationSetDoesNotExistException',
  'AccountSendingPausedException',
  'ConfigurationSetSendingPausedException',
  'NotImplemented',
]);

const MAX_DESTINATIONS = 50;

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendBulkTemplatedEmail.html */
export async function SendBulkTemplatedEmail(
  input: InputOf<'SendBulkTemplatedEmail'>,
  ctx: SesContext,
): Promise<OutputOf<'SendBulkTemplatedEmail'>> {
  if (input.Destinations.length > MAX_DESTINATIONS)
    throw invalid('ses', `A bulk mail has at most ${MAX_DESTINATIONS} destinations.`);
  templated(input.Template, input.TemplateArn, input.DefaultTemplateData || '{}', ctx);
  const Status: BulkEmailDestinationStatus[] = [];
  for (const { Destination, ReplacementTags = [], ReplacementTemplateData = '{}' } of input.Destinations) {
    try {
      const json = mergedData(input.DefaultTemplateData, ReplacementTemplateData);
      const replaced = new Set(ReplacementTags.map(({ Name }) => Name));
      const MessageId = await submit(ctx.state, {
        ...requestFacts(ctx),
        source: input.Source,
        sourceArn: input.SourceArn,
        returnPath: input.ReturnPath,
        returnPathArn: input.ReturnPathArn,
        recipients: recipientsOf(Destination),
        replyTo: input.ReplyToAddresses ?? [],
        configurationSet: input.ConfigurationSetName,
        tags: [...(input.DefaultTags ?? []).filter(({ Name }) => !replaced.has(Name)), ...ReplacementTags],
        content: templated(input.Template, input.TemplateArn, json, ctx),
      });
      Status.push({ Status: 'Success', MessageId });
    } catch (error) {
      if (!(error instanceof AwsError) || WHOLE.has(error.code)) throw error;
      Status.push({
        Status: isDaily(error) ? 'AccountDailyQuotaExceeded' : (BULK[error.code] ?? 'Failed'),
        Error: error.message,
      });
    }
  }
  return { Status };
}

/** Merges the data of one destination over the default data. */
const mergedData = (all: string, own: string): string =>
  JSON.stringify({ ...readData(all || '{}', 'ses'), ...readData(own || '{}', 'ses') });

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SendBounce.html */
export async function SendBounce(input: InputOf<'SendBounce'>, ctx: SesContext): Promise<OutputOf<'SendBounce'>> {
  const { state } = ctx;
  const sender = bareAddress(input.BounceSender);
  const original = state.received.get(input.OriginalMessageId);
  if (!original) throw rejected(`The message ${input.OriginalMessageId} was not received by this account.`);
  const MessageId = await sendBounceMail(state, original, {
    sender,
    explanation: input.Explanation,
    reportingMta: input.MessageDsn?.ReportingMta,
    recipients: input.BouncedRecipientInfoList,
  });
  return { MessageId };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetSendQuota.html */
export function GetSendQuota(_input: InputOf<'GetSendQuota'>, { state }: SesContext): OutputOf<'GetSendQuota'> {
  const { day, second } = limitsOf(state);
  return { Max24HourSend: day, MaxSendRate: second, SentLast24Hours: state.statistics.lastDay() };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetSendStatistics.html */
export function GetSendStatistics(
  _input: InputOf<'GetSendStatistics'>,
  { state }: SesContext,
): OutputOf<'GetSendStatistics'> {
  return {
    SendDataPoints: state.statistics.list().map(({ at, attempts, bounces, complaints, rejects }) => ({
      Timestamp: new Date(at),
      DeliveryAttempts: attempts,
      Bounces: bounces,
      Complaints: complaints,
      Rejects: rejects,
    })),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetAccountSendingEnabled.html */
export function GetAccountSendingEnabled(
  _input: InputOf<'GetAccountSendingEnabled'>,
  { state }: SesContext,
): OutputOf<'GetAccountSendingEnabled'> {
  return { Enabled: state.account.sending };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateAccountSendingEnabled.html */
export function UpdateAccountSendingEnabled(
  { Enabled = false }: InputOf<'UpdateAccountSendingEnabled'>,
  { state }: SesContext,
) {
  state.changeAccount((draft) => {
    draft.sending = Enabled;
  });
  return {};
}
