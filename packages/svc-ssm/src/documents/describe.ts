import type { DocumentDescription, DocumentIdentifier, DocumentStatus } from '@emu/service-types/ssm';
import { tagging } from '../tags.ts';
import type { DocumentVersion, FoundDocument, SsmDocument } from './resolve.ts';

/** Whether a document takes part in reviews. */
export const isReviewed = ({ type }: Pick<SsmDocument, 'type'>): boolean => type === 'Automation.ChangeTemplate';

/** Returns the status of a version. */
export const statusOf = ({ failure }: DocumentVersion): { Status: DocumentStatus; StatusInformation?: string } =>
  failure === undefined ? { Status: 'Active' } : { Status: 'Failed', StatusInformation: failure };

/** Returns the name members of a version. */
const namesOf = ({ versionName, displayName, targetType }: DocumentVersion) => ({
  ...(displayName !== undefined && { DisplayName: displayName }),
  ...(versionName !== undefined && { VersionName: versionName }),
  ...(targetType !== undefined && { TargetType: targetType }),
});

const reviewsOf = (document: SsmDocument): Partial<DocumentDescription> => {
  if (!isReviewed(document)) return {};
  const latest = document.versions.at(-1)!;
  const approved = document.versions.findLast(({ reviewStatus }) => reviewStatus === 'APPROVED');
  const pending = document.versions.findLast(({ reviewStatus }) => reviewStatus === 'PENDING');
  const reviews = latest.reviews.map(({ updatedAt, status, reviewer }) => ({
    ReviewedTime: new Date(updatedAt),
    Status: status,
    Reviewer: reviewer,
  }));
  return {
    Author: latest.author,
    ReviewStatus: latest.reviewStatus,
    ...(reviews.length > 0 && { ReviewInformation: reviews }),
    ...(approved && { ApprovedVersion: String(approved.version) }),
    ...(pending && { PendingReviewVersion: String(pending.version) }),
  };
};

/** Returns a version of a document as in DescribeDocument. */
export function describeDocument(
  { document, owner, shownName }: FoundDocument,
  version: DocumentVersion,
  status = statusOf(version),
): DocumentDescription {
  const { summary } = version;
  return {
    Hash: version.hash,
    HashType: 'Sha256',
    Name: shownName,
    ...namesOf(version),
    Owner: owner,
    CreatedDate: new Date(version.createdAt),
    ...status,
    DocumentVersion: String(version.version),
    ...(summary.description !== undefined && { Description: summary.description }),
    ...(summary.parameters.length > 0 && { Parameters: summary.parameters.map((one) => ({ ...one })) }),
    PlatformTypes: [...summary.platformTypes],
    DocumentType: document.type,
    ...(summary.schemaVersion !== undefined && { SchemaVersion: summary.schemaVersion }),
    LatestVersion: String(document.versions.at(-1)!.version),
    DefaultVersion: String(document.defaultVersion),
    DocumentFormat: version.format,
    Tags: tagging.show(document.tags),
    ...(version.attachments.length > 0 && {
      AttachmentsInformation: version.attachments.map(({ name }) => ({ Name: name })),
    }),
    ...(document.requires && { Requires: document.requires.map((one) => ({ ...one })) }),
    ...reviewsOf(document),
  };
}

/** Returns a document's default version as in ListDocuments. */
export function identifyDocument(
  { document, owner, shownName }: FoundDocument,
  version: DocumentVersion,
): DocumentIdentifier {
  const { summary } = version;
  return {
    Name: shownName,
    CreatedDate: new Date(version.createdAt),
    Owner: owner,
    ...namesOf(version),
    PlatformTypes: [...summary.platformTypes],
    DocumentVersion: String(version.version),
    DocumentType: document.type,
    ...(summary.schemaVersion !== undefined && { SchemaVersion: summary.schemaVersion }),
    DocumentFormat: version.format,
    Tags: tagging.show(document.tags),
    ...(document.requires && { Requires: document.requires.map((one) => ({ ...one })) }),
    ...(isReviewed(document) && { ReviewStatus: version.reviewStatus, Author: version.author }),
  };
}
