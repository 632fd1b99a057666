import { parseArn } from '@emu/core/service';

/** A document by name or ARN. */
export interface DocumentName {
  readonly name: string;
  /** Account in the ARN; empty for the caller's. */
  readonly accountId: string;
  /** Region in the ARN; empty for the request's. */
  readonly region: string;
}

/** Parses a name, or the ARN of a document or of a runbook, with or without version. */
export function readDocumentName(text: string): DocumentName {
  const arn = parseArn(text);
  if (!arn) return { name: text, accountId: '', region: '' };
  const name = arn.resource.replace(/^(?:document|automation-definition)\//, '').replace(/:.*$/, '');
  return { name, accountId: arn.accountId, region: arn.region };
}
