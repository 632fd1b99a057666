import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { AUTO_APPROVAL, DENY_ACCESS } from '../../documents/approval-policies.ts';
import { convertContent } from '../../documents/content.ts';
import { describeDocument, isReviewed, statusOf } from '../../documents/describe.ts';
import { attachmentUrl } from '../../documents/downloads.ts';
import { documentNotFound, invalidOperation } from '../../documents/errors.ts';
import { prepareVersion } from '../../documents/making.ts';
import { findDocument, findDocumentInRegion, type SsmDocument, versionOf } from '../../documents/resolve.ts';
import { invalid, ssmError } from '../../errors.ts';
import { tagging } from '../../tags.ts';

/** Names reserved by AWS. */
const RESERVED = /^(?:aws|amazon|amzn)/i;

/**
 * Returns a document of the request's account.
 * @throws AwsError `InvalidDocument`
 */
export function ownDocument(name: string, ctx: SsmContext): SsmDocument {
  const document = ctx.state.documents.get(name);
  if (!document) throw documentNotFound(name);
  return document;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateDocument.html */
export async function CreateDocument(
  input: InputOf<'CreateDocument'>,
  ctx: SsmContext,
): Promise<OutputOf<'CreateDocument'>> {
  const { Name, Requires } = input;
  const { documents } = ctx.state;
  if (RESERVED.test(Name))
    throw invalid(`Invalid document name ${Name}. Names that begin with aws, amazon or amzn are reserved.`);
  if (input.DocumentType === 'AutoApprovalPolicy' && Name !== AUTO_APPROVAL && Name !== DENY_ACCESS)
    throw invalid(`The name of a document of type AutoApprovalPolicy is ${AUTO_APPROVAL} or ${DENY_ACCESS}.`);
  const refuseExisting = (): void => {
    if (documents.get(Name)) throw ssmError('DocumentAlreadyExists', `Document with name ${Name} already exists`);
  };
  refuseExisting();
  const tags = tagging.merge(undefined, input.Tags);
  for (const required of Requires ?? [])
    versionOf(findDocument(ctx.state, required.Name), {
      DocumentVersion: required.Version,
      VersionName: required.VersionName,
    });
  const prepared = await prepareVersion(input, input.DocumentType, ctx);
  try {
    refuseExisting();
    const document = documents.put({
      name: Name,
      type: prepared.type,
      versions: [{ version: 1, ...prepared.record }],
      defaultVersion: 1,
      ...(Requires && { requires: Requires }),
      shares: {},
      tags,
    });
    const found = { document, owner: ctx.accountId, shownName: Name };
    return { DocumentDescription: describeDocument(found, document.versions[0]!, { Status: 'Creating' }) };
  } finally {
    prepared.release();
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeDocument.html */
export function DescribeDocument(input: InputOf<'DescribeDocument'>, ctx: SsmContext): OutputOf<'DescribeDocument'> {
  const found = findDocumentInRegion(ctx.state, input.Name);
  return { Document: describeDocument(found, versionOf(found, input)) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetDocument.html */
export function GetDocument(input: InputOf<'GetDocument'>, ctx: SsmContext): OutputOf<'GetDocument'> {
  const found = findDocumentInRegion(ctx.state, input.Name);
  const version = versionOf(found, input);
  const { document, owner } = found;
  const format = version.format === 'TEXT' ? 'TEXT' : (input.DocumentFormat ?? 'JSON');
  const place = { accountId: owner, region: ctx.region };
  return {
    Name: found.shownName,
    CreatedDate: new Date(version.createdAt),
    ...(version.displayName !== undefined && { DisplayName: version.displayName }),
    ...(version.versionName !== undefined && { VersionName: version.versionName }),
    DocumentVersion: String(version.version),
    ...statusOf(version),
    Content: convertContent(version.content, version.format, format),
    DocumentType: document.type,
    DocumentFormat: format === 'TEXT' && version.format !== 'TEXT' ? version.format : format,
    ...(document.requires && { Requires: document.requires.map((one) => ({ ...one })) }),
    ...(version.attachments.length > 0 && {
      AttachmentsContent: version.attachments.map((attachment) => ({
        Name: attachment.name,
        Size: attachment.size,
        Hash: attachment.hash,
        HashType: 'Sha256' as const,
        Url: attachmentUrl(ctx.endpoint, place, attachment),
      })),
    }),
    ...(isReviewed(document) && { ReviewStatus: version.reviewStatus }),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteDocument.html */
export function DeleteDocument(input: InputOf<'DeleteDocument'>, ctx: SsmContext): OutputOf<'DeleteDocument'> {
  const { documents } = ctx.state;
  const document = ownDocument(input.Name, ctx);
  if (input.DocumentVersion !== undefined || input.VersionName !== undefined) {
    const found = { document, owner: ctx.accountId, shownName: document.name };
    const { version } = versionOf(found, input);
    if (version === document.defaultVersion)
      throw invalidOperation("Default version of the document can't be deleted.");
    documents.update(document.name, (draft) => {
      draft.versions = draft.versions.filter((one) => one.version !== version);
    });
    return {};
  }
  if (Object.keys(document.shares).length > 0)
    throw invalidOperation(
      'You attempted to delete a document while it is still shared. You must stop sharing the document before you can delete it.',
    );
  if (document.type === 'ApplicationConfigurationSchema' && !input.Force)
    throw invalidOperation('Documents of type ApplicationConfigurationSchema are deleted with Force only.');
  documents.delete(document.name);
  return {};
}
