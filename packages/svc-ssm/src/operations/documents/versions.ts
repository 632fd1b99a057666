import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf, UpdateDocumentRequest } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { describeDocument, isReviewed, statusOf } from '../../documents/describe.ts';
import { documentVersionNotFound } from '../../documents/errors.ts';
import { hashOf, prepareVersion } from '../../documents/making.ts';
import { findDocumentInRegion, type SsmDocument } from '../../documents/resolve.ts';
import { ssmError } from '../../errors.ts';
import { paging } from '../../paging.ts';
import { ownDocument } from './documents.ts';

/** Maximum number of versions of a document. */
const MAX_VERSIONS = 1000;
/** Greater than any version number: pages start with the newest version. */
const MAX_VERSION_NUMBER = 1_000_000;

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateDocument.html */
export async function UpdateDocument(
  input: InputOf<'UpdateDocument'>,
  ctx: SsmContext,
): Promise<OutputOf<'UpdateDocument'>> {
  checkUpdate(ownDocument(input.Name, ctx), input);
  const { type } = ownDocument(input.Name, ctx);
  const prepared = await prepareVersion(input, type, ctx);
  try {
    const before = ownDocument(input.Name, ctx);
    checkUpdate(before, input);
    const latest = before.versions.at(-1)!;
    const kept = {
      ...(latest.displayName !== undefined && { displayName: latest.displayName }),
      ...(latest.targetType !== undefined && { targetType: latest.targetType }),
    };
    const document = ctx.state.documents.update(input.Name, (draft) => {
      draft.versions.push({ ...kept, ...prepared.record, version: latest.version + 1 });
    });
    const found = { document, owner: ctx.accountId, shownName: document.name };
    return { DocumentDescription: describeDocument(found, document.versions.at(-1)!, { Status: 'Updating' }) };
  } finally {
    prepared.release();
  }
}

/**
 * Checks that the document's versions allow an update.
 * @throws AwsError if they do not
 */
function checkUpdate({ name, versions, type }: SsmDocument, input: UpdateDocumentRequest): void {
  const latest = versions.at(-1)!;
  if (latest.summary.schemaVersion === '1.2' && type === 'Command')
    throw ssmError('InvalidDocumentSchemaVersion', "The version of the document schema isn't supported.");
  const { DocumentVersion: version = '$LATEST', VersionName } = input;
  if (version !== '$LATEST' && version !== String(latest.version))
    throw ssmError(
      'InvalidDocumentVersion',
      `Version provided for document ${name} is not latest. Please provide the latest version to update document ${name}`,
    );
  const { DisplayName: displayName = latest.displayName, TargetType: targetType = latest.targetType } = input;
  if (
    hashOf(input.Content) === latest.hash &&
    displayName === latest.displayName &&
    targetType === latest.targetType &&
    !input.Attachments?.length
  )
    throw ssmError(
      'DuplicateDocumentContent',
      'The content of the association document matches another document. Change the content of the document and try again.',
    );
  if (VersionName !== undefined && versions.some(({ versionName }) => versionName === VersionName))
    throw ssmError(
      'DuplicateDocumentVersionName',
      'The version name has already been used in this document. Specify a different version name, and then try again.',
    );
  if (versions.length >= MAX_VERSIONS)
    throw ssmError(
      'DocumentVersionLimitExceeded',
      'The document has too many versions. Delete one or more document versions and try again.',
    );
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateDocumentDefaultVersion.html */
export function UpdateDocumentDefaultVersion(
  input: InputOf<'UpdateDocumentDefaultVersion'>,
  ctx: SsmContext,
): OutputOf<'UpdateDocumentDefaultVersion'> {
  const { versions, name } = ownDocument(input.Name, ctx);
  const chosen = versions.find(({ version }) => String(version) === input.DocumentVersion);
  if (!chosen) throw documentVersionNotFound();
  ctx.state.documents.update(name, (draft) => {
    draft.defaultVersion = chosen.version;
  });
  return {
    Description: {
      Name: name,
      DefaultVersion: input.DocumentVersion,
      ...(chosen.versionName !== undefined && { DefaultVersionName: chosen.versionName }),
    },
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListDocumentVersions.html */
export function ListDocumentVersions(
  input: InputOf<'ListDocumentVersions'>,
  ctx: SsmContext,
): OutputOf<'ListDocumentVersions'> {
  const { document, shownName } = findDocumentInRegion(ctx.state, input.Name);
  const newestFirst = document.versions.toReversed();
  return paging
    .page('ListDocumentVersions', input, newestFirst, ({ version }) => numericKey(MAX_VERSION_NUMBER - version))
    .list((version) => ({
      Name: shownName,
      ...(version.displayName !== undefined && { DisplayName: version.displayName }),
      DocumentVersion: String(version.version),
      ...(version.versionName !== undefined && { VersionName: version.versionName }),
      CreatedDate: new Date(version.createdAt),
      IsDefaultVersion: version.version === document.defaultVersion,
      DocumentFormat: version.format,
      ...statusOf(version),
      ...(isReviewed(document) && { ReviewStatus: version.reviewStatus }),
    }));
}
