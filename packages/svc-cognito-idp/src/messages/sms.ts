import { ServiceRole } from '@emu/core/service';
import { smsRoleNotTrusted } from '../errors.ts';
import type { Pool } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { handOver } from './email.ts';

/** Roles with which user pools send SMS messages. */
const smsRole = new ServiceRole({ service: 'cognito-idp', session: 'CognitoSms', refuse: smsRoleNotTrusted });

/**
 * Sends an SMS message by SNS, in the pool's SNS region.
 * @throws AwsError `CodeDeliveryFailureException`, `InvalidSmsRoleTrustRelationshipException`
 */
export async function sendSms(pool: Pool, number: string, text: string, state: CognitoState): Promise<void> {
  const { SnsCallerArn, ExternalId, SnsRegion: region = state.region } = pool.settings.SmsConfiguration ?? {};
  if (SnsCallerArn !== undefined)
    await smsRole.check(SnsCallerArn, state, { ExternalId, sourceArn: state.poolArn(pool.id) });
  await handOver(() => state.call('sns', 'Publish', { PhoneNumber: number, Message: text }, { region }));
}
