import { asService, notEmulated, parseArn } from '@emu/core/service';
import type { ReceiptAction, ReceiptRule } from '@emu/service-types/ses';
import { AwsError } from '@emu/wire';
import type { SesContext } from '../context.ts';
import {
  invalid,
  invalidFunction,
  invalidTopic,
  limitExceeded,
  noBucket,
  unusableBucket,
  unusableFunction,
  unusableTopic,
} from '../errors.ts';
import { verifiedIdentityFor } from '../identities/identities.ts';
import { isAddress, isDomain } from '../identities/names.ts';
import { ruleType } from '../resources.ts';
import { kindOf, putObject } from './actions.ts';
import { asReceiptRole } from './role.ts';

const NAME = /^[a-zA-Z0-9](?:[\w.-]{0,62}[a-zA-Z0-9])?$/;
const HEADER = /^[\w-]{1,50}$/;
const MAX_RECIPIENTS = 500;
const MAX_ACTIONS = 10;
/** Object that SES writes to test access to a bucket. */
const SETUP_OBJECT = 'AMAZON_SES_SETUP_NOTIFICATION';

/**
 * Validates the name of a rule, a set or a filter.
 * @throws AwsError `InvalidParameterValue`
 * @see https://github.com/floci-io/floci/pull/3119
 */
export function checkReceiptName(name: string, member: 'filterName' | 'ruleName' | 'ruleSetName'): void {
  if (!NAME.test(name)) throw invalid('ses', `Not a valid ${member}: ${name}`);
}

/** Whether another service reports that a resource cannot be used. */
const isRefusal = (error: unknown): error is AwsError => error instanceof AwsError && error.code !== 'NotImplemented';

async function checkTopic(topic: string, ctx: SesContext): Promise<void> {
  const arn = parseArn(topic);
  if (arn?.service !== 'sns') throw invalidTopic(topic);
  const { accountId, region } = arn;
  try {
    await ctx.call('sns', 'GetTopicAttributes', { TopicArn: topic }, { accountId, region });
  } catch (error) {
    throw isRefusal(error) ? unusableTopic(topic) : error;
  }
}

async function checkBucket(
  action: NonNullable<ReceiptAction['S3Action']>,
  ruleArn: string,
  ctx: SesContext,
): Promise<void> {
  const { BucketName, ObjectKeyPrefix = '', KmsKeyArn, IamRoleArn } = action;
  if (KmsKeyArn !== undefined) throw notEmulated('encryption of received mail with a KMS key', 'ses');
  const options =
    IamRoleArn === undefined
      ? asService('ses', ctx.state.accountId, ruleArn)
      : await asReceiptRole(IamRoleArn, ruleArn, ctx);
  const text = `Subject: Amazon SES Setup Notification\r\n\r\nYou received this message because you set up mail receiving.\r\n`;
  try {
    await putObject(ctx.state, BucketName, `${ObjectKeyPrefix}${SETUP_OBJECT}`, Buffer.from(text), options);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw error.code === 'NoSuchBucket' ? noBucket(BucketName) : unusableBucket(BucketName);
  }
}

async function checkFunction(arn: string, ctx: SesContext): Promise<void> {
  const parsed = parseArn(arn);
  if (parsed?.service !== 'lambda') throw invalidFunction(arn);
  const { accountId, region } = parsed;
  try {
    await ctx.call('lambda', 'GetFunctionConfiguration', { FunctionName: arn }, { accountId, region });
  } catch (error) {
    throw isRefusal(error) ? unusableFunction(arn) : error;
  }
}

async function checkAction(action: ReceiptAction, ruleArn: string, ctx: SesContext): Promise<void> {
  const {
    S3Action,
    SNSAction,
    LambdaAction,
    BounceAction,
    AddHeaderAction,
    StopAction,
    WorkmailAction,
    ConnectAction,
  } = action;
  const given = Object.values(action).filter((one) => one !== undefined);
  if (given.length !== 1) throw invalid('ses', 'Each action of a rule is of exactly one kind.');
  if (WorkmailAction) throw notEmulated('the WorkMail action', 'ses');
  if (ConnectAction) throw notEmulated('the Connect action', 'ses');
  if (AddHeaderAction) {
    if (!HEADER.test(AddHeaderAction.HeaderName))
      throw invalid('ses', `Invalid header name: ${AddHeaderAction.HeaderName}`);
    if (/[\r\n]/.test(AddHeaderAction.HeaderValue)) throw invalid('ses', 'Header value must not contain line breaks.');
  }
  if (BounceAction && !verifiedIdentityFor(ctx.state, BounceAction.Sender))
    throw invalid('ses', `Identity is not verified: ${BounceAction.Sender}`);
  const topic = (S3Action ?? LambdaAction ?? BounceAction ?? StopAction ?? SNSAction)?.TopicArn;
  if (topic !== undefined) await checkTopic(topic, ctx);
  if (LambdaAction) await checkFunction(LambdaAction.FunctionArn, ctx);
  if (S3Action) await checkBucket(S3Action, ruleArn, ctx);
}

/** Returns the stored form of an action. */
const withDefaults = (action: ReceiptAction): ReceiptAction =>
  action.SNSAction ? { SNSAction: { Encoding: 'UTF-8', ...action.SNSAction } } : action;

/**
 * Validates a receipt rule with its topics, functions and buckets, and returns its stored form.
 * @throws AwsError if it is invalid
 */
export async function checkedRule(rule: ReceiptRule, set: string, ctx: SesContext): Promise<ReceiptRule> {
  const { Name, Enabled = false, TlsPolicy = 'Optional', Recipients = [], Actions = [], ScanEnabled = false } = rule;
  if (Recipients.length > MAX_RECIPIENTS) throw limitExceeded('Number of recipients exceeds the limit of 500.');
  if (Actions.length > MAX_ACTIONS) throw limitExceeded('Too many actions');
  for (const recipient of Recipients)
    if (!isAddress(recipient) && !isDomain(recipient.replace(/^\./, '')))
      throw invalid('ses', `Invalid recipient: ${recipient}`);
  const arn = ruleType.arn({ set, name: Name }, ctx);
  // Actions with side effects are checked last, so that a rejected rule leaves nothing behind.
  const ordered = [...Actions].sort((a, b) => Number(kindOf(a) === 'S3') - Number(kindOf(b) === 'S3'));
  for (const action of ordered) await checkAction(action, arn, ctx);
  return {
    Name,
    Enabled,
    TlsPolicy,
    ...(Recipients.length && { Recipients }),
    ...(Actions.length && { Actions: Actions.map(withDefaults) }),
    ScanEnabled,
  };
}
