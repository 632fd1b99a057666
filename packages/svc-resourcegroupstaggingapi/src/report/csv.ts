import type { ResourceDirectory } from '@emu/core/service';

const COLUMNS = [
  'AccountId',
  'Region',
  'ResourceType',
  'ResourceArn',
  'ComplianceStatus',
  'NoncompliantKeys',
  'KeysWithNoncompliantValues',
  'Tags',
];

/** Formats a field by RFC 4180. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const line = (fields: readonly string[]): string => `${fields.map(field).join(',')}\r\n`;

/**
 * Returns the text of a report: a line for each tagged resource of an account in any region. Without tag policies, each
 * one complies.
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_StartReportCreation.html
 */
export function reportText(directory: ResourceDirectory, accountId: string): string {
  let text = line(COLUMNS);
  for (const region of directory.regions(accountId)) {
    const resources = [...directory.list(accountId, region, { tagged: true })].sort((a, b) => (a.arn < b.arn ? -1 : 1));
    for (const { arn, service, type, tags } of resources)
      text += line([accountId, region, `${service}:${type}`, arn, 'true', '', '', JSON.stringify(tags)]);
  }
  return text;
}
