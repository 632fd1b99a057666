import type { SSESpecification } from '@emu/service-types/dynamodb';
import { awsError } from '@emu/wire';
import { type DynamodbContext, invalid } from '../context.ts';
import type { TableEncryption } from '../records.ts';
import { keyAccessDenied, relayed, tableKey } from './table-key.ts';

/** Whether a specification asks for a key of KMS; without `Enabled` its type alone asks for it too. */
const asksForKey = ({ Enabled, SSEType }: SSESpecification): boolean => Enabled ?? SSEType !== undefined;

function checkSpecification(specification: SSESpecification): void {
  const refuse = (reason: string) => invalid(`One or more parameter values were invalid: ${reason}`);
  const { SSEType, KMSMasterKeyId } = specification;
  if (!asksForKey(specification)) {
    if (SSEType !== undefined) throw refuse('SSEType can not be specified if Enabled is false');
    if (KMSMasterKeyId !== undefined) throw refuse('KMSMasterKeyId can not be specified if Enabled is false');
  } else if (SSEType === 'AES256') throw refuse('SSEType AES256 is not supported');
  else if (SSEType === undefined && KMSMasterKeyId !== undefined)
    throw refuse('SSEType KMS is required if KMSMasterKeyId is specified');
}

/**
 * The KMS key that a specification asks for: the one it names, else the AWS managed key of the account, which KMS makes
 * at its first use. KMS makes the key of the table with it, as the caller.
 * @param tableArn of the table that is to be encrypted
 * @returns undefined for the key that AWS owns
 * @throws AwsError `ValidationException` for a key that does not exist or cannot be used, `AccessDeniedException`,
 *   `InternalServerError` for a key that is not symmetric, as AWS answers it
 */
export async function encryptionOf(
  specification: SSESpecification | undefined,
  tableArn: string,
  ctx: DynamodbContext,
): Promise<TableEncryption | undefined> {
  if (!specification) return undefined;
  checkSpecification(specification);
  if (!asksForKey(specification)) return undefined;
  const id = specification.KMSMasterKeyId ?? tableKey.managedAlias;
  const { Arn, KeyState, KeySpec, KeyManager } = await tableKey.describe(id, tableArn, ctx);
  if (KeyState === 'Disabled') throw invalid(relayed('key disabled', 'DisabledException', `${Arn} is disabled.`, ctx));
  if (KeyState !== 'Enabled')
    throw invalid(relayed('validation', 'KMSInvalidStateException', `${Arn} is ${inWords(KeyState!)}.`, ctx));
  if (KeySpec !== 'SYMMETRIC_DEFAULT')
    throw awsError(
      'InternalServerError',
      relayed(
        'internal',
        'ValidationException',
        'EncryptionContext is supported only when creating a grant for a symmetric encryption KMS key.',
        ctx,
      ),
    );
  if (KeyManager === 'AWS' && Arn !== (await tableKey.describe(tableKey.managedAlias, tableArn, ctx)).Arn)
    throw keyAccessDenied(
      `User: ${ctx.principal.arn} is not authorized to perform: kms:CreateGrant on resource: ${Arn} because no resource-based policy allows the kms:CreateGrant action`,
      ctx,
    );
  const { dataKey } = await tableKey.newWrappedDataKey(Arn!, tableArn, ctx);
  return { kmsKeyArn: Arn!, dataKey };
}

/** `PendingDeletion` as `pending deletion`. */
const inWords = (state: string): string => state.replace(/\B[A-Z]/g, ' $&').toLowerCase();
