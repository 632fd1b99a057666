import type { DeepReadonly, Place } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { type JsonObject, parseContent } from './content.ts';
import { documentNotFound, documentVersionNotFound } from './errors.ts';
import { readDocumentName } from './names.ts';
import { OWNED } from './owned.ts';
import type { DocumentRecord, DocumentVersionRecord } from './records.ts';

export type SsmDocument = DeepReadonly<DocumentRecord>;
export type DocumentVersion = DeepReadonly<DocumentVersionRecord>;

/** Source of documents: an account and region, with access to others. */
export interface DocumentSource extends Place {
  /** Returns the documents of an account and region; undefined if it has no state. */
  documentsOf(place: Place): { get(name: string): SsmDocument | undefined } | undefined;
}

/** Result of a document lookup. */
export interface FoundDocument {
  readonly document: SsmDocument;
  /** Owner account; `Amazon` for AWS's documents. */
  readonly owner: string;
  /** Name in responses: the ARN if another account owns it. */
  readonly shownName: string;
  /** Version shared with the caller; undefined for all versions. */
  readonly sharedVersion?: string | undefined;
}

/**
 * Returns a document by name or ARN, including documents shared by other accounts.
 * @throws AwsError `InvalidDocument`
 */
export function findDocument(source: DocumentSource, given: string): FoundDocument {
  const read = readDocumentName(given);
  const { name } = read;
  const accountId = read.accountId || source.accountId;
  const region = read.region || source.region;
  const document = source.documentsOf({ accountId, region })?.get(name);
  if (!document) {
    const own = Object.hasOwn(OWNED, name) && accountId === source.accountId;
    if (own) return { document: OWNED[name]!, owner: 'Amazon', shownName: name };
    throw documentNotFound(given);
  }
  if (accountId === source.accountId) return { document, owner: accountId, shownName: name };
  const sharedVersion = document.shares[source.accountId] ?? document.shares.all;
  if (sharedVersion === undefined) throw documentNotFound(given);
  return { document, owner: accountId, shownName: given, sharedVersion };
}

/**
 * Same as `findDocument`, for requests that name documents of their region only.
 * @throws AwsError `InvalidDocument`
 */
export function findDocumentInRegion(source: DocumentSource, given: string): FoundDocument {
  const { region } = readDocumentName(given);
  if (region && region !== source.region) throw documentNotFound(given);
  return findDocument(source, given);
}

/** Members of a request that select a document version. */
export interface VersionChoice {
  readonly DocumentVersion?: string | undefined;
  readonly VersionName?: string | undefined;
}

/**
 * Returns the selected version.
 * @throws AwsError `InvalidDocumentVersion` for a version that is missing or not shared
 */
export function versionOf(found: FoundDocument, { DocumentVersion, VersionName }: VersionChoice = {}): DocumentVersion {
  const { document, sharedVersion } = found;
  const numbered = (text: string): DocumentVersion | undefined => {
    if (text === '$LATEST') return document.versions.at(-1);
    const number = text === '$DEFAULT' ? document.defaultVersion : Number(text);
    return document.versions.find(({ version }) => version === number);
  };
  const shared = sharedVersion === undefined || /^all$/i.test(sharedVersion) ? undefined : numbered(sharedVersion);
  let version: DocumentVersion | undefined;
  if (VersionName !== undefined) version = document.versions.find(({ versionName }) => versionName === VersionName);
  else version = DocumentVersion === undefined && shared ? shared : numbered(DocumentVersion || '$DEFAULT');
  const named = VersionName !== undefined && DocumentVersion ? numbered(DocumentVersion) : version;
  if (!version || named !== version || (shared && shared !== version)) throw documentVersionNotFound();
  return version;
}

/** A document version that is ready to run. */
export interface ResolvedDocument {
  readonly name: string;
  readonly owner: string;
  readonly type: DocumentRecord['type'];
  readonly version: DocumentVersion;
  /** The content; empty for plain text. */
  readonly content: JsonObject;
}

/**
 * Returns the document version for a run.
 * @param version number, `$DEFAULT` or `$LATEST`; by default the default version
 * @throws AwsError `InvalidDocument`, `InvalidDocumentVersion`
 */
export function resolveDocument(source: DocumentSource, name: string, version?: string): ResolvedDocument {
  const found = findDocument(source, name);
  const chosen = versionOf(found, { DocumentVersion: version });
  if (chosen.failure !== undefined) throw documentNotFound(name);
  const content = chosen.format === 'TEXT' ? {} : parseContent(chosen.content, chosen.format);
  return {
    name: found.shownName,
    owner: found.owner,
    type: found.document.type,
    version: chosen,
    content: isObject(content) ? content : {},
  };
}
