import { CustomerKey, type DeepReadonly, parseArn, servicePrincipal } from '@emu/core';
import { type AwsError, awsError } from '@emu/wire';
import { type DynamodbContext, invalid } from '../context.ts';
import type { TableEncryption } from '../records.ts';
import type { Table } from './table.ts';

/** Milliseconds for which DynamoDB uses a table's key for a caller before it asks KMS again. */
const REUSE = 5 * 60_000;

/** The customers' keys that tables are encrypted with: KMS is called in the account and region of the table. */
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
 * Decrypts the key of a table for the caller, whom KMS must permit to use it.
 * @returns undefined where nothing has to be waited for
 * @throws AwsError KMS's refusals as DynamoDB passes them on
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export function openTableKey(table: Table, ctx: DynamodbContext): Promise<void> | undefined {
  const { sse } = table.record;
  if (!sse) return undefined;
  if (sse.inaccessibleAt !== undefined) tableKey.uses.forget(table);
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
 * Finds out whether the key of a table can be used by anybody, and remembers since when it cannot.
 * @returns undefined for a table without a key of its own
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

/** Changes how a table is encrypted, unless that has been changed meanwhile. */
function changeEncryption(
  table: Table,
  sse: DeepReadonly<TableEncryption>,
  change: (draft: TableEncryption) => void,
): void {
  if (table.record.sse?.kmsKeyArn !== sse.kmsKeyArn) return;
  table.update(({ sse: draft }) => change(draft!));
}

/** What the key of a table is bound to. */
function contextOf(tableArn: string): Record<string, string> {
  const { accountId, resource } = parseArn(tableArn)!;
  return { 'aws:dynamodb:tableName': resource.slice('table/'.length), 'aws:dynamodb:subscriberId': accountId };
}

function placeOf(tableArn: string): { accountId: string; region: string } {
  const { accountId, region } = parseArn(tableArn)!;
  return { accountId, region };
}

/** The refusal of a caller who may not use a key. */
export const keyAccessDenied = (message: string, ctx: DynamodbContext): AwsError =>
  awsError('AccessDeniedException', relayed('key access denied', 'AccessDeniedException', message, ctx));

/** KMS exceptions that DynamoDB's KMS client has a class of their own for. */
const CLASSES = new Set([
  'DisabledException',
  'InvalidArnException',
  'KMSInternalException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** A failure of KMS in the words in which DynamoDB passes it on. */
export function relayed(kind: string, code: string, message: string, ctx: DynamodbContext): string {
  const name = CLASSES.has(code) ? code : 'AWSKMSException';
  return `KMS ${kind} error: com.amazonaws.services.kms.model.${name}: ${message} (Service: AWSKMS; Status Code: 400; Error Code: ${code}; Request ID: ${ctx.ids.uuid()}; Proxy: null)`;
}
