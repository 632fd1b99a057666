import { rejection } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SnsTest, startSns } from './support.ts';

let test: SnsTest;
beforeAll(async () => {
  test = await startSns();
});
afterAll(() => test[Symbol.asyncDispose]());

const NUMBER = '+15551234567';
const refused = (message: string) => ({ code: 'InvalidParameter', message, status: 400 });

describe('SMS', () => {
  it('are listed, from topics and to numbers', async () => {
    const TopicArn = await test.topic('sms');
    await test.subscribe(TopicArn, 'sms', NUMBER);
    await test.sns.publish({
      TopicArn,
      Message: JSON.stringify({ default: 'long text', sms: 'short' }),
      MessageStructure: 'json',
    });
    const { MessageId } = await test.sns.publish({
      PhoneNumber: '+4915112345678',
      Message: 'hello',
      MessageAttributes: {
        'AWS.SNS.SMS.SenderID': { DataType: 'String', StringValue: 'emu' },
        'AWS.SNS.SMS.SMSType': { DataType: 'String', StringValue: 'Transactional' },
      },
    });
    expect(await test.sms()).toMatchObject([
      {
        accountId: ACCOUNT,
        region: REGION,
        phoneNumber: NUMBER,
        message: 'short',
        topicArn: TopicArn,
        smsType: 'Promotional',
      },
      {
        messageId: MessageId,
        phoneNumber: '+4915112345678',
        message: 'hello',
        senderId: 'emu',
        smsType: 'Transactional',
      },
    ]);
    expect((await test.messages()).at(-1)).toMatchObject({
      phoneNumber: '+4915112345678',
      deliveries: [{ protocol: 'sms', endpoint: '+4915112345678', status: 'delivered' }],
    });
    expect(await failureOf(test.sns.publish({ PhoneNumber: NUMBER, Message: 'x'.repeat(1601) }))).toEqual(
      refused('Invalid parameter: Message too long'),
    );
  });

  it('do not reach numbers that opted out', async () => {
    const control = (body: unknown) => test.emulator.control('POST', '/_emulator/sns/sms/opt-out', body);
    expect((await control({ phoneNumber: 'x' })).status).toBe(400);
    const phoneNumber = '+15550000001';
    expect(await control({ phoneNumber })).toMatchObject({ status: 200, json: { phoneNumber, optedOut: true } });
    expect(await test.sns.checkIfPhoneNumberIsOptedOut({ phoneNumber })).toMatchObject({ isOptedOut: true });
    expect((await test.sns.listPhoneNumbersOptedOut({})).phoneNumbers).toEqual([phoneNumber]);
    await test.sns.publish({ PhoneNumber: phoneNumber, Message: 'unwanted' });
    expect((await test.sms()).map(({ message }) => message)).not.toContain('unwanted');
    expect((await test.messages()).at(-1)!.deliveries).toMatchObject([{ status: 'failed' }]);
    await test.sns.optInPhoneNumber({ phoneNumber });
    await test.sns.optInPhoneNumber({ phoneNumber: '+15550000002' });
    expect(await test.sns.checkIfPhoneNumberIsOptedOut({ phoneNumber })).toMatchObject({ isOptedOut: false });
    expect(await failureOf(test.sns.optInPhoneNumber({ phoneNumber: 'x' }))).toEqual(
      refused('Invalid parameter: PhoneNumber Reason: input incorrectly formatted'),
    );
  });
});

