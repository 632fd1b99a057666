import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { versionOf } from '../../documents/resolve.ts';
import { ssmError } from '../../errors.ts';
import { paging } from '../../paging.ts';
import { allowsPublicDocuments } from '../../settings.ts';
import { ownDocument } from './documents.ts';

/** Maximum number of accounts that a document can be shared with. */
const MAX_ACCOUNTS = 1000;

/** Normalizes an account id: `all` is case-insensitive. */
const accountOf = (id: string): string => (/^all$/i.test(id) ? 'all' : id);

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ModifyDocumentPermission.html */
export function ModifyDocumentPermission(
  input: InputOf<'ModifyDocumentPermission'>,
  ctx: SsmContext,
): OutputOf<'ModifyDocumentPermission'> {
  const { AccountIdsToAdd: added = [], AccountIdsToRemove: removed = [], SharedDocumentVersion: version } = input;
  for (const ids of [added, removed])
    if (ids.length > 1 && ids.some((id) => accountOf(id) === 'all'))
      throw ssmError('DocumentPermissionLimit', 'Accounts can either be all or a group of AWS accounts');
  const document = ownDocument(input.Name, ctx);
  if (version !== undefined && !/^all$/i.test(version))
    versionOf({ document, owner: ctx.accountId, shownName: document.name }, { DocumentVersion: version });
  if (added.some((id) => accountOf(id) === 'all') && !allowsPublicDocuments(ctx.state))
    throw ssmError('InvalidPermissionType', 'Public sharing of documents is blocked for this account and region.');
  const shares: Record<string, string> = { ...document.shares };
  for (const id of added) shares[accountOf(id)] = version ?? '$DEFAULT';
  // Removals apply before additions.
  for (const id of removed) delete shares[accountOf(id)];
  if (Object.keys(shares).length > MAX_ACCOUNTS)
    throw ssmError(
      'DocumentPermissionLimit',
      `The document can't be shared with more AWS accounts. You can share a private document with a maximum of ${MAX_ACCOUNTS} accounts.`,
    );
  ctx.state.documents.update(document.name, (draft) => {
    draft.shares = shares;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeDocumentPermission.html */
export function DescribeDocumentPermission(
  input: InputOf<'DescribeDocumentPermission'>,
  ctx: SsmContext,
): OutputOf<'DescribeDocumentPermission'> {
  const { shares } = ownDocument(input.Name, ctx);
  const accounts = Object.entries(shares).sort(([a], [b]) => (a < b ? -1 : 1));
  const { items, next } = paging.page('DescribeDocumentPermission', input, accounts, ([id]) => id);
  return {
    AccountIds: items.map(([id]) => id),
    AccountSharingInfoList: items.map(([id, version]) => ({ AccountId: id, SharedDocumentVersion: version })),
    ...next,
  };
}
