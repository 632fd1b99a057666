import { asService, type CallOptions, type DeepReadonly, parseArn } from '@emu/core/service';
import type { ReceiptAction } from '@emu/service-types/ses';

import { ruleType } from '../resources.ts';
import type { SesState } from '../state.ts';
import { sendBounceMail } from './bounces.ts';
import { describeReceipt, describeReceived } from './notification.ts';
import type { ReceivedMail } from './received.ts';
import { asReceiptRole } from './role.ts';

/** Maximum bytes of a mail that an SNS action publishes. */
const MAX_PUBLISHED = 150 * 1024;

/** Effect of an action on the following ones. */
export type Disposition = 'continue' | 'stop-rule' | 'stop-rule-set';

/** A mail processed by a rule. */
export interface Reception {
  state: SesState;
  mail: ReceivedMail;
  /** Recipients that match the rule. */
  recipients: readonly string[];
  rule: { set: string; name: string };
}

type Action = DeepReadonly<ReceiptAction>;

const servedBy = ({ state, rule }: Reception): CallOptions =>
  asService('ses', state.accountId, ruleType.arn(rule, state));

/** Publishes to a topic in its own account and region. */
async function publish(reception: Reception, topic: string, message: object, subject?: string): Promise<void> {
  const { accountId, region } = parseArn(topic) ?? reception.state;
  const input = {
    TopicArn: topic,
    Message: JSON.stringify(message),
    ...(subject !== undefined && { Subject: subject }),
  };
  await reception.state.caller.call('sns', 'Publish', input, { ...servedBy(reception), accountId, region });
}

/** Publishes the notification of an action. */
async function notifyTopic(
  reception: Reception,
  topic: string | undefined,
  action: Record<string, unknown>,
): Promise<void> {
  if (topic === undefined) return;
  const message = {
    notificationType: 'Received',
    mail: describeReceived(reception.mail),
    receipt: describeReceipt(reception.mail, reception.recipients, { ...action, topicArn: topic }),
  };
  await publish(reception, topic, message, 'Amazon SES Email Receipt Notification');
}

async function store(reception: Reception, action: NonNullable<Action['S3Action']>): Promise<void> {
  const { BucketName: bucketName, ObjectKeyPrefix = '', IamRoleArn, TopicArn } = action;
  const objectKey = `${ObjectKeyPrefix}${reception.mail.messageId}`;
  const options =
    IamRoleArn === undefined
      ? servedBy(reception)
      : await asReceiptRole(IamRoleArn, ruleType.arn(reception.rule, reception.state), reception.state.scope);
  await putObject(reception.state, bucketName, objectKey, reception.mail.raw, options);
  const kept = {
    type: 'S3',
    bucketName,
    objectKey,
    ...(ObjectKeyPrefix !== '' && { objectKeyPrefix: ObjectKeyPrefix }),
  };
  await notifyTopic(reception, TopicArn, kept);
}

/** Writes an object with known length. */
export async function putObject(
  { caller }: Pick<SesState, 'caller'>,
  Bucket: string,
  Key: string,
  content: Buffer,
  options: CallOptions,
): Promise<void> {
  await caller.call('s3', 'PutObject', { Bucket, Key, Body: content, ContentLength: content.length }, options);
}

async function publishMail(reception: Reception, action: NonNullable<Action['SNSAction']>): Promise<void> {
  const { TopicArn, Encoding = 'UTF-8' } = action;
  const { mail, recipients } = reception;
  if (mail.raw.length > MAX_PUBLISHED) throw new Error('The mail is larger than 150 KB.');
  const kind = { type: 'SNS', topicArn: TopicArn, encoding: Encoding === 'Base64' ? 'BASE64' : 'UTF8' };
  const message = {
    notificationType: 'Received',
    mail: describeReceived(mail),
    receipt: describeReceipt(mail, recipients, kind),
    content: mail.raw.toString(Encoding === 'Base64' ? 'base64' : 'utf8'),
  };
  await publish(reception, TopicArn, message, 'Amazon SES Email Receipt Notification');
}

