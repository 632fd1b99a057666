import type { InputOf, OutputOf } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { invalidParameter, snsError } from '../errors.ts';
import { isPhoneNumber } from '../mobile/phone-numbers.ts';
import { checkSmsAttributes, DEFAULT_SMS_ATTRIBUTES } from '../mobile/sms-attributes.ts';
import { transmitSms } from '../mobile/sms-delivery.ts';
import { paging } from '../paging.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Lifetime of a one-time password in milliseconds. */
const PASSWORD_LIFETIME = DAY;
const MAX_ATTEMPTS = 5;
const MAX_SANDBOX_NUMBERS = 10;

/** @throws AwsError `InvalidParameter` for an invalid phone number */
function checkNumber(number: string): string {
  if (!isPhoneNumber(number)) throw invalidParameter('PhoneNumber Reason: input incorrectly formatted');
  return number.startsWith('+') ? number : `+${number}`;
}

/** Sets SMS attributes. Other attributes keep their values. */
export function SetSMSAttributes(
  { attributes }: InputOf<'SetSMSAttributes'>,
  { state }: SnsContext,
): OutputOf<'SetSMSAttributes'> {
  checkSmsAttributes(attributes);
  state.setSmsAttributes(attributes);
  return {};
}

/** Returns all SMS attributes that are set, or those requested. */
export function GetSMSAttributes(
  { attributes: names }: InputOf<'GetSMSAttributes'>,
  { state }: SnsContext,
): OutputOf<'GetSMSAttributes'> {
  const all = { ...DEFAULT_SMS_ATTRIBUTES, ...state.smsAttributes };
  const asked = names?.length ? Object.entries(all).filter(([name]) => names.includes(name)) : Object.entries(all);
  return { attributes: Object.fromEntries(asked) };
}

/** Whether a phone number has opted out. */
export function CheckIfPhoneNumberIsOptedOut(
  { phoneNumber }: InputOf<'CheckIfPhoneNumberIsOptedOut'>,
  { state }: SnsContext,
): OutputOf<'CheckIfPhoneNumberIsOptedOut'> {
  return { isOptedOut: state.optedOut.has(checkNumber(phoneNumber)) };
}

/** Lists the phone numbers that have opted out. */
export function ListPhoneNumbersOptedOut(
  input: InputOf<'ListPhoneNumbersOptedOut'>,
  { state }: SnsContext,
): OutputOf<'ListPhoneNumbersOptedOut'> {
  return paging.page('ListPhoneNumbersOptedOut', input, state.optedOut.keys(), (number) => number).list((item) => item);
}

/** Opts a phone number in again. */
export function OptInPhoneNumber(
  { phoneNumber }: InputOf<'OptInPhoneNumber'>,
  { state }: SnsContext,
): OutputOf<'OptInPhoneNumber'> {
  state.optedOut.delete(checkNumber(phoneNumber));
  return {};
}

/** Returns whether the account is in the SMS sandbox, as configured. */
export function GetSMSSandboxAccountStatus(
  _input: InputOf<'GetSMSSandboxAccountStatus'>,
  { state }: SnsContext,
): OutputOf<'GetSMSSandboxAccountStatus'> {
  return { IsInSandbox: state.inSandbox };
}

/** Adds a destination number to the sandbox and sends it a one-time password. */
export function CreateSMSSandboxPhoneNumber(
  { PhoneNumber }: InputOf<'CreateSMSSandboxPhoneNumber'>,
  ctx: SnsContext,
): OutputOf<'CreateSMSSandboxPhoneNumber'> {
  const { state } = ctx;
  const number = checkNumber(PhoneNumber);
  if (state.optedOut.has(number)) throw snsError('OptedOutException', 'Phone number is opted out');
  const existing = state.sandboxNumbers.get(number);
  if (existing?.verified) throw snsError('UserErrorException', 'Phone number already exists');
  if (!existing && state.sandboxNumbers.size >= MAX_SANDBOX_NUMBERS)
    throw snsError('UserErrorException', 'Sandbox phone number quota exceeded');
  const now = ctx.clock.now();
  const password = String(Math.floor(ctx.ids.random() * 1_000_000)).padStart(6, '0');
  state.sandboxNumbers.put(number, { number, verified: false, password, sentAt: now, attempts: 0 });
  const text = `Your Amazon SNS verification code is ${password}.`;
  transmitSms(state, number, { id: ctx.ids.uuid(), text, publishedAt: now, baseUrl: '' }, text);
  return {};
}

/** Verifies a destination number of the sandbox with its one-time password. */
export function VerifySMSSandboxPhoneNumber(
  { PhoneNumber, OneTimePassword }: InputOf<'VerifySMSSandboxPhoneNumber'>,
  ctx: SnsContext,
): OutputOf<'VerifySMSSandboxPhoneNumber'> {
  const { state } = ctx;
  const number = checkNumber(PhoneNumber);
  const record = state.sandboxNumbers.get(number);
  if (!record) throw snsError('ResourceNotFoundException', 'Phone number not found');
  if (record.verified) return {};
  const expired = ctx.clock.now() >= record.sentAt + PASSWORD_LIFETIME || record.attempts >= MAX_ATTEMPTS;
  const right = !expired && record.password === OneTimePassword;
  state.sandboxNumbers.update(number, (draft) => {
    draft.attempts++;
    draft.verified = right;
  });
  if (!right) throw snsError('VerificationException', 'Invalid verification code');
  return {};
}

/** Removes a destination number from the sandbox. */
export function DeleteSMSSandboxPhoneNumber(
  { PhoneNumber }: InputOf<'DeleteSMSSandboxPhoneNumber'>,
  { state }: SnsContext,
): OutputOf<'DeleteSMSSandboxPhoneNumber'> {
  if (!state.sandboxNumbers.delete(checkNumber(PhoneNumber)))
    throw snsError('ResourceNotFoundException', 'Phone number not found');
  return {};
}

/** Lists the destination numbers of the sandbox. */
export function ListSMSSandboxPhoneNumbers(
  input: InputOf<'ListSMSSandboxPhoneNumbers'>,
  { state }: SnsContext,
): OutputOf<'ListSMSSandboxPhoneNumbers'> {
  return paging
    .page('ListSMSSandboxPhoneNumbers', input, state.sandboxNumbers.values(), ({ number }) => number)
    .list(({ number, verified }) => ({
      PhoneNumber: number,
      Status: verified ? ('Verified' as const) : ('Pending' as const),
    }));
}

/** Lists the account's origination numbers: none, because emu cannot buy them. */
export function ListOriginationNumbers(
  input: InputOf<'ListOriginationNumbers'>,
  _ctx: SnsContext,
): OutputOf<'ListOriginationNumbers'> {
  return paging.page('ListOriginationNumbers', input, [], () => '').list((none: never) => none);
}
