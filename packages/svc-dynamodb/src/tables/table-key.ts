import { type DeepReadonly, parseArn } from '@emu/core';
import { AwsError, awsError } from '@emu/wire';
import { type Context, invalid } from '../context.ts';
import type { TableEncryption } from '../records.ts';
import type { Table } from './table.ts';

/** How long DynamoDB uses a table's key for a caller before it asks KMS again. */
const KEPT_FOR = 5 * 60_000;
/** Most callers of a table whose use of its key is remembered. */
const MOST_CALLERS = 1000;

/** Callers who may use a table's key, by ARN with the time until which KMS need not be asked. */
interface KeptKey {
  readonly kmsKeyArn: string;
  readonly until: Map<string, number>;
}

const kept = new WeakMap<Table, KeptKey>();

/**
 * Has KMS make the key of a table as the caller, bound to the table.
 * @returns the key as KMS encrypted it, in base64
 * @throws AwsError KMS's refusals as DynamoDB passes them on
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export async function dataKeyOf(kmsKeyArn: string, tableArn: string, ctx: Context): Promise<string> {
  const request = { KeyId: kmsKeyArn, KeySpec: 'AES_256' as const, EncryptionContext: contextOf(tableArn) };
  const { CiphertextBlob } = await keyCall(ctx, () =>
    ctx.call('kms', 'GenerateDataKeyWithoutPlaintext', request, { ...placeOf(tableArn), authorize: {} }),
  );
  return Buffer.from(CiphertextBlob!).toString('base64');
}

/**
 * Opens the key of a table for the caller, who KMS has to let use it.
 * @returns undefined where nothing has to be waited for
 * @throws AwsError KMS's refusals as DynamoDB passes them on
 */
export function openTableKey(table: Table, ctx: Context): Promise<void> | undefined {
  const { sse } = table.record;
  if (!sse) return undefined;
  const { kmsKeyArn, inaccessibleAt } = sse;
  let key = kept.get(table);
  if (key?.kmsKeyArn !== kmsKeyArn) {
    key = { kmsKeyArn, until: new Map() };
    kept.set(table, key);
  }
  if (inaccessibleAt === undefined && (key.until.get(ctx.principal.arn) ?? 0) > ctx.clock.now()) return undefined;
  return open(table, sse, key, ctx);
}

async function open(table: Table, sse: DeepReadonly<TableEncryption>, key: KeptKey, ctx: Context): Promise<void> {
  const { kmsKeyArn: KeyId, dataKey } = sse;
  const { arn } = table.record;
  if (dataKey === undefined) {
    const made = await dataKeyOf(KeyId, arn, ctx);
    changeEncryption(table, sse, (draft) => {
      draft.dataKey = made;
    });
  } else {
    const request = { KeyId, CiphertextBlob: Buffer.from(dataKey, 'base64'), EncryptionContext: contextOf(arn) };
    await keyCall(ctx, () => ctx.call('kms', 'Decrypt', request, { ...placeOf(arn), authorize: {} }));
  }
  if (key.until.size >= MOST_CALLERS) key.until.clear();
  key.until.set(ctx.principal.arn, ctx.clock.now() + KEPT_FOR);
}

/**
 * Finds out whether the key of a table can be used by anybody, and remembers since when it cannot.
 * @returns undefined for a table without a key of its own
 */
export async function checkTableKey(table: Table, ctx: Context): Promise<void> {
  const { sse, arn } = table.record;
  if (!sse) return;
  const { accountId, region } = placeOf(arn);
  const principal = { type: 'service', accountId, arn: SERVICE, userId: SERVICE } as const;
  const request = { KeyId: sse.kmsKeyArn };
  const { KeyMetadata } = await ctx.call('kms', 'DescribeKey', request, { accountId, region, principal });
  const usable = KeyMetadata!.KeyState === 'Enabled';
  if (usable === (sse.inaccessibleAt === undefined)) return;
  changeEncryption(table, sse, (draft) => {
    if (usable) delete draft.inaccessibleAt;
    else draft.inaccessibleAt = ctx.clock.now();
  });
}

const SERVICE = 'dynamodb.amazonaws.com';

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

/** Calls KMS. @throws AwsError its refusals as DynamoDB passes them on */
export async function keyCall<Output>(ctx: Context, call: () => Promise<Output>): Promise<Output> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    const { code, message } = error;
    if (code === 'AccessDeniedException') throw keyAccessDenied(message, ctx);
    throw invalid(relayed(code === 'DisabledException' ? 'key disabled' : 'validation', code, message, ctx));
  }
}

/** The refusal of a caller who may not use a key. */
export const keyAccessDenied = (message: string, ctx: Context): AwsError =>
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
export function relayed(kind: string, code: string, message: string, ctx: Context): string {
  const name = CLASSES.has(code) ? code : 'AWSKMSException';
  return `KMS ${kind} error: com.amazonaws.services.kms.model.${name}: ${message} (Service: AWSKMS; Status Code: 400; Error Code: ${code}; Request ID: ${ctx.ids.uuid()}; Proxy: null)`;
}
