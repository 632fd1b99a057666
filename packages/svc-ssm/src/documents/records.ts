import { defineCollection } from '@emu/core/service';
import type {
  DocumentFormat,
  DocumentParameter,
  DocumentRequires,
  DocumentType,
  PlatformType,
  ReviewStatus,
} from '@emu/service-types/ssm';

/** An attachment of a document version. */
export interface AttachmentRecord {
  name: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  /** Id in the body store. */
  body: string;
}

/** Facts derived from the content of a document. */
export interface DocumentSummary {
  schemaVersion?: string;
  description?: string;
  parameters: DocumentParameter[];
  platformTypes: PlatformType[];
}

/** A comment or decision of a reviewer. */
export interface ReviewRecord {
  reviewer: string;
  status: ReviewStatus;
  comment?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
}

/** A version of a document. */
export interface DocumentVersionRecord {
  version: number;
  versionName?: string;
  displayName?: string;
  /** Content as given in the request. */
  content: string;
  format: DocumentFormat;
  /** SHA-256 of the content, in hexadecimal digits. */
  hash: string;
  targetType?: string;
  summary: DocumentSummary;
  attachments: AttachmentRecord[];
  /** Error of fetching attachments, which marks the version as failed. */
  failure?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** ARN of the author. */
  author: string;
  /** Set for change templates only. */
  reviewStatus?: ReviewStatus;
  reviews: ReviewRecord[];
}

/** A document. */
export interface DocumentRecord {
  name: string;
  type: DocumentType;
  /** Oldest first. */
  versions: DocumentVersionRecord[];
  defaultVersion: number;
  requires?: DocumentRequires[];
  /** Versions by account that they are shared with; `all` for every account. */
  shares: Record<string, string>;
  tags: Record<string, string>;
}

export const documentCollection = defineCollection<DocumentRecord>('documents', 'region', {
  content: ['content', 'summary'],
  bodies: ({ versions }) => versions.flatMap(({ attachments }) => attachments.map(({ body }) => body)),
});
