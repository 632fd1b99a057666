import { AwsError } from '@emu/wire';
import { smsRoleNotTrusted } from '../errors.ts';
import type { Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { handOver } from './email.ts';

const SERVICE = 'cognito-idp.amazonaws.com';

/**
 * Sends a text message through SNS, in the pool's region for that.
 * @throws AwsError `CodeDeliveryFailureException`, `InvalidSmsRoleTrustRelationshipException`
 */
export async function sendSms(pool: Pool, number: string, text: string, state: CognitoState): Promise<void> {
  await checkRole(pool, state);
  const { SnsRegion: region = state.region } = pool.settings.SmsConfiguration ?? {};
  await handOver(() => state.call('sns', 'Publish', { PhoneNumber: number, Message: text }, { region }));
}

/** @throws AwsError where policies are enforced, and the pool's role does not let Cognito assume it, by its external id */
async function checkRole({ id, settings }: Pool, state: CognitoState): Promise<void> {
  const { SnsCallerArn, ExternalId } = settings.SmsConfiguration ?? {};
  if (SnsCallerArn === undefined) return;
  const { accountId } = state;
  try {
    await state.call(
      'sts',
      'AssumeRole',
      { RoleArn: SnsCallerArn, RoleSessionName: 'CognitoSms', ...(ExternalId !== undefined && { ExternalId }) },
      {
        principal: { type: 'service', accountId, arn: SERVICE, userId: SERVICE },
        authorize: { sourceAccount: accountId, sourceArn: state.poolArn(id), dryRun: true },
      },
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    if (error.code !== 'NotImplemented') throw smsRoleNotTrusted();
  }
}
