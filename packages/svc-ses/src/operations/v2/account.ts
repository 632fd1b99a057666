import { notEmulated } from '@emu/core/service';
import type { InputOf, OutputOf, SuppressionListReason } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { badRequest, notFound, sesError } from '../../errors.ts';
import { isAddress } from '../../identities/names.ts';
import { limitsOf } from '../../mail/limits.ts';
import { v2Paging } from '../../paging.ts';

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html */
export function GetAccount(_input: InputOf<'GetAccount'>, { state }: SesContext): OutputOf<'GetAccount'> {
  const account = structuredClone(state.account) as { -readonly [Name in keyof typeof state.account]: never } & Record<
    string,
    unknown
  >;
  const { day, second } = limitsOf(state);
  return {
    DedicatedIpAutoWarmupEnabled: account.autoWarmup,
    EnforcementStatus: 'HEALTHY',
    ProductionAccessEnabled: account.production,
    SendQuota: { Max24HourSend: day, MaxSendRate: second, SentLast24Hours: state.statistics.lastDay() },
    SendingEnabled: account.sending,
    SuppressionAttributes: {
      SuppressedReasons: account.suppressedReasons,
      ...(account.suppressionValidation !== undefined && { ValidationAttributes: account.suppressionValidation }),
    },
    ...(account.details !== undefined && { Details: account.details }),
    VdmAttributes: account.vdm ?? { VdmEnabled: 'DISABLED' },
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutAccountDetails.html */
export function PutAccountDetails(input: InputOf<'PutAccountDetails'>, { state, ids }: SesContext) {
  const { ProductionAccessEnabled, ...details } = input;
  if (!/^https?:\/\/\S+$/.test(details.WebsiteURL)) throw badRequest('Invalid WebsiteURL.');
  for (const address of details.AdditionalContactEmailAddresses ?? [])
    if (!isAddress(address)) throw badRequest(`Invalid email address<${address}>.`);
  const { production, details: before } = state.account;
  if (ProductionAccessEnabled && before?.ReviewDetails?.Status === 'PENDING')
    throw sesError('ConflictException', 'A review of the account details is pending.');
  state.changeAccount((draft) => {
    // Requests are not reviewed; a control route moves the account out of the sandbox.
    const asks = ProductionAccessEnabled && !production;
    draft.details = {
      ...details,
      ...(asks && { ReviewDetails: { Status: 'PENDING', CaseId: ids.chars(12, '0123456789') } }),
    };
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutAccountSendingAttributes.html */
export function PutAccountSendingAttributes(
  { SendingEnabled = false }: InputOf<'PutAccountSendingAttributes'>,
  { state }: SesContext,
) {
  state.changeAccount((draft) => {
    draft.sending = SendingEnabled;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutAccountSuppressionAttributes.html */
export function PutAccountSuppressionAttributes(
  { SuppressedReasons = [], ValidationAttributes }: InputOf<'PutAccountSuppressionAttributes'>,
  { state }: SesContext,
) {
  if (ValidationAttributes?.ConditionThreshold.ConditionThresholdEnabled === 'ENABLED')
    throw notEmulated('validation of recipients', 'ses');
  state.changeAccount((draft) => {
    draft.suppressedReasons = [...new Set(SuppressedReasons)];
    if (ValidationAttributes) draft.suppressionValidation = ValidationAttributes;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutAccountVdmAttributes.html */
export function PutAccountVdmAttributes({ VdmAttributes }: InputOf<'PutAccountVdmAttributes'>, { state }: SesContext) {
  state.changeAccount((draft) => {
    draft.vdm = VdmAttributes;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutAccountDedicatedIpWarmupAttributes.html */
export function PutAccountDedicatedIpWarmupAttributes(
  { AutoWarmupEnabled = false }: InputOf<'PutAccountDedicatedIpWarmupAttributes'>,
  { state }: SesContext,
) {
  state.changeAccount((draft) => {
    draft.autoWarmup = AutoWarmupEnabled;
  });
  return {};
}

const notSuppressed = (address: string) =>
  notFound(`Email address ${address} does not exist on your suppression list.`);

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutSuppressedDestination.html */
export function PutSuppressedDestination(
  { EmailAddress, Reason }: InputOf<'PutSuppressedDestination'>,
  { state, clock }: SesContext,
) {
  if (!isAddress(EmailAddress)) throw badRequest(`Invalid email address<${EmailAddress}>.`);
  const address = EmailAddress.toLowerCase();
  state.suppressed.put(address, { address, reason: Reason, updatedAt: clock.now() });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetSuppressedDestination.html */
export function GetSuppressedDestination(
  { EmailAddress }: InputOf<'GetSuppressedDestination'>,
  { state }: SesContext,
): OutputOf<'GetSuppressedDestination'> {
  const record = state.suppressed.get(EmailAddress.toLowerCase());
  if (!record) throw notSuppressed(EmailAddress);
  const { messageId, feedbackId } = record;
  return {
    SuppressedDestination: {
      EmailAddress: record.address,
      Reason: record.reason,
      LastUpdateTime: new Date(record.updatedAt),
      ...(messageId !== undefined && { Attributes: { MessageId: messageId, FeedbackId: feedbackId } }),
    },
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteSuppressedDestination.html */
export function DeleteSuppressedDestination(
  { EmailAddress }: InputOf<'DeleteSuppressedDestination'>,
  { state }: SesContext,
) {
  if (!state.suppressed.delete(EmailAddress.toLowerCase())) throw notSuppressed(EmailAddress);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListSuppressedDestinations.html */
export function ListSuppressedDestinations(
  input: InputOf<'ListSuppressedDestinations'>,
  { state }: SesContext,
): OutputOf<'ListSuppressedDestinations'> {
  const reasons: readonly SuppressionListReason[] = input.Reasons?.length ? input.Reasons : ['BOUNCE', 'COMPLAINT'];
  const [from, to] = [input.StartDate?.getTime() ?? 0, input.EndDate?.getTime() ?? Number.POSITIVE_INFINITY];
  const found = state.suppressed
    .list()
    .filter(({ reason, updatedAt }) => reasons.includes(reason) && updatedAt >= from && updatedAt <= to);
  return v2Paging
    .page('ListSuppressedDestinations', input, found, ({ address }) => address)
    .list(({ address, reason, updatedAt }) => ({
      EmailAddress: address,
      Reason: reason,
      LastUpdateTime: new Date(updatedAt),
    }));
}
