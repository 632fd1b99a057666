import { parseArn } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { codeDeliveryFailure } from '../errors.ts';
import type { CognitoState } from '../state.ts';

/** An e-mail sent by SES. */
export interface Email {
  /** ARN of the sending SES identity. */
  identity: string;
  from?: string | undefined;
  to: string;
  replyTo?: string | undefined;
  configurationSet?: string | undefined;
  subject: string;
  html?: string | undefined;
  text?: string | undefined;
}

/**
 * Sends an e-mail by SES, in the account and region of its identity.
 * @throws AwsError `CodeDeliveryFailureException` if SES rejects it
 */
export async function sendThroughSes(email: Email, state: CognitoState): Promise<void> {
  const identity = parseArn(email.identity);
  if (!identity) throw codeDeliveryFailure(`${email.identity} is not an identity of Amazon SES.`);
  const name = identity.resource.slice(identity.resource.indexOf('/') + 1);
  const { region, accountId } = identity;
  const { from, to, replyTo, configurationSet, subject, html, text } = email;
  const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
  await handOver(() =>
    state.call(
      'ses',
      'SendEmail',
      {
        Source: from ?? (name.includes('@') ? name : `no-reply@${name}`),
        Destination: { ToAddresses: [to] },
        Message: {
          Subject: content(subject),
          Body: {
            ...(html !== undefined && { Html: content(html) }),
            ...(text !== undefined && { Text: content(text) }),
          },
        },
        ...(replyTo !== undefined && { ReplyToAddresses: [replyTo] }),
        ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
      },
      { region, accountId },
    ),
  );
}

/**
 * Publishes a message.
 * @throws AwsError `CodeDeliveryFailureException` if the service rejects it
 */
export async function handOver(publish: () => Promise<unknown>): Promise<void> {
  try {
    await publish();
  } catch (error) {
    // Without the service, the code is available from control routes.
    if (!(error instanceof AwsError)) throw error;
    if (error.code !== 'NotImplemented') throw codeDeliveryFailure(error.message);
  }
}
