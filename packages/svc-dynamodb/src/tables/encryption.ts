import type { SSESpecification } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { TableEncryption } from '../records.ts';
import { keyAccessDenied, relayed, tableKey } from './table-key.ts';

/** Whether a specification requests a KMS key; without `Enabled`, the type alone requests it. */
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
 * Returns the encryption for a specification: with the named KMS key, otherwise with the account's AWS managed key,
 * which KMS creates at first use. KMS generates the table's data key with it, with the caller's identity.
 * @param tableArn of the table to encrypt
 * @returns undefined for the key owned by AWS
 * @throws AwsError `ValidationException` for a missing or unusable key, `AccessDeniedException`, `InternalServerError`
 * for an asymmetric key, as in AWS
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
    throw invalid(relayed('validation', 'KMSInvalidStateException', `${Arn} is ${spacedWords(KeyState!)}.`, ctx));
  if (KeySpec !== 'SYMMETRIC_DEFAULT')
    throw dynamodbError(
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

/** Converts `PendingDeletion` to `pending deletion`. */
const spacedWords = (state: string): string => state.replace(/\B[A-Z]/g, ' $&').toLowerCase();
