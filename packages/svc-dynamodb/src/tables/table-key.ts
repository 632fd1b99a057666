import { CustomerKey, type DeepReadonly, parseArn, servicePrincipal } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import type { DynamodbContext } from '../context.ts';
import { dynamodbError, invalid } from '../errors.ts';
import type { TableEncryption } from '../records.ts';
import type { Table } from './table.ts';

/** Milliseconds for which a table's decrypted key is reused for a caller before KMS is called again. */
const REUSE = 5 * 60_000;

/** Customer keys that encrypt tables; KMS is called in the account and region of the table. */
export const tableKey = new CustomerKey<string, DynamodbContext>({
  service: 'dynamodb',
  context: contextOf,
  callOptions: (tableArn) => ({ ...placeOf(tableArn), authorize: {} }),
  refuse({ code, message }, { caller }) {
    if (code === 'AccessDeniedException') return keyAccessDenied(message, caller);
    return invalid(relayed(code === 'DisabledException' ? 'key disabled' : 'validation', code, message, caller));
  },
});

/**
 * Decrypts the key of a table with the caller's identity, which needs KMS permissions.
 * @returns undefined if there is nothing to wait for
 * @throws AwsError errors of KMS in the form that DynamoDB returns
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export function openTableKey(table: Table, ctx: DynamodbContext): Promise<void> | undefined {
  const { sse } = table.record;
  if (!sse) return undefined;
  if (sse.inaccessibleAt !== undefined) tableKey.uses.discard(table);
  const period = { owner: table, keyId: sse.kmsKeyArn, user: ctx.principal.arn, period: REUSE };
  return tableKey.uses.once(period, ctx.clock, () => open(table, sse, ctx));
}

async function open(table: Table, sse: DeepReadonly<TableEncryption>, ctx: DynamodbContext): Promise<void> {
  const { kmsKeyArn, dataKey } = sse;
  const { arn } = table.record;
  if (dataKey !== undefined) {
    await tableKey.decrypt({ dataKey, under: kmsKeyArn }, arn, ctx);
    return;
  }
  const made = await tableKey.newWrappedDataKey(kmsKeyArn, arn, ctx);
  changeEncryption(table, sse, (draft) => {
    draft.dataKey = made.dataKey;
  });
}

/**
 * Checks whether the key of a table is usable, and records since when it is not.
 * @returns undefined for a table without a customer key
 */
export async function checkTableKey(table: Table, ctx: DynamodbContext): Promise<void> {
  const { sse, arn } = table.record;
  if (!sse) return;
  const place = placeOf(arn);
  const options = { ...place, principal: servicePrincipal('dynamodb', place.accountId) };
  const { KeyState } = await tableKey.describe(sse.kmsKeyArn, arn, ctx, options);
  const usable = KeyState === 'Enabled';
  if (usable === (sse.inaccessibleAt === undefined)) return;
  changeEncryption(table, sse, (draft) => {
    if (usable) delete draft.inaccessibleAt;
    else draft.inaccessibleAt = ctx.clock.now();
  });
}

/** Changes the encryption of a table unless it has been changed in the meantime. */
function changeEncryption(
  table: Table,
  sse: DeepReadonly<TableEncryption>,
  change: (draft: TableEncryption) => void,
): void {
  if (table.record.sse?.kmsKeyArn !== sse.kmsKeyArn) return;
  table.update(({ sse: draft }) => change(draft!));
}

/** Returns the encryption context of a table's key. */
function contextOf(tableArn: string): Record<string, string> {
  const { accountId, resource } = parseArn(tableArn)!;
  return { 'aws:dynamodb:tableName': resource.slice('table/'.length), 'aws:dynamodb:subscriberId': accountId };
}

function placeOf(tableArn: string): { accountId: string; region: string } {
  const { accountId, region } = parseArn(tableArn)!;
  return { accountId, region };
}

/** Error for a caller without permission to use a key. */
export const keyAccessDenied = (message: string, ctx: DynamodbContext): AwsError =>
  dynamodbError('AccessDeniedException', relayed('key access denied', 'AccessDeniedException', message, ctx));

/** KMS exceptions for which DynamoDB's KMS client has classes. */
const CLASSES = new Set([
  'DisabledException',
  'InvalidArnException',
  'KMSInternalException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** Formats a KMS error as in DynamoDB's messages. */
export function relayed(kind: string, code: string, message: string, ctx: DynamodbContext): string {
  const name = CLASSES.has(code) ? code : 'AWSKMSException';
  return `KMS ${kind} error: com.amazonaws.services.kms.model.${name}: ${message} (Service: AWSKMS; Status Code: 400; Error Code: ${code}; Request ID: ${ctx.ids.uuid()}; Proxy: null)`;
}
