import { type Credential, rootOf } from '@emu/core/service';
import type { IamContext } from '../context.ts';
import { keysOf } from '../credentials/access-keys.ts';
import { recordsOf } from '../credentials/registrants.ts';
import type { User } from '../state.ts';

const DAY = 86_400_000;
/** Number of keys and certificates in a row. */
const SHOWN = 2;

const COLUMNS = [
  'user',
  'arn',
  'user_creation_time',
  'password_enabled',
  'password_last_used',
  'password_last_changed',
  'password_next_rotation',
  'mfa_active',
  ...[1, 2].flatMap((number) => [
    `access_key_${number}_active`,
    `access_key_${number}_last_rotated`,
    `access_key_${number}_last_used_date`,
    `access_key_${number}_last_used_region`,
    `access_key_${number}_last_used_service`,
  ]),
  ...[1, 2].flatMap((number) => [`cert_${number}_active`, `cert_${number}_last_rotated`]),
];

const NONE = 'N/A';
const reportTime = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}+00:00`;

/** Devices and certificates of the account by user id, collected once for all rows. */
interface Holdings {
  withMfa: ReadonlySet<string>;
}

/**
 * Returns the credential report of an account: a row for the root user and one per user, ordered by name.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_getting-report.html
 */
export function credentialReport(ctx: IamContext): string {
  const { users, mfaDevices } = ctx.state;
  const assigned = [...mfaDevices.values()].flatMap(({ assigned: one }) => (one ? [one.userId] : []));
  const holdings: Holdings = { withMfa: new Set(assigned) };
  const rows = [...users.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return [COLUMNS, rootRow(ctx, holdings), ...rows.map((user) => userRow(ctx, user, holdings))]
    .map((row) => row.join(','))
    .join('\n');
}

function rootRow(ctx: IamContext, holdings: Holdings): string[] {
  const root = { id: ctx.accountId, arn: rootOf(ctx.accountId, ctx.region).arn };
  return [
    '<root_account>',
    root.arn,
    reportTime(ctx.state.createdAt(ctx.clock.now())),
    'not_supported',
    'no_information',
    'not_supported',
    'not_supported',
    ...credentialsOf(ctx, root.id, holdings),
  ];
}

function userRow(ctx: IamContext, user: User, holdings: Holdings): string[] {
  return [
    user.name,
    user.arn,
    reportTime(user.createdAt),
    ...passwordOf(ctx, user),
    ...credentialsOf(ctx, user.id, holdings),
  ];
}

function passwordOf(ctx: IamContext, { password }: User): string[] {
  if (!password) return ['false', NONE, NONE, NONE];
  const days = ctx.state.account.passwordPolicy?.MaxPasswordAge;
  const next = days ? reportTime(password.changedAt + days * DAY) : NONE;
  // emu has no console sign-ins.
  return ['true', 'no_information', reportTime(password.changedAt), next];
}

function credentialsOf(ctx: IamContext, userId: string, { withMfa }: Holdings): string[] {
  const keys = keysOf(ctx.credentials, ctx.accountId, userId);
  const certificates = recordsOf(ctx.state.signingCertificates.values(), { userId });
  const cells = [String(withMfa.has(userId))];
  for (let index = 0; index < SHOWN; index++) cells.push(...keyCells(ctx, keys[index]));
  for (let index = 0; index < SHOWN; index++) {
    const certificate = certificates[index];
    cells.push(...(certificate ? [String(certificate.active), reportTime(certificate.uploadedAt)] : ['false', NONE]));
  }
  return cells;
}

function keyCells(ctx: IamContext, key: Credential | undefined): string[] {
  if (!key) return ['false', NONE, NONE, NONE, NONE];
  const use = ctx.credentials.lastUse(key.accessKeyId);
  const used = use ? [reportTime(use.at), use.region, use.service] : [NONE, NONE, NONE];
  return [String(key.active), key.createdAt === undefined ? NONE : reportTime(key.createdAt), ...used];
}
