import { createHash } from 'node:crypto';
import type { AttachmentsSource, DocumentFormat, DocumentType } from '@emu/service-types/ssm';
import type { SsmContext } from '../context.ts';
import { cedarPolicies } from './approval-policies.ts';
import { fetchAttachments } from './attachments.ts';
import { checkCedar } from './cedar.ts';
import { parseContent } from './content.ts';
import type { DocumentSummary, DocumentVersionRecord } from './records.ts';
import { checkContent } from './validation.ts';

/** Returns the SHA-256 of a document's content, in hexadecimal digits. */
export const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Members of a request that create a document version. */
export interface VersionInput {
  readonly Content: string;
  readonly DocumentFormat?: DocumentFormat | undefined;
  readonly Attachments?: AttachmentsSource[] | undefined;
  readonly DisplayName?: string | undefined;
  readonly VersionName?: string | undefined;
  readonly TargetType?: string | undefined;
}

/** A validated version with fetched files. */
export interface PreparedVersion {
  readonly type: DocumentType;
  readonly summary: DocumentSummary;
  readonly record: Omit<DocumentVersionRecord, 'version'>;
  /** Releases the files; call it after the record is stored or discarded. */
  release(): void;
}

/**
 * Validates the content of a new version and fetches its attachments.
 * @param type undefined if the request names none
 * @throws AwsError `InvalidDocumentContent`, `InvalidDocumentSchemaVersion`, `MaxDocumentSizeExceeded`
 */
export async function prepareVersion(
  input: VersionInput,
  type: DocumentType | undefined,
  ctx: SsmContext,
): Promise<PreparedVersion> {
  const format = input.DocumentFormat ?? 'JSON';
  const checked = checkContent(input.Content, format, type);
  if (checked.type === 'AutoApprovalPolicy' && format !== 'TEXT')
    await checkCedar(cedarPolicies(parseContent(input.Content, format)).join('\n'));
  const { attachments, failure } = input.Attachments?.length
    ? await fetchAttachments(input.Attachments, ctx.state, ctx)
    : { attachments: [] };
  const { DisplayName, VersionName, TargetType } = input;
  return {
    ...checked,
    record: {
      ...(VersionName !== undefined && { versionName: VersionName }),
      ...(DisplayName !== undefined && { displayName: DisplayName }),
      ...(TargetType !== undefined && { targetType: TargetType }),
      content: input.Content,
      format,
      hash: hashOf(input.Content),
      summary: checked.summary,
      attachments,
      ...(failure !== undefined && { failure }),
      createdAt: Math.floor(ctx.clock.now()),
      author: ctx.principal.arn,
      ...(checked.type === 'Automation.ChangeTemplate' && { reviewStatus: 'NOT_REVIEWED' as const }),
      reviews: [],
    },
    release() {
      for (const { body } of attachments) ctx.bodies.release(body);
    },
  };
}