/** Invokes a function, whose response to a synchronous call decides how to continue. */
async function invoke(reception: Reception, action: NonNullable<Action['LambdaAction']>): Promise<Disposition> {
  const { FunctionArn, InvocationType = 'Event', TopicArn } = action;
  const kind = { type: 'Lambda', functionArn: FunctionArn, invocationType: InvocationType };
  const event = {
    Records: [
      {
        eventSource: 'aws:ses',
        eventVersion: '1.0',
        ses: {
          mail: describeReceived(reception.mail),
          receipt: describeReceipt(reception.mail, reception.recipients, kind),
        },
      },
    ],
  };
  const { accountId, region } = parseArn(FunctionArn)!;
  const input = { FunctionName: FunctionArn, InvocationType, Payload: Buffer.from(JSON.stringify(event)) };
  const answer = await reception.state.caller.call('lambda', 'Invoke', input, {
    ...servedBy(reception),
    accountId,
    region,
  });
  if (answer.FunctionError) throw new Error(`The function failed: ${answer.FunctionError}.`);
  await notifyTopic(reception, TopicArn, kind);
  return InvocationType === 'RequestResponse' ? dispositionIn(await bytesOf(answer.Payload)) : 'continue';
}

/** Returns the bytes of a response payload in any form. */
async function bytesOf(payload: unknown): Promise<Buffer> {
  if (payload instanceof Uint8Array) return Buffer.from(payload);
  if (payload === undefined || payload === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the disposition in a function's response: `STOP_RULE`, `STOP_RULE_SET`, or to continue. */
function dispositionIn(payload: Buffer): Disposition {
  try {
    const { disposition } = JSON.parse(payload.toString('utf8')) as { disposition?: unknown };
    if (String(disposition).toUpperCase() === 'STOP_RULE_SET') return 'stop-rule-set';
    if (String(disposition).toUpperCase() === 'STOP_RULE') return 'stop-rule';
  } catch {
    // Invalid JSON means to continue.
  }
  return 'continue';
}

async function bounceBack(reception: Reception, action: NonNullable<Action['BounceAction']>): Promise<Disposition> {
  const { SmtpReplyCode, StatusCode = '5.0.0', Message, Sender, TopicArn } = action;
  const { state, mail, recipients } = reception;
  await sendBounceMail(state, mail, {
    sender: Sender,
    explanation: Message,
    recipients: recipients.map((Recipient) => ({
      Recipient,
      RecipientDsnFields: {
        Action: 'failed',
        Status: StatusCode,
        DiagnosticCode: `smtp; ${SmtpReplyCode} ${StatusCode} ${Message}`,
      },
    })),
  });
  await notifyTopic(reception, TopicArn, {
    type: 'Bounce',
    smtpReplyCode: SmtpReplyCode,
    statusCode: StatusCode,
    message: Message,
    sender: Sender,
  });
  return 'stop-rule';
}

/** Returns the kind of an action, as in the control route. */
export const kindOf = (action: Action): string =>
  (Object.keys(action).find((name) => action[name as keyof Action] !== undefined) ?? '').replace(/Action$/, '');

/**
 * Runs an action.
 * @throws Error of a failure
 * @see https://docs.aws.amazon.com/ses/latest/dg/receiving-email-action.html
 */
export async function act(reception: Reception, action: Action): Promise<Disposition> {
  const { S3Action, SNSAction, LambdaAction, BounceAction, AddHeaderAction, StopAction } = action;
  if (S3Action) await store(reception, S3Action);
  if (SNSAction) await publishMail(reception, SNSAction);
  if (LambdaAction) return invoke(reception, LambdaAction);
  if (BounceAction) return bounceBack(reception, BounceAction);
  if (AddHeaderAction) {
    const { HeaderName: name, HeaderValue: value } = AddHeaderAction;
    const { mail } = reception;
    mail.headers = [{ name, value }, ...mail.headers];
    mail.raw = Buffer.concat([Buffer.from(`${name}: ${value}\r\n`), mail.raw]);
  }
  if (StopAction) {
    await notifyTopic(reception, StopAction.TopicArn, { type: 'Stop' });
    return 'stop-rule-set';
  }
  return 'continue';
}