describe('SMS attributes', () => {
  it.each([
    ['MonthlySpendLimit', '5'],
    ['UsageReportS3Bucket', 'reports'],
  ])('do not implement %s', async (name, value) => {
    await test.sns.setSMSAttributes({ attributes: { MonthlySpendLimit: '1' } });
    const set = test.sns.setSMSAttributes({ attributes: { [name]: value } });
    expect(await failureOf(set)).toMatchObject({ code: 'NotImplemented', status: 501 });
  });

  it('are set and returned', async () => {
    const read = async (attributes?: string[]) => (await test.sns.getSMSAttributes({ attributes })).attributes;
    expect(await read()).toEqual({ MonthlySpendLimit: '1' });
    await test.sns.setSMSAttributes({
      attributes: {
        DefaultSMSType: 'Promotional',
        DefaultSenderID: 'LSTest',
        DeliveryStatusSuccessSamplingRate: '100',
      },
    });
    expect(await read()).toEqual({
      MonthlySpendLimit: '1',
      DefaultSMSType: 'Promotional',
      DefaultSenderID: 'LSTest',
      DeliveryStatusSuccessSamplingRate: '100',
    });
    expect(await read(['DefaultSMSType', 'DefaultSenderID'])).toEqual({
      DefaultSMSType: 'Promotional',
      DefaultSenderID: 'LSTest',
    });
    await test.sns.publish({ PhoneNumber: NUMBER, Message: 'by default' });
    expect((await test.sms()).at(-1)).toMatchObject({ senderId: 'LSTest', smsType: 'Promotional' });
    // Values with which Terraform resets them.
    await test.sns.setSMSAttributes({
      attributes: { DefaultSMSType: '', DefaultSenderID: '', MonthlySpendLimit: '', DeliveryStatusIAMRole: '' },
    });
    expect(await read()).toEqual({ MonthlySpendLimit: '1', DeliveryStatusSuccessSamplingRate: '100' });
  });

  it.each([
    [{ InvalidAttribute: 'x' }, 'InvalidAttribute is not a valid attribute'],
    [{ DefaultSMSType: 'Spam' }, 'DefaultSMSType is invalid'],
    [{ DefaultSenderID: '123456' }, 'DefaultSenderID is invalid'],
    [{ DefaultSenderID: 'abcdefghijkl' }, 'DefaultSenderID is invalid'],
  ])('reject %j', async (attributes, message) => {
    expect(
      await failureOf(test.sns.setSMSAttributes({ attributes: { ...attributes } as Record<string, string> })),
    ).toEqual(refused(message));
  });
});

describe('the SMS sandbox', () => {
  it('blocks SMS to unverified numbers', async () => {
    await using kept = await startSns({ settings: { values: { EMULATOR_SNS_SMS_SANDBOX: true } } });
    expect((await kept.sns.getSMSSandboxAccountStatus({})).IsInSandbox).toBe(true);
    const PhoneNumber = '+15557654321';
    const send = () => kept.sns.publish({ PhoneNumber, Message: 'hello' });
    await send();
    expect(await kept.sms()).toEqual([]);
    await kept.sns.createSMSSandboxPhoneNumber({ PhoneNumber });
    const OneTimePassword = /\d{6}/.exec((await kept.sms()).at(-1)!.message)![0];
    await send();
    expect(await kept.sms()).toHaveLength(1);
    await kept.sns.verifySMSSandboxPhoneNumber({ PhoneNumber, OneTimePassword });
    await send();
    expect((await kept.sms()).at(-1)).toMatchObject({ phoneNumber: PhoneNumber, message: 'hello' });
  });

  it('verifies numbers with their one-time password', async () => {
    expect(await test.sns.getSMSSandboxAccountStatus({})).toMatchObject({ IsInSandbox: false });
    const PhoneNumber = '+15557654321';
    await test.sns.createSMSSandboxPhoneNumber({ PhoneNumber, LanguageCode: 'en-US' });
    const list = async () => (await test.sns.listSMSSandboxPhoneNumbers({})).PhoneNumbers;
    expect(await list()).toEqual([{ PhoneNumber, Status: 'Pending' }]);
    const OneTimePassword = /\d{6}/.exec((await test.sms()).at(-1)!.message)![0];
    const wrong = OneTimePassword === '000000' ? '111111' : '000000';
    expect(
      await failureOf(test.sns.verifySMSSandboxPhoneNumber({ PhoneNumber, OneTimePassword: wrong }), rejection),
    ).toMatchObject({
      code: 'VerificationException',
    });
    await test.sns.verifySMSSandboxPhoneNumber({ PhoneNumber, OneTimePassword });
    expect(await list()).toEqual([{ PhoneNumber, Status: 'Verified' }]);
    expect((await failureOf(test.sns.createSMSSandboxPhoneNumber({ PhoneNumber }))).code).toBe('UserError');
    await test.sns.deleteSMSSandboxPhoneNumber({ PhoneNumber });
    expect(await list()).toEqual([]);
    expect((await failureOf(test.sns.deleteSMSSandboxPhoneNumber({ PhoneNumber }))).code).toBe('ResourceNotFound');
    expect((await failureOf(test.sns.verifySMSSandboxPhoneNumber({ PhoneNumber, OneTimePassword }))).code).toBe(
      'ResourceNotFound',
    );
    expect((await failureOf(test.sns.createSMSSandboxPhoneNumber({ PhoneNumber: 'x' }))).code).toBe('ValidationError');
  });

  it('has no origination numbers', async () => {
    expect((await test.sns.listOriginationNumbers({})).PhoneNumbers).toEqual([]);
    expect((await failureOf(test.sns.listOriginationNumbers({ MaxResults: 31 }))).code).toBe('ValidationError');
  });
});
